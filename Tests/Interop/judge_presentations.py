#!/usr/bin/env python3
"""Judges presentations with the packages sd-jwt and openvc-core, as a verifier that knows the issuer's key.

    judge_presentations.py IN.json

IN.json has `issuer`, the issuer's public key as JWK, `nonce`, `audience`, and `presentations`: each with `text` and
`claims`, all that the verifier must see of the holder. Ends with 0 if both packages see exactly that, and refuse the
same for another verifier and for another nonce. CardPresentationTests runs it.
"""

import json
import sys

from jwcrypto.jwk import JWK
from openvc.proof.sd_jwt import SdJwtVcProofSuite
from sd_jwt.verifier import SDJWTVerifier

TERMS = ("iss", "iat", "nbf", "exp", "cnf", "vct", "aka_vcts", "status", "_sd_alg")


def by_sd_jwt(text, key, audience, nonce):
    return SDJWTVerifier(text, lambda issuer, header: JWK(**key), audience, nonce).get_verified_payload()


def by_openvc(text, key, audience, nonce):
    return SdJwtVcProofSuite().verify(
        text, public_key_jwk=key, audience=audience, nonce=nonce, require_key_binding=True).claims


def seen(judge, text, *expected):
    """What a package lets a verifier see; None if it refuses."""
    try:
        claims = judge(text, *expected)
    except Exception as error:  # of many kinds; whatever it is, the presentation was not accepted
        print(f"{judge.__name__}: {type(error).__name__}: {error}")
        return None
    return {name: value for name, value in claims.items() if name not in TERMS}


def main():
    with open(sys.argv[1]) as file:
        given = json.load(file)
    key, audience, nonce = given["issuer"], given["audience"], given["nonce"]
    wrong = 0
    for one in given["presentations"]:
        for judge in (by_sd_jwt, by_openvc):
            found = seen(judge, one["text"], key, audience, nonce)
            if json.dumps(found, sort_keys=True) != json.dumps(one["claims"], sort_keys=True):
                print(f"{judge.__name__} sees {found} and not {one['claims']}")
                wrong += 1
            for other in ((audience + "/other", nonce), (audience, nonce + "-other")):
                wrong += seen(judge, one["text"], key, *other) is not None
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
