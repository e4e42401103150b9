#!/usr/bin/env python3
"""A verifier that a wallet under test can answer: polaris-oid4vp, and openvc-core as a second judge.

    verifier_judge.py --issuer-anchor FILE --pki DIRECTORY [--port N] [--record DIRECTORY]

Speaks JSON, a line each. First it says where it is: `origin`, and in the directory of the PKI `access_anchor`,
`tls_anchor` and `trust_anchors`, the file for a provider. Each line of its input asks for a request; README.md has the
members. It answers with `link` and `session`, or with `error`. After each answer of a wallet it prints `session` (null
if the answer belongs to none), `verdict` and `detail`, the code and the reason of polaris-oid4vp, `status` of its
reply, `claims`, `second`, `enc` of the encrypted answer, and `fetches`, how the wallet has fetched the request. It ends
with its input.
"""

import argparse
import contextlib
import json
import pathlib
import sys
import threading
import time

from cryptography import x509
from polaris_oid4vp.cli import parse_claim
from polaris_oid4vp.jwe import JweError, decrypt_response
from polaris_oid4vp.serve import serve
from polaris_oid4vp.verifier import Verifier

import verifier_pki
from pid_verifiers import clock, decoded
from verifier import ADDRESS, HOST, link, place, prepared
from verifier_faults import FAULTS, faulted
from verifier_register import authorities, registered, trust_anchors
from verifier_second import second_verdict
from verifier_with import VerifierWith

MEMBERS = (
    "claims", "vct", "method", "scheme", "client", "enc", "seconds", "verifier_info", "registered", "transaction_data",
    "fault", "name")


class Asked:
    """A request, and what came of it."""

    def __init__(self, verifier, session, request, link, fault, name):
        self.verifier, self.session, self.link, self.fault = verifier, session, link, fault
        self.name = name or session.state
        self.now = None  # when answers are judged, if not when they come
        self.payload = decoded(request.split(".")[1])
        self.fetches, self.answers = [], []

    def opened(self, token):
        """What the wallet has encrypted to this request; None if it has not."""
        try:
            return decrypt_response(token, self.session.enc_key)
        except JweError:
            return None

    def transcript(self, anchors):
        """With what is needed to judge it later: the time, and the authorities that the wallet knows."""
        # Of an encrypted request `signed` has what is in it.
        fetches = [{name: value for name, value in fetch.items() if name != "request" or not fetch["encrypted"]}
                   for fetch in self.fetches]
        return {"now": int(time.time()), "anchors": anchors, "link": self.link, "client_id": self.verifier.client_id,
                "fetches": fetches, "answers": self.answers}


