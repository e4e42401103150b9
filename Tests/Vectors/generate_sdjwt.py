"""Writes sdjwt.json beside this file, with the reference implementation of SD-JWT.

    pip install sd-jwt && python3 generate_sdjwt.py

Credentials and presentations for each pair of algorithms, with all, some and none of the claims
disclosed. Keys, salts and times are fixed; ES256 signatures are random each time, and any of them is correct.
"""

import hashlib
import json
import pathlib
import random

import sd_jwt.holder
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from jwcrypto.jwk import JWK
from sd_jwt.common import SDJWTCommon, SDObj
from sd_jwt.holder import SDJWTHolder
from sd_jwt.issuer import SDJWTIssuer

HERE = pathlib.Path(__file__).parent
INFO = (serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
ISSUED, PRESENTED = 1_760_000_000, 1_760_086_400

SDJWTCommon.unsafe_randomness = True
sd_jwt.holder.time = lambda: PRESENTED
random.seed("known answers")

PEOPLE = [
    {
        "family_name": "Möbius",
        "given_name": "Zoë Ann",
        "birthdate": "1979-02-28",
        "age_equal_or_over": {"18": True},
    },
    {
        "family_name": "O\u2019Brien-\u4f8b \U0001f600 \"/\\",
        "given_name": "X",
        "birthdate": "2007-12-31",
        "age_equal_or_over": {"18": False},
    },
]
SEEN = {
    "issuing_authority": "Example Wallet Provider",
    "issuing_country": "DE",
    "verification": {
        "evidence": "driving_permit",
        "barcode_claimed": True,
        "account_match": True,
        "issuing_source_match": False,
        "demonstration": False,
    },
}


def key(algorithm, label):
    seed = hashlib.shake_256(label.encode()).digest(32)
    if algorithm == "EdDSA":
        return Ed25519PrivateKey.from_private_bytes(seed)
    return ec.derive_private_key(int.from_bytes(seed[1:], "big"), ec.SECP256R1())


def public(private):
    """The public key in both forms."""
    return {
        "subject_public_key_info": private.public_key().public_bytes(*INFO).hex(),
        "jwk": JWK.from_pyca(private.public_key()).export_public(as_dict=True),
    }


def answer(issuer_algorithm, holder_algorithm, person, names):
    issuer, holder = key(issuer_algorithm, "issuer"), key(holder_algorithm, "holder")
    form = {
        "iss": "provider.example",
        "vct": "urn:wallet-provider:pid:1",
        "iat": ISSUED,
        "exp": ISSUED + 90 * 24 * 60 * 60,
    }
    issued = SDJWTIssuer(
        {**form, **SEEN, **{SDObj(name): value for name, value in person.items()}},
        JWK.from_pyca(issuer), JWK.from_pyca(holder), sign_alg=issuer_algorithm,
        extra_header_parameters={"typ": "dc+sd-jwt", "kid": "issuer-1"})
    presenting = SDJWTHolder(issued.sd_jwt_issuance)
    presenting.create_presentation(
        {name: True for name in names}, "fresh nonce", "https://verifier.example",
        JWK.from_pyca(holder), sign_alg=holder_algorithm)
    return {
        **form,
        "issuer_algorithm": issuer_algorithm,
        "holder_algorithm": holder_algorithm,
        "issuer": public(issuer),
        "holder": public(holder),
        "kid": "issuer-1",
        "issued": issued.sd_jwt_issuance,
        "claims": {**SEEN, **person},
        "presentation": presenting.sd_jwt_presentation,
        "aud": "https://verifier.example",
        "nonce": "fresh nonce",
        "presented_at": PRESENTED,
        "presented_claims": {**SEEN, **{name: person[name] for name in names}},
    }


answers = [
    answer(issuer, holder, person, names)
    for issuer in ("EdDSA", "ES256")
    for holder in ("EdDSA", "ES256")
    for person, names in (
        (PEOPLE[0], ["age_equal_or_over"]), (PEOPLE[0], []), (PEOPLE[1], list(PEOPLE[1])))
]
(HERE / "sdjwt.json").write_text(json.dumps(answers, indent=2, sort_keys=True) + "\n")
