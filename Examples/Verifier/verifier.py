#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks a wallet for claims by OpenID4VP, as the verifier polaris-oid4vp does, and prints what it says of the answer.

The listener is on this machine, under a name that leads to 127.0.0.1. The package decides alone whether an answer is
accepted; this program makes its certificates, shows its requests and prints its verdicts.
"""

import argparse
import json
import pathlib
import queue
import shutil
import subprocess
import sys
import urllib.parse

from cryptography import x509
from polaris_oid4vp.cli import parse_claim
from polaris_oid4vp.serve import REQUEST_PATH, RESPONSE_PATH, serve
from polaris_oid4vp.verifier import Verifier, disclosed_at

import verifier_pki

HOST = "verifier.localhost"
ADDRESS = "127.0.0.1"
# The type of the PIDs of a wallet-provider, unless its settings have another one.
TYPE = "urn:wallet-provider:pid:1"
CLAIMS = ("family_name", "given_name", "age_equal_or_over.18=true")
SCHEMES = ("openid4vp", "haip-vp")
# Long enough for a user who takes up a phone first.
REQUEST_SECONDS = 3600


def arguments():
    parser = argparse.ArgumentParser(prog="verifier", description=__doc__.split("\n")[0])
    parser.add_argument("--directory", required=True, type=pathlib.Path,
                        help="where keys, certificates and the picture of the request are written")
    parser.add_argument("--claim", action="append", type=claim, metavar="PATH[=VALUE]",
                        help=f"a claim to ask for, such as {CLAIMS[2]}; may be repeated (default: {', '.join(CLAIMS)})")
    parser.add_argument("--vct", action="append", metavar="TYPE",
                        help=f"a type of cards to ask for; may be repeated (default: {TYPE})")
    parser.add_argument("--issuer-anchor", type=anchors, default=[], metavar="FILE",
                        help="PEM file of the authority that issuers have their certificates from")
    parser.add_argument("--port", type=int, default=0, help="the port to listen on (default: any that is free)")
    parser.add_argument("--get", action="store_true", help="let the wallet fetch the request by GET, not by POST")
    parser.add_argument("--once", action="store_true", help="end after the first answer, with status 1 unless it is accepted")
    options = parser.parse_args()
    if shutil.which("qrencode") is None:
        parser.error("there is no qrencode; on Debian: apt-get install qrencode")
    return options


def claim(text):
    try:
        return parse_claim(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def anchors(file):
    try:
        return x509.load_pem_x509_certificates(pathlib.Path(file).read_bytes())
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{file} is not a readable PEM file of certificates: {error}") from None


def prepared(pki, make=Verifier, **options):
    """A verifier that knows its certificate; it is told its addresses once it listens."""
    return make(
        client_cert_pem=pki.certificate("access").read_bytes(), client_key_pem=pki.key("access").read_bytes(),
        request_uri="", response_uri="", **options)


def place(verifier, port, host=HOST):
    """Tells a verifier where wallets reach it."""
    origin = f"https://{host}:{port}"
    verifier.request_uri, verifier.response_uri = origin + REQUEST_PATH, origin + RESPONSE_PATH
    verifier.redirect_uri = f"{origin}/done"


def link(verifier, session, scheme, method):
    """The link that opens a wallet. Without a method it does not say how the request is fetched, which means GET."""
    parameters = verifier.authorization_request_params(session)
    del parameters["request_uri_method"]
    if method is not None:
        parameters["request_uri_method"] = method
    return f"{scheme}://?{urllib.parse.urlencode(parameters)}"


def show_request(verifier, method, picture):
    session, _ = verifier.new_request()
    links = [link(verifier, session, scheme, method) for scheme in SCHEMES]
    print("\nOpen one of these links in the wallet, or scan the code:\n")
    print("\n".join(f"  {text}" for text in links), end="\n\n")
    # With colours the code is dark on light in each terminal; a file or pipe has none.
    kind = "ANSIUTF8" if sys.stdout.isatty() else "UTF8"
    symbol = subprocess.run(["qrencode", "--level=L", "--8bit", "--margin=2", f"--type={kind}", links[0]],
                            capture_output=True, text=True, check=True)
    print(symbol.stdout)
    subprocess.run(["qrencode", "--level=M", "--8bit", "--size=8", "--margin=4", "-o", picture, links[0]], check=True)
    print(f"The same code as a picture: {picture}", flush=True)


def show_trust(pki, has_issuers):
    print(f"""This verifier is trusted by wallets whose provider is started with

  --trust-anchors {pki.trust_anchors}

or has its entries in the file that this setting names already. They are the authority that certifies who may ask, and
the one for TLS, beside that file:

  {pki.certificate("access-authority")}
  {pki.certificate("tls-authority")}""")
    if not has_issuers:
        print("""
Each card will be refused (issuer_key), because no issuer is trusted. Name the provider's authority by --issuer-anchor;
it is keys/issuer-authority.pem in the provider's data, and what the provider serves as /issuer-authority.pem.""")


def show_verdict(verifier, verdict):
    if verdict is None:
        print("\nThe answer could not be judged.", flush=True)
    elif verdict.authentic:
        print("\nThe answer is accepted:")
        for path, _ in verifier.claims:
            print(f"  {'.'.join(path)}: {json.dumps(disclosed_at(verdict.claims, path)[1], ensure_ascii=False)}")
        sys.stdout.flush()
    elif verdict.wallet_error:
        print(f"\nThe wallet answered with an error: {verdict.wallet_error['error']}", flush=True)
    else:
        print(f"\nThe answer is refused: {verdict.code}: {verdict.reason}", flush=True)


def main():
    options = arguments()
    pki = verifier_pki.made(options.directory / "pki", HOST)
    verifier = prepared(
        pki, issuer_trust_anchors=options.issuer_anchor, vct_values=options.vct or [TYPE],
        claims=options.claim or [parse_claim(text) for text in CLAIMS], request_ttl_seconds=REQUEST_SECONDS)
    verdicts = queue.SimpleQueue()
    try:
        server = serve(
            verifier, host=ADDRESS, port=options.port, certfile=pki.certificate("tls"), keyfile=pki.key("tls"),
            on_verdict=lambda status, body, verdict: verdicts.put(verdict))
    except OSError as error:
        sys.exit(f"verifier: port {options.port}: {error.strerror}")
    # So that the end waits for an answer that is being sent.
    server.daemon_threads = False
    # The package would print each refusal too.
    server.RequestHandlerClass.log_error = lambda *_, **__: None
    place(verifier, server.server_address[1])
    show_trust(pki, bool(options.issuer_anchor))
    try:
        while True:
            show_request(verifier, "get" if options.get else "post", options.directory / "request.png")
            try:
                verdict = verdicts.get(timeout=REQUEST_SECONDS)
            except queue.Empty:
                print("\nNobody has answered, and the request has expired.")
                continue
            show_verdict(verifier, verdict)
            if options.once:
                return 0 if verdict is not None and verdict.authentic else 1
    except KeyboardInterrupt:
        print()
        return 0
    finally:
        server.shutdown()
        server.server_close()


if __name__ == "__main__":
    sys.exit(main())
