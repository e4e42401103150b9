#!/usr/bin/env python3
"""A verifier of PIDs that shares no code with the project: the package sd-jwt, and the checks that it lacks.

    sdjwt_verify.py nonce --state FILE
    sdjwt_verify.py verify --state FILE --nonce NONCE --audience AUDIENCE
        (--configuration FILE | --issuer-key JWK_FILE --issuer NAME) [--now SECONDS] PRESENTATION_FILE
    sdjwt_verify.py issued (--configuration FILE | ...) [--now SECONDS] CREDENTIAL_FILE

`nonce` makes one and remembers it; `verify` takes it back, once, and prints the claims that the holder
showed as JSON. `issued` verifies what the issuer handed to the holder. --configuration is the file that
an app embeds, whose issuer keys are trusted. The exit code is 1 and the reason on standard error where
something is refused.
"""

import argparse
import json
import pathlib
import secrets
import sys
import time

from jwcrypto.common import JWException
from jwcrypto.jwk import JWK
from jwcrypto.jws import JWS
from sd_jwt.verifier import SDJWTVerifier

TYPE = "urn:wallet-provider:pid:1"
CLOCK_DIFFERENCE = 60  # seconds that other clocks may be ahead
PRESENTATION_LIFE = 300


class Refused(Exception):
    """The credential cannot be trusted; the text says why."""


def algorithm_of(key):
    """The algorithm by the key, never by the header."""
    return "EdDSA" if key.get("kty") == "OKP" else "ES256"


class PackageVerifier(SDJWTVerifier):
    """Uses the algorithm of the holder's key: the package assumes ES256."""

    def _verify_key_binding_jwt(self, expected_aud=None, expected_nonce=None, sign_alg=None):
        holder = JWK(**self._holder_public_key_payload["jwk"])
        super()._verify_key_binding_jwt(expected_aud, expected_nonce, algorithm_of(holder))

    def unused_disclosures(self):
        return set(self._hash_to_decoded_disclosure) - set(self._duplicate_hash_check)

    def header(self):
        return JWS.from_jose_token(self._unverified_input_sd_jwt).jose_header

    def binding(self):
        return json.loads(JWS.from_jose_token(self._unverified_input_key_binding_jwt).objects["payload"])


def raw_key(text):
    """A published Ed25519 key: 32 bytes in base64url."""
    return JWK(kty="OKP", crv="Ed25519", x=text)


def issuers_of_configuration(path):
    """Name and keys of the issuer, from the signed part of the file that an app embeds."""
    file = json.loads(pathlib.Path(path).read_text())
    token = JWS.from_jose_token(file["configuration"])
    signer = token.jose_header["kid"]
    keys = {key["id"]: key["key"] for key in file["configuration_signing_keys"]}
    token.verify(raw_key(keys[signer]), alg="EdDSA")
    claims = json.loads(token.payload)
    return {claims["provider_id"]: {key["id"]: raw_key(key["key"]) for key in claims["issuer_keys"]}}


class Verifier:
    """A relying party, with its open nonces."""

    def __init__(self, issuers, audience=None, clock=time.time, nonces=()):
        self.issuers = issuers  # name -> key id -> JWK; the id None stands for all
        self.audience = audience
        self.clock = clock
        self.nonces = set(nonces)

    def ask(self):
        nonce = secrets.token_urlsafe(24)
        self.nonces.add(nonce)
        return nonce

    def verify(self, presentation, nonce):
        """The claims that the holder presented for that nonce."""
        if nonce not in self.nonces:
            raise Refused("this nonce is not waited for")
        self.nonces.remove(nonce)  # whatever comes of it
        package, claims = self._verify(presentation, (self.audience, nonce))
        made = package.binding().get("iat")
        now = self.clock()
        if type(made) is not int or not now - PRESENTATION_LIFE <= made <= now + CLOCK_DIFFERENCE:
            raise Refused("not presented now")
        return claims

    def verify_issued(self, credential):
        """All claims of the issued credential."""
        return self._verify(credential, (None, None))[1]

    def _verify(self, text, expected):
        try:
            package = PackageVerifier(text, self._key, *expected)
            claims = package.get_verified_payload()
        except Refused:
            raise
        except (JWException, ValueError, KeyError, TypeError, AttributeError) as problem:
            raise Refused(f"{type(problem).__name__}: {problem}") from problem
        self._check(package, claims)
        return package, claims

    def _key(self, issuer, header):
        keys = self.issuers.get(issuer)
        if keys is None:
            raise Refused("another issuer")
        key = keys.get(header.get("kid")) or keys.get(None)
        if key is None:
            raise Refused("another key of the issuer")
        if header.get("alg") != algorithm_of(key):
            raise Refused("another algorithm than the key's")
        return key

    def _check(self, package, claims):
        """The checks that the package leaves to its user."""
        if package.header().get("typ") != "dc+sd-jwt":
            raise Refused("not typed as a credential")
        if package.unused_disclosures():
            raise Refused("a disclosure that belongs to no claim")
        if claims.get("vct") != TYPE:
            raise Refused("not a PID")
        if not claims["iat"] <= self.clock() + CLOCK_DIFFERENCE:
            raise Refused("not yet issued")
        if not self.clock() < claims["exp"]:
            raise Refused("expired")


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["nonce", "verify", "issued"])
    parser.add_argument("file", nargs="?", type=pathlib.Path)
    parser.add_argument("--state", type=pathlib.Path)
    parser.add_argument("--nonce")
    parser.add_argument("--audience")
    parser.add_argument("--configuration", type=pathlib.Path)
    parser.add_argument("--issuer-key", type=pathlib.Path)
    parser.add_argument("--issuer")
    parser.add_argument("--now", type=float)
    return parser.parse_intermixed_args()


def issuers_of(options):
    if options.configuration:
        return issuers_of_configuration(options.configuration)
    if not (options.issuer_key and options.issuer):
        sys.exit("either --configuration, or --issuer-key and --issuer")
    return {options.issuer: {None: JWK.from_json(options.issuer_key.read_text())}}


def main():
    options = arguments()
    nonces = []
    if options.state and options.state.exists():
        nonces = json.loads(options.state.read_text())
    clock = time.time if options.now is None else lambda: options.now
    if options.command == "nonce":
        verifier = Verifier({}, nonces=nonces)
        print(verifier.ask())
    else:
        verifier = Verifier(issuers_of(options), options.audience, clock, nonces)
    try:
        if options.command == "verify":
            claims = verifier.verify(options.file.read_text().strip(), options.nonce)
        elif options.command == "issued":
            claims = verifier.verify_issued(options.file.read_text().strip())
        if options.command != "nonce":
            print(json.dumps(claims, indent=2, sort_keys=True, ensure_ascii=False))
    except Refused as problem:
        print(f"refused: {problem}", file=sys.stderr)
        sys.exit(1)
    finally:
        if options.state:
            options.state.write_text(json.dumps(sorted(verifier.nonces)))


if __name__ == "__main__":
    main()
