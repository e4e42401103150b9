#!/usr/bin/env python3
"""Has the command openssl and openvc-core judge the certificates of a provider, with the anchor alone.

    issuer_chains.py WALLET_PROVIDER

The certificates are those that a first start makes, those of an authority whose key is kept offline (`keys certify`),
and those of an authority of openssl, through `keys request` and `keys accept`. Each judge also has to refuse them with
another anchor. Prints a line per check, in the form that Tests/ABI/run.sh counts.
"""

import base64
import os
import pathlib
import re
import ssl
import subprocess
import sys
import tempfile
from datetime import datetime, timezone

from cryptography import x509
from openvc.x5c import X5cError, resolve_x5c_key

from chains_by_openssl import Maker
from report import Report

URL = "https://wallet.example.org"
SIGNERS = ("document-signer", "status-signer")
SETTINGS = {
    "WALLET_PROVIDER_PUBLIC_URL": URL, "WALLET_PROVIDER_ISSUING_AUTHORITY": "Example Registry",
    "WALLET_PROVIDER_ISSUING_COUNTRY": "NL",
}

report = Report("issuer")


class Provider:
    def __init__(self, program, data):
        self.program, self.data = program, pathlib.Path(data)

    def run(self, *words, data=True):
        options = ["--data", self.data] if data else []
        run = subprocess.run([self.program, *words, *options], capture_output=True, text=True,
                             env=os.environ | SETTINGS)
        if run.returncode:
            raise SystemExit(f"not ok - issuer: {' '.join(map(str, words))}\n#   {run.stderr.strip()}")
        return run.stdout

    def pem(self, role):
        return self.data / "keys" / f"{role}.pem"


def certificates(file):
    return re.findall(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n", file.read_text(), re.DOTALL)


def openssl_refuses(chain, anchor, scratch):
    """Why openssl refuses a chain; None if it does not."""
    leaf, between, root = (scratch / name for name in ("leaf.pem", "between.pem", "root.pem"))
    leaf.write_text(chain[0])
    between.write_text("".join(chain[1:]))
    root.write_text(anchor)
    words = ["openssl", "verify", "-x509_strict", "-CAfile", root, "-no-CApath", "-no-CAstore"]
    words += ["-untrusted", between] if chain[1:] else []
    run = subprocess.run([*map(str, words), str(leaf)], capture_output=True, text=True)
    return None if run.returncode == 0 else run.stdout + run.stderr


def openvc_refuses(chain, anchor):
    """Why openvc-core refuses a chain of the issuer `URL`; None if it does not."""
    path = [base64.b64encode(ssl.PEM_cert_to_DER_cert(pem)).decode() for pem in chain]
    try:
        resolve_x5c_key(path, URL, trust_anchors=[x509.load_pem_x509_certificate(anchor.encode())],
                        now=datetime.now(timezone.utc))
    except X5cError as error:
        return str(error)[:200]
    return None


def judge(kind, provider, anchor, stranger, scratch):
    for role in SIGNERS:
        chain = certificates(provider.pem(role))
        for name, refuses in (
            ("openssl", lambda root: openssl_refuses(chain, root, scratch)),
            ("openvc-core", lambda root: openvc_refuses(chain, root)),
        ):
            reason = refuses(anchor)
            report(reason is None, f"{kind}: {name} accepts the {role}", reason)
            report(refuses(stranger) is not None, f"{kind}: {name} refuses the {role} below another anchor")


def main():
    with tempfile.TemporaryDirectory() as directory:
        scratch = pathlib.Path(directory)
        make = Maker(directory)
        stranger = make.authority("stranger").file.read_text()

        provider = Provider(sys.argv[1], scratch / "data")
        provider.run("client-configuration", "--url", URL)
        [own] = certificates(provider.pem("issuer-authority"))
        judge("its own authority", provider, own, stranger, scratch)

        # The authority's key goes to another machine, which signs requests for new certificates.
        key = scratch / "issuer-authority.key"
        (provider.data / "keys" / "issuer-authority.key").rename(key)
        for role in SIGNERS:
            request, chain = scratch / "request.pem", scratch / "chain.pem"
            before = certificates(provider.pem(role))
            request.write_text(provider.run("keys", "request", role))
            chain.write_text(provider.run(
                "keys", "certify", "--authority-key", key, "--authority-certificate",
                provider.pem("issuer-authority"), request, data=False))
            provider.run("keys", "accept", role, "--chain", chain)
            report(certificates(provider.pem(role)) != before, f"an offline authority: the {role} has another certificate")
        judge("an offline authority", provider, own, stranger, scratch)

        root = make.authority("registry", subject="/C=NL/O=Registry/CN=Root")
        middle = make.authority("issuers", root, subject="/C=NL/O=Registry/CN=Issuers")
        for role in SIGNERS:
            request, leaf, chain = (scratch / f"{role}.{kind}" for kind in ("request", "leaf", "chain"))
            request.write_text(provider.run("keys", "request", role))
            added = scratch / "added.cnf"
            added.write_text("[added]\nsubjectKeyIdentifier = hash\nauthorityKeyIdentifier = keyid:always\n")
            make.openssl("req", "-verify", "-noout", "-in", request)
            make.openssl("x509", "-req", "-in", request, "-CA", middle.file, "-CAkey", middle.key, "-days", "365",
                         "-sha256", "-copy_extensions", "copy", "-extfile", added, "-extensions", "added",
                         "-out", leaf)
            chain.write_text(leaf.read_text() + middle.file.read_text() + root.file.read_text())
            provider.run("keys", "accept", role, "--chain", chain, "--authority", root.file)
            report(len(certificates(provider.pem(role))) == 2, f"an authority of openssl: the {role} has a chain of two")
        judge("an authority of openssl", provider, root.file.read_text(), stranger, scratch)
        lines = provider.run("keys", "list").splitlines()
        offline = [line for line in lines if line.startswith("issuer-authority ") and " offline " in line]
        report(len(offline) == 2, "both authorities are listed as offline", "\n".join(lines))
    sys.exit(report.failed)


if __name__ == "__main__":
    main()
