#!/usr/bin/env python3
"""Has verifier_judge.py put one fault at a time into right answers of a wallet of the tests.

    verifier_faults_test.py

Prints a line per check, in the form that Tests/ABI/run.sh counts.
"""

import pathlib
import sys
import tempfile

from pid_issuer import Issuer
from report import Report
from verifier_faults import FAULTS
from verifier_judge_test import ACCEPTED, REFUSED, Judge, says

# What polaris-oid4vp and openvc-core say of an answer with the fault; verifier_second.py has why openvc-core accepts
# some.
VERDICTS = {
    "no state": ("invalid_request", ACCEPTED),
    "an entry more": ("invalid_request", REFUSED),
    "two presentations": ("invalid_request", REFUSED),
    "a text in place of an array": ("authentic", REFUSED),
    "no binding": ("kb_missing", REFUSED),
    "a disclosure dropped": ("sd_hash", REFUSED),
    "disclosures reordered": ("sd_hash", REFUSED),
    "a foreign disclosure": ("disclosure", REFUSED),
    "another signature of the binding": ("kb_signature", REFUSED),
    "another signature of the card": ("issuer_signature", REFUSED),
    "another nonce": ("nonce", REFUSED),
    "an audience without prefix": ("audience", REFUSED),
    "a claim more": ("claims", ACCEPTED),
    "a claim less": ("claims", ACCEPTED),
    "another type": ("vct", REFUSED),
    "another issuer": ("issuer_key", REFUSED),
    "an hour later": ("kb_freshness", REFUSED),
    "answered before": ("invalid_request", ACCEPTED),
}

report = Report("verifier-faults")


def check(judge, name, verdict, second):
    request = judge.fetched(fault=name)
    found, (status, reply) = judge.answered(request, judge.right_form(request))
    report(says(found["unfaulted"], "authentic", ACCEPTED), f"{name}: both accept the answer without it", found)
    report(says(found, verdict, second), f"{name}: polaris-oid4vp: {verdict}, openvc-core: {second}", found)
    report(status == (200 if verdict == "authentic" else 400), f"{name}: the wallet is told", reply)


def check_registered(judge):
    request = judge.fetched(registered=[["given_name"]])
    report([entry["format"] for entry in request.payload["verifier_info"]] == ["registration_cert"],
           "a request shows what the verifier is registered for", request.payload)


def main():
    with tempfile.TemporaryDirectory() as directory:
        judge = Judge(Issuer(), pathlib.Path(directory))
        try:
            for name, (verdict, second) in VERDICTS.items():
                check(judge, name, verdict, second)
            report(set(VERDICTS) == FAULTS, "each fault has its verdicts")
            report("error" in judge.ask(fault="nonsense"), "an unknown fault is an error")
            check_registered(judge)
        finally:
            if judge.process.process.poll() is None:
                judge.process.end()
    sys.exit(report.failed)


if __name__ == "__main__":
    main()
