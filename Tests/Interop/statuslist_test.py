#!/usr/bin/env python3
"""Judges a status list of the provider as a verifier does that knows its anchor alone.

    statuslist_test.py FILE.json

FILE.json is what StatusListExchangeTests wrote: `uri`, `token`, `anchor` in base64, and the indices that are `valid` and
`revoked`. The package cryptography judges the certificate, jwcrypto the signature, and openvc-core reads the list.
Prints a line per check, in the form that Tests/ABI/run.sh counts.
"""

import base64
import datetime
import json
import sys
import time

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from jwcrypto.common import JWException
from jwcrypto.jwk import JWK
from jwcrypto.jws import JWS
from openvc.status.bitstring import StatusListError
from openvc.status.token_status_list import check_token_status, decode_status_list

from report import Report

SIGNS_STATUS_LISTS = x509.ObjectIdentifier("2.999.1.30")

report = Report("status list")


def signer(header, anchor):
    """The key that signed, if the anchor says that it may."""
    chain = [x509.load_der_x509_certificate(base64.b64decode(text)) for text in header["x5c"]]
    anchor = x509.load_der_x509_certificate(base64.b64decode(anchor))
    now = datetime.datetime.now(datetime.timezone.utc)
    for certificate, issuer in zip(chain, [*chain[1:], anchor]):
        certificate.verify_directly_issued_by(issuer)
        assert certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc
        assert certificate != anchor, "the anchor is in x5c"
    uses = chain[0].extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert SIGNS_STATUS_LISTS in uses
    return JWK.from_pem(chain[0].public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))


def verified(token, anchor):
    jws = JWS.from_jose_token(token)
    jws.allowed_algs = ["ES256"]
    header = jws.jose_header
    jws.verify(signer(header, anchor))
    return header, json.loads(jws.payload)


def main():
    with open(sys.argv[1]) as file:
        exchange = json.load(file)
    header, claims = verified(exchange["token"], exchange["anchor"])
    report(header["typ"] == "statuslist+jwt" and header["alg"] == "ES256", "typ and alg", header)
    report(claims["sub"] == exchange["uri"], "sub is the address", claims["sub"])
    now = time.time()
    report(claims["iat"] <= now < claims["exp"] == claims["iat"] + 86_400, "iat and exp", claims)
    report(claims["ttl"] == 900, "ttl", claims["ttl"])
    report(len(decode_status_list(claims["status_list"]["lst"])) == 1 << 14, "131072 entries")

    def status(index):
        card = {"status": {"status_list": {"uri": exchange["uri"], "idx": index}}}
        return check_token_status(card, resolve_status_list_token=lambda uri: claims)

    valid = [status(index) for index in exchange["valid"]]
    report(len(valid) == 10 and all(found.status == 0 for found in valid),
           "openvc-core finds 10 copies valid", valid)
    revoked = [status(index) for index in exchange["revoked"]]
    report(len(revoked) == 10 and all(found.revoked for found in revoked),
           "openvc-core finds 10 copies revoked", revoked)
    others = set(range(1 << 17)) - set(exchange["valid"]) - set(exchange["revoked"])
    data = decode_status_list(claims["status_list"]["lst"])
    report(not any(data[index // 8] >> index % 8 & 1 for index in others), "no other entry is set")
    try:
        status(1 << 17)
        report(False, "openvc-core finds no entry beyond the end")
    except StatusListError:
        report(True, "openvc-core finds no entry beyond the end")
    parts = exchange["token"].split(".")
    other = json.dumps(claims | {"exp": claims["exp"] + 1}).encode()
    parts[1] = base64.urlsafe_b64encode(other).rstrip(b"=").decode()
    try:
        verified(".".join(parts), exchange["anchor"])
        report(False, "a changed one does not verify")
    except JWException:
        report(True, "a changed one does not verify")
    sys.exit(report.failed)


if __name__ == "__main__":
    main()
