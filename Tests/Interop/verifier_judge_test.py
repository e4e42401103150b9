#!/usr/bin/env python3
"""Answers verifier_judge.py with a wallet of the tests: rightly, and with one fault at a time.

    verifier_judge_test.py

Each fault has to get the code that polaris-oid4vp has for it, and the verdict of openvc-core. Prints a line per check,
in the form that Tests/ABI/run.sh counts.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from patience import PATIENCE
from pid_issuer import TYPE, Authority, Issuer, new_key
from player_process import PlayerProcess
from report import Report
from throwaway_wallet import Request, call

HERE = pathlib.Path(__file__).parent
ASKED = {"claims": ["given_name", "age_equal_or_over.18=true"], "vct": [TYPE], "method": "post"}
ACCEPTED, REFUSED = "accepted", "refused"

report = Report("verifier-judge")


class Judge:
    """The process under test."""

    def __init__(self, issuer, scratch):
        anchor = scratch / "issuer.pem"
        anchor.write_text(issuer.authority.pem)
        self.issuer, self.pki, self.record = issuer, scratch / "pki", scratch / "record"
        self.process = PlayerProcess([
            sys.executable, HERE / "verifier_judge.py", "--issuer-anchor", anchor, "--pki", self.pki,
            "--record", self.record])
        self.place = self.next()

    def next(self):
        return self.process.receive(PATIENCE)

    def ask(self, **changes):
        self.process.send(json.dumps(ASKED | changes))
        return self.next()

    def fetched(self, **changes):
        self.asked = self.ask(**changes)
        return Request(self.asked["link"], self.place["tls_anchor"], self.place["access_anchor"])

    def draft(self, request, *more):
        return self.issuer.draft().showing(
            [*request.paths(), *more], request.payload["client_id"], request.payload["nonce"])

    def right_form(self, request):
        return request.encrypted(request.right(self.draft(request).presentation()))

    def answered(self, request, form):
        """What both judges say, and the reply that the wallet gets."""
        reply = request.send(form)
        return self.next(), reply


def says(found, verdict, second):
    return found["verdict"] == verdict and (found["second"] or "").partition(":")[0] == (second or "")


# --- right answers ------------------------------------------------------------------------------------------

def check_accepted(judge, name, **changes):
    request = judge.fetched(**changes)
    report(request.problems == [], f"{name}: the request is right", request.problems)
    found, (status, reply) = judge.answered(request, judge.right_form(request))
    report(says(found, "authentic", ACCEPTED), f"{name}: both accept the answer", found)
    report(status == found["status"] == 200 and reply == {"redirect_uri": f"{judge.place['origin']}/done"},
           f"{name}: the wallet is sent to a page", reply)
    report(found["session"] == judge.asked["session"] and found["claims"]["given_name"] == "Imogen Elspeth"
           and found["claims"]["age_equal_or_over"] == {"18": True}, f"{name}: the claims are told", found)
    return request, found


def check_right(judge):
    request, found = check_accepted(judge, "by POST")
    [fetch] = found["fetches"]
    report(fetch["method"] == "POST" and fetch["wallet_nonce"] == request.nonce and "Host" in fetch["headers"],
           "by POST: how it was fetched is told", fetch)
    report(found["enc"] == "A128GCM", "by POST: and how the answer was encrypted", found)
    _, found = check_accepted(judge, "by GET", method="get", enc=["A256GCM"])
    report([fetch["method"] for fetch in found["fetches"]] == ["GET"] and found["enc"] == "A256GCM",
           "by GET: so are these", found)
    request, _ = check_accepted(judge, "without a method", method=None, scheme="haip-vp")
    report(request.link.scheme == "haip-vp" and "request_uri_method" not in request.asked, "its link is as asked for")
    request, _ = check_accepted(judge, "by the name of its host", client="x509_san_dns")
    report(request.payload["client_id"] == "x509_san_dns:verifier.localhost", "and says so", request.payload)


def check_members(judge):
    """What a request has if it was asked for."""
    offered = "encrypted_response_enc_values_supported"
    request = judge.fetched()
    report(request.payload["client_metadata"][offered] == ["A128GCM", "A256GCM"], "both algorithms are offered")
    request = judge.fetched(enc=["A256GCM"])
    report(request.payload["client_metadata"][offered] == ["A256GCM"], "one alone is")
    report(request.query["claims"] == [
        {"path": ["given_name"]}, {"path": ["age_equal_or_over", "18"], "values": [True]}], "claims and values are")
    report(request.query["meta"] == {"vct_values": [TYPE]}, "and the type")
    request = judge.fetched(claims=[])
    found, _ = judge.answered(request, judge.right_form(request))
    report("claims" not in request.query and says(found, "authentic", ACCEPTED), "or the type alone", found)
    info = [{"format": "registration_cert", "data": "text"}]
    file = judge.pki / "info.json"
    file.write_text(json.dumps(info))
    data = [{"type": "example", "credential_ids": ["pid"]}]
    request = judge.fetched(verifier_info=str(file), transaction_data=data)
    report(request.payload["verifier_info"] == info, "information about the verifier", request.payload)
    report(len(request.payload["transaction_data"]) == 1, "and transaction data", request.payload)
    report("error" in judge.ask(nonsense=1), "an unknown member is an error")
    report("error" in judge.ask(verifier_info=[]), "so is one that the package refuses")
    status, _, _ = call(f"{judge.place['origin']}/request.jwt?state=none", judge.place["tls_anchor"])
    report(status == 404, "an unknown request is not found")


# --- faults -------------------------------------------------------------------------------------------------

def bound(**changes):
    """With another content of the key binding; a function makes the value from the right one."""
    def form(judge, request):
        draft = judge.draft(request)
        for name, value in changes.items():
            draft.binding[name] = value(draft.binding[name]) if callable(value) else value
        return request.encrypted(request.right(draft.presentation()))
    return form


def drafted(**changes):
    """With other properties of the draft."""
    def form(judge, request):
        draft = judge.draft(request)
        for name, value in changes.items():
            setattr(draft, name, value)
        return request.encrypted(request.right(draft.presentation()))
    return form


def shaped(change):
    """With another answer around right presentations."""
    def form(judge, request):
        answer = request.right(*(judge.draft(request).presentation() for _ in range(2)))
        first, second = answer["vp_token"]["pid"]
        return request.encrypted(change(answer, first, second))
    return form


def too_many(judge, request):
    return request.encrypted(request.right(judge.draft(request, ("family_name",)).presentation()))


def too_few(judge, request):
    draft = judge.draft(request)
    draft.shown.pop()
    return request.encrypted(request.right(draft.presentation()))


def of_another_issuer(judge, request):
    other = Issuer().draft().showing(request.paths(), request.payload["client_id"], request.payload["nonce"])
    return request.encrypted(request.right(other.presentation()))


# The fault, the code of polaris-oid4vp, and what openvc-core says; verifier_second.py has why it accepts some.
FAULTS = [
    ("another nonce", "nonce", REFUSED, bound(nonce="another")),
    ("an audience without its prefix", "audience", REFUSED, bound(aud=lambda aud: aud.partition(":")[2])),
    ("an hour old", "kb_freshness", REFUSED, bound(iat=lambda iat: iat - 3600)),
    ("the digest of another presentation", "sd_hash", REFUSED, bound(sd_hash="A" * 43)),
    ("bound by the key of somebody else", "kb_signature", REFUSED, drafted(binding_key=new_key())),
    ("not bound", "kb_missing", REFUSED, drafted(binding_header=None)),
    ("a claim too many", "claims", ACCEPTED, too_many),
    ("a claim too few", "claims", ACCEPTED, too_few),
    ("a card of another issuer", "issuer_key", REFUSED, of_another_issuer),
    ("no state", "invalid_request", ACCEPTED,
     shaped(lambda answer, first, _: {"vp_token": {"pid": [first]}})),
    ("two presentations", "invalid_request", REFUSED, shaped(lambda answer, *_: answer)),
    ("an entry that nobody asked for", "invalid_request", REFUSED,
     shaped(lambda answer, first, second: answer | {"vp_token": {"pid": [first], "other": [second]}})),
    # polaris-oid4vp takes a text for an array of one; OpenID4VP 1.0 section 8.1 has the array alone.
    ("a text in place of an array", "authentic", REFUSED,
     shaped(lambda answer, first, _: answer | {"vp_token": {"pid": first}})),
]


def check_faults(judge):
    for name, verdict, second, form in FAULTS:
        request = judge.fetched()
        found, (status, reply) = judge.answered(request, form(judge, request))
        report(says(found, verdict, second), f"{name}: polaris-oid4vp: {verdict}, openvc-core: {second}", found)
        wanted = 200 if verdict == "authentic" else 400
        report(status == wanted and ("error" in reply) == (wanted == 400), f"{name}: the wallet gets {wanted}", reply)


def check_once(judge):
    request = judge.fetched()
    form = judge.right_form(request)
    found, _ = judge.answered(request, form)
    report(says(found, "authentic", ACCEPTED), "a first answer is accepted", found)
    found, (status, _) = judge.answered(request, form)
    report(says(found, "invalid_request", ACCEPTED) and status == 400 and found["session"] == judge.asked["session"],
           "the same answer again is refused, and is told of its request", found)
    status, _, _ = call(request.asked["request_uri"], judge.place["tls_anchor"])
    report(status == 404, "an answered request is not found any more")
    request = judge.fetched()
    judge.answered(request, bound(nonce="another")(judge, request))
    found, _ = judge.answered(request, judge.right_form(request))
    report(found["verdict"] == "invalid_request", "a right answer after a wrong one is refused", found)


def check_errors(judge):
    request = judge.fetched()
    error = {"error": "access_denied", "state": request.payload["state"]}
    for name, form in (("", error), (", encrypted", request.encrypted(error))):
        found, reply = judge.answered(request, form)
        report(says(found, "wallet_error", None) and "access_denied" in found["detail"] and reply == (200, {}),
               f"an error of the wallet{name} is told", found)
    found, _ = judge.answered(request, judge.right_form(request))
    report(says(found, "authentic", ACCEPTED), "and leaves the request open", found)
    found, (status, _) = judge.answered(request, {"response": "nonsense"})
    report(found["session"] is None and found["verdict"] == "invalid_request" and status == 400,
           "an answer that belongs to no request is told", found)


# --- files --------------------------------------------------------------------------------------------------

def check_record(judge):
    request = judge.fetched()
    form = judge.right_form(request)
    judge.answered(request, form)
    kept = json.loads((judge.record / f"{judge.asked['session']}.json").read_text())
    [fetch], [answer] = kept["fetches"], kept["answers"]
    report(kept["link"] == judge.asked["link"] and fetch["request"].count(".") == 2, "link and request are recorded")
    report(answer["form"]["response"] == [form["response"]] and "pid" in answer["decrypted"]["vp_token"]
           and answer["verdict"] == "authentic" and answer["second"] == ACCEPTED, "and the answer, with its verdicts")


def check_pki(judge, again):
    for name in ("access", "tls"):
        command = ["openssl", "verify", "-x509_strict", "-no-CApath", "-no-CAstore", "-CAfile",
                   judge.pki / f"{name}-authority.pem", judge.pki / f"{name}.pem"]
        run = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        report(run.returncode == 0, f"openssl accepts the certificate {name}.pem", run.stderr)

    def content(name):
        return (judge.pki / name).read_text()

    before = {name: content(name) for name in ("access-authority.pem", "tls-authority.pem", "access.pem", "tls.pem")}
    report(judge.process.end() == 0, "it ends with its input")
    again().process.end()
    report({name for name in before if content(name) != before[name]} == {"access.pem", "tls.pem"},
           "another start keeps the authorities and renews what is below them")
    (judge.pki / "access-authority.key").write_text(Authority().pem)
    again().process.end()
    report(content("access-authority.pem") != before["access-authority.pem"], "an unreadable key is made anew")


def main():
    with tempfile.TemporaryDirectory() as directory:
        issuer, scratch = Issuer(), pathlib.Path(directory)
        judge = Judge(issuer, scratch)
        try:
            for check in (check_right, check_members, check_faults, check_once, check_errors, check_record):
                check(judge)
            check_pki(judge, lambda: Judge(issuer, scratch))
        finally:
            if judge.process.process.poll() is None:
                judge.process.end()
    sys.exit(report.failed)


if __name__ == "__main__":
    main()
