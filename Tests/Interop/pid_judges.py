#!/usr/bin/env python3
"""Has polaris-oid4vp, openvc-core and sd-jwt judge PIDs, who know the issuer's anchor alone.

    pid_judges.py REQUESTS [PRESENTED ISSUED]

REQUESTS is what pid_requests.py wrote. PRESENTED is an array of answers: `name`, `audience`, `nonce` and `paths` of
the request, `presentation`, `presented_at` and `now` (seconds since 1970), `presented_claims` without those of the
card itself (FORM below), `anchors` (PEM), `type`, and `status_lists`, a token for each URI; at least one answer has
`status_lists_revoked` too, those after the PID was revoked. ISSUED is an array of batches: `anchors`, `type`,
`copies`, `claims`, and `now`. Without these two an issuer of the tests makes some.

Each presentation has to be accepted by all three; spoilt in any way of pid_spoilt.py, it has to be refused by both
that judge everything. The copies of a batch, and the presentations of one card, must have nothing in common.
Prints a line per check, in the form that Tests/ABI/run.sh counts.
"""

import json
import pathlib
import sys
import time

from pid_copies import in_common, order_of_names
from pid_copies_alike import ALIKE, pair
from pid_issuer import HIDDEN, VISIBLE, Authority, Issuer, digest, shown
from pid_spoilt import LENIENT, forged, tampered
from pid_verifiers import JUDGES, openvc_reads_issued, refusal, sd_jwt_reads_issued
from report import Report

STRICT = ("polaris-oid4vp", "openvc-core")
FORM = ("iss", "vct", "vct#integrity", "iat", "nbf", "exp", "cnf", "status")
WAYS = 20

report = Report("PIDs")


def same_json(first, second):
    """Equal as JSON: for Python, 1 and True are equal."""
    return json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True)


def without_form(claims):
    return {name: value for name, value in claims.items() if name not in FORM}


# --- PIDs of the tests' own issuer ------------------------------------------------------------------------

def made_here(requests):
    issuer = Issuer(type=requests[0]["request"]["type"])
    # While an authority's key is replaced, both certificates are published, of one name.
    ours = {"anchors": [Authority().pem, issuer.authority.pem], "type": issuer.type, "now": issuer.now}

    def answer(request):
        draft = issuer.draft().showing(request["paths"], request["audience"], request["nonce"])
        lists = {issuer.list: draft.status_list()}
        draft.statuses[draft.index] = 1
        return {name: request[name] for name in ("name", "audience", "nonce", "paths")} | ours | {
            "presented_at": issuer.now, "presentation": draft.presentation(),
            "presented_claims": shown(request["paths"]), "status_lists": lists,
            "status_lists_revoked": {issuer.list: draft.status_list()}}

    copies = [issuer.draft().card() for _ in range(10)]
    return [answer(request) for request in requests], [ours | {"copies": copies, "claims": VISIBLE | HIDDEN}]


# --- presentations ----------------------------------------------------------------------------------------

def check_accepted(item):
    for judge, reads in JUDGES.items():
        try:
            claims = without_form(reads(item))
            report(same_json(claims, item["presented_claims"]), f"{item['name']}: {judge} accepts the presentation",
                   f"wanted {item['presented_claims']}\nfound {claims}")
        except Exception as error:  # whatever it is, the presentation was not accepted
            report(False, f"{item['name']}: {judge} accepts the presentation", f"{type(error).__name__}: {error}")


def check_refused(subject, name, code, item):
    """Both refuse it, polaris-oid4vp for that reason: a refusal for another one may be an accident. Returns whether
    both do; a package that cannot tell has its reason in LENIENT."""
    lenient = LENIENT.get(name, {})
    found = {judge: refusal(judge, item) for judge in STRICT}
    for judge, reason in found.items():
        if judge in lenient:
            report(reason is None, f"{subject}: {name}: {judge} lets it pass: {lenient[judge]}", reason)
        elif judge == "polaris-oid4vp":
            is_known = reason is not None and reason.startswith(f"Refused: {code}: ")
            report(is_known, f"{subject}: {name}: {judge} refuses it", f"wanted {code}\nfound {reason}")
        else:
            report(reason is not None, f"{subject}: {name}: {judge} refuses it")
    return all(found.values())


def check_presentations(items):
    ways = set()
    for number, item in enumerate(items):
        check_accepted(item)
        for name, code, spoilt in tampered(item, items[number - 1]):
            if check_refused(item["name"], name, code, spoilt):
                ways.add(name)
    shared = list(in_common([item["presentation"] for item in items]))
    report(not shared, f"{len(items)} presentations to different verifiers have nothing in common", "\n".join(shared))
    return ways


def check_forged(request):
    ways, names = set(), []
    for name, code, item in forged(Issuer(type=request["request"]["type"]), request):
        if name is None:
            found = {judge: refusal(judge, item) for judge in JUDGES}
            report(not any(found.values()), "forged: all three accept it before it is spoilt", found)
            continue
        names.append(name)
        if check_refused("forged", name, code, item):
            ways.add(name)
    report(len(set(names)) == len(names), "forged: each way has a name of its own")
    report(set(LENIENT) <= set(names), "forged: each explanation belongs to one", set(LENIENT) - set(names))
    return ways


# --- batches ----------------------------------------------------------------------------------------------

def check_batch(batch):
    batch = {"now": time.time()} | batch
    copies = batch["copies"]
    for judge, reads in (("openvc-core", openvc_reads_issued), ("sd-jwt", sd_jwt_reads_issued)):
        wrong = []
        for copy in copies:
            try:
                claims = without_form(reads(copy, batch))
                if not same_json(claims, batch["claims"]):
                    wrong.append(f"wanted {batch['claims']}\nfound {claims}")
            except Exception as error:  # whatever it is, the copy was not accepted
                wrong.append(f"{type(error).__name__}: {error}")
        report(copies and not wrong, f"{judge} accepts {len(copies)} copies", "\n".join(wrong))
    shared = list(in_common(copies))
    report(len(copies) > 1 and not shared, f"{len(copies)} copies have nothing in common", "\n".join(shared))
    orders = {order_of_names(copy, digest) for copy in copies}
    report(len(orders) > 1, "the order of the digests does not tell which claim is which", orders)


def main():
    requests, *files = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:])
    presented, issued = files or made_here(requests)
    by_nonce = {request["nonce"]: request for request in requests}
    items = [{"now": answer["presented_at"]} | answer | {"request": by_nonce[answer["nonce"]]["request"]}
             for answer in presented if answer["nonce"] in by_nonce]
    report({item["nonce"] for item in items} == set(by_nonce), f"all {len(requests)} requests are answered")
    report(all(item["type"] == item["request"]["type"] for item in items), "with the type that was asked for")
    several = next(request for request in requests if request["name"] == "several claims")
    ways = check_presentations(items) | check_forged(several)
    report(len(ways) >= WAYS, f"{len(ways)} ways to spoil a presentation are refused by both packages")
    report("after it was revoked" in ways, "a PID that was revoked after it was presented is among them")
    report(issued, "there are batches")
    for batch in issued:
        check_batch(batch)
    report(not list(in_common(pair(lambda first, second: None))), "copies that share nothing are let pass")
    for name, change in ALIKE.items():
        report(any(in_common(pair(change))), f"copies that share {name} are found")
    sys.exit(report.failed)


if __name__ == "__main__":
    main()
