#!/usr/bin/env python3
"""Signs a host into the configuration that the app embeds, so that scenarios have universal links.

    proofing_hosts.py CONFIGURATION_FILE PROVIDER_DATA HOST

Its version is beyond those of the provider, whose own configurations are then too old.
"""
import base64
import json
import pathlib
import subprocess
import sys
import tempfile

PKCS8_OF_ED25519 = bytes.fromhex("302e020100300506032b657004220420")


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def sign(seed, message):
    with tempfile.TemporaryDirectory() as directory:
        key, text = pathlib.Path(directory, "key"), pathlib.Path(directory, "text")
        key.write_bytes(PKCS8_OF_ED25519 + seed)
        text.write_bytes(message)
        return subprocess.run(
            ["openssl", "pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", key, "-in", text],
            check=True, stdout=subprocess.PIPE,
        ).stdout


def main():
    path, data, host = sys.argv[1:]
    document = json.loads(pathlib.Path(path).read_text())
    header, payload, _ = document["configuration"].split(".")
    claims = json.loads(decode(payload))
    claims["proofing_hosts"] = [host]
    claims["configuration_version"] += 1_000_000
    payload = encode(json.dumps(claims, separators=(",", ":")).encode())
    seed = decode(pathlib.Path(data, "keys", "configuration-signing.key").read_text().strip())
    signature = encode(sign(seed, f"{header}.{payload}".encode()))
    document["configuration"] = f"{header}.{payload}.{signature}"
    pathlib.Path(path).write_text(json.dumps(document))


main()