class VerifierJudge:
    """What the listener of polaris-oid4vp asks, for any number of verifiers: the package has one for each query."""

    def __init__(self, pki, anchors, record):
        self.pki, self.anchors, self.record = pki, anchors, record
        self.port, self.asked, self.lock = None, {}, threading.Lock()
        self.call = threading.local()  # each call has a thread

    def ask(self, wanted):
        unknown = set(wanted) - set(MEMBERS)
        if unknown:
            raise ValueError(f"unknown members: {', '.join(sorted(unknown))}")
        fault = wanted.get("fault")
        if fault is not None and fault not in FAULTS:
            raise ValueError(f"unknown fault: {fault}")
        info = wanted.get("verifier_info")
        if isinstance(info, str):
            info = json.loads(pathlib.Path(info).read_text())
        if "registered" in wanted:
            info = registered(wanted["registered"], wanted["vct"])
        claims = [parse_claim(claim) if isinstance(claim, str) else claim for claim in wanted["claims"]]
        verifier = prepared(
            self.pki, VerifierWith, enc=wanted.get("enc"), issuer_trust_anchors=self.anchors, claims=claims,
            vct_values=wanted["vct"], verifier_info=info, request_ttl_seconds=wanted.get("seconds", 300))
        place(verifier, self.port)
        verifier.identify(wanted.get("client", "x509_hash"), HOST)
        session, request = verifier.new_request(wanted.get("transaction_data"))
        text = link(verifier, session, wanted.get("scheme", "openid4vp"), wanted.get("method", "post"))
        with self.lock:
            self.asked[session.state] = Asked(
                verifier, session, request, text, fault, wanted.get("name"))
        return {"link": text, "session": session.state}

    def request_object(self, state, wallet_nonce=None, wallet_metadata=None):
        with self.lock:
            asked = self.asked.get(state)
        if asked is None:
            return None
        request = asked.verifier.request_object(state, wallet_nonce, wallet_metadata)
        with self.lock:
            asked.fetches.append(self.call.made | {
                "wallet_nonce": wallet_nonce, "wallet_metadata": wallet_metadata, "request": request,
                "signed": asked.verifier.signed, "encrypted": request is not None and request.count(".") == 4})
            self._keep(asked)
        return request

    def handle_direct_post(self, form):
        asked, answer = self._belongs(form)
        if asked is None:
            refused = Verifier._error("invalid_request", "the answer belongs to no request")
            tell({"session": None, "verdict": refused[2].code, "detail": refused[2].reason, "status": refused[0],
                  "claims": {}, "second": None, "enc": None, "fetches": []})
            return refused
        is_presented = bool(answer) and "error" not in answer
        unfaulted = sent = None
        if asked.fault and is_presented:
            _, _, unfaulted = self._judged(asked, form, is_presented)
            sent = answer
            asked.verifier.reopen(asked.session)
            token, answer = faulted(asked.fault, asked, form["response"][0], answer)
            form = form | {"response": [token]}
        status, body, judged = self._judged(asked, form, is_presented)
        judged["unfaulted"] = unfaulted
        with self.lock:
            # With a fault the form was made here, and nobody can open it.
            came = {"form": form} if sent is None else {"fault": asked.fault, "sent": sent}
            asked.answers.append(self.call.made | came | {"decrypted": answer, "reply": body} | judged)
            self._keep(asked)
            fetches = [{name: value for name, value in fetch.items() if name not in ("request", "signed")}
                       for fetch in asked.fetches]
        tell({"session": asked.session.state} | judged | {"answers": len(asked.answers), "fetches": fetches})
        # Of what is returned the listener needs no verdict.
        return status, body, None

    def _judged(self, asked, form, is_presented):
        """The status and content of the reply to an answer, and what both judges say of it."""
        token = form.get("response", [None])[0]
        try:
            with clock(asked.now) if asked.now else contextlib.nullcontext() as now:
                status, body, verdict = asked.verifier.handle_direct_post(form)
        except Exception as error:  # a defect of the package, for which its listener replies with 400
            tell({"session": asked.session.state, "verdict": "failed", "detail": f"{type(error).__name__}: {error}"})
            raise
        return status, body, {
            "verdict": "authentic" if verdict.authentic else verdict.code, "detail": verdict.reason, "status": status,
            "claims": verdict.claims, "second": second_verdict(asked, token, now) if is_presented else None,
            "enc": decoded(token.split(".")[0])["enc"] if token and asked.opened(token) is not None else None}

    def _belongs(self, form):
        """The request that a form answers, also if that one was answered before, and what is in it."""
        with self.lock:
            every = list(self.asked.values())
        for token in form.get("response", []):
            for asked in every:
                if (answer := asked.opened(token)) is not None:
                    return asked, answer
        with self.lock:
            return self.asked.get(form.get("state", [None])[0]), None

    def _keep(self, asked):
        if self.record:
            file = self.record / f"{asked.name}.json"
            file.write_text(json.dumps(asked.transcript(authorities(self.pki)), indent=1) + "\n")

    def listen(self, port):
        server = serve(self, host=ADDRESS, port=port, certfile=self.pki.certificate("tls"), keyfile=self.pki.key("tls"))
        self.port = server.server_address[1]
        call = self.call

        class Handler(server.RequestHandlerClass):
            def parse_request(self):
                parsed = super().parse_request()
                call.made = {"method": self.command, "headers": dict(self.headers.items())} if parsed else {}
                return parsed

            def log_error(self, *_, **__):
                """Nothing: what the package would write is in the line about the answer."""

        server.RequestHandlerClass = Handler
        # So that the end waits for an answer that is being sent.
        server.daemon_threads = False
        return server


telling = threading.Lock()


def tell(message):
    with telling:
        print(json.dumps(message), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--issuer-anchor", required=True, type=pathlib.Path)
    parser.add_argument("--pki", required=True, type=pathlib.Path)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--record", type=pathlib.Path)
    options = parser.parse_args()
    anchors = x509.load_pem_x509_certificates(options.issuer_anchor.read_bytes())
    if options.record:
        options.record.mkdir(parents=True, exist_ok=True)
    pki = verifier_pki.made(options.pki, HOST)
    judge = VerifierJudge(pki, anchors, options.record)
    server = judge.listen(options.port)
    tell({"origin": f"https://{HOST}:{judge.port}", "access_anchor": str(pki.certificate("access-authority")),
          "tls_anchor": str(pki.certificate("tls-authority")), "trust_anchors": str(trust_anchors(pki))})
    for line in sys.stdin:
        try:
            tell(judge.ask(json.loads(line)))
        except (ValueError, KeyError, TypeError, OSError) as error:
            tell({"error": f"{type(error).__name__}: {error}"})
    server.shutdown()
    server.server_close()


if __name__ == "__main__":
    main()
