#!/usr/bin/env python3
"""Asks for a PID as the verifier polaris-oid4vp does, once for each shape of a request.

    pid_requests.py OUT.json [TYPE]

OUT.json is an array: `name`, `audience` (the client identifier with its prefix), `nonce`, `paths` that the wallet has
to disclose, and `request`, which pid_judges.py needs again: the request object as it is signed, and the verifier's own
state. A Swift test answers each. Prints a line per check, in the form that Tests/ABI/run.sh counts.
"""

import json
import pathlib
import sys
import tempfile

from cryptography.hazmat.primitives import serialization
from polaris_oid4vp.cli import FILES, keygen

from pid_verifiers import polaris, restored

TYPE = "urn:wallet-provider:pid:1"
HOST = "verifier.example"
EVERYTHING = [
    ["family_name"], ["given_name"], ["birthdate"],
    *(["age_equal_or_over", age] for age in ("16", "18", "21", "65"))]
# What is asked for, and what the wallet discloses: `issuing_country` is never hidden. OpenID4VP knows no request
# without `claims` that names none, so this stands for a verifier that wants the type alone.
SHAPES = {
    "nothing beyond the type": ([["issuing_country"]], []),
    "one claim": ([["birthdate"]], [["birthdate"]]),
    "a nested claim": ([["age_equal_or_over", "18"]], [["age_equal_or_over", "18"]]),
    "several claims": ([["family_name"], ["birthdate"]], [["family_name"], ["birthdate"]]),
    "all claims": (EVERYTHING, EVERYTHING),
}


def asked(name, claims, paths, type):
    with tempfile.TemporaryDirectory() as directory:
        keygen(pathlib.Path(directory), HOST)
        certificate, key = (pathlib.Path(directory, FILES[file]).read_text() for file in ("client_cert", "client_key"))
    state = {
        "certificate": certificate, "key": key, "type": type, "claims": claims,
        "request_uri": f"https://{HOST}/request.jwt", "response_uri": f"https://{HOST}/response"}
    verifier = polaris(state)
    session, request = verifier.new_request()
    state |= {
        "request_object": request, "state": session.state, "nonce": session.nonce,
        "encryption_key": session.enc_key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()}
    return {"name": name, "audience": verifier.client_id, "nonce": session.nonce, "paths": paths, "request": state}


def main():
    type = sys.argv[2] if len(sys.argv) > 2 else TYPE
    requests = [asked(name, claims, paths, type) for name, (claims, paths) in SHAPES.items()]
    pathlib.Path(sys.argv[1]).write_text(json.dumps(requests, indent=1))
    holds = all(restored(request["request"])[0].client_id == request["audience"] for request in requests)
    print(f"{'ok' if holds else 'not ok'} - PIDs: polaris-oid4vp asks in {len(requests)} ways")
    sys.exit(not holds)


if __name__ == "__main__":
    main()
