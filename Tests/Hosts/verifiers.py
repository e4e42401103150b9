#!/usr/bin/env python3
"""Has the verifiers of the C host and of the phone in the browser judge PIDs, good ones and spoilt ones.

    PYTHONPATH=Examples/python:Tests/Hosts:Tests/Interop:Tests/Support python3 -P verifiers.py VERIFY

VERIFY is the program that Examples/C/compile-verifier.sh compiles. The PIDs and their status lists are those of the
tests' own issuer. Prints a line per check.
"""

import json
import pathlib
import secrets
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from patience import PROGRAM_PATIENCE
from phone_web.chains import Anchors
from phone_web.verifier import Refused, Verifier
from pid_issuer import TYPE, Authority, Issuer, digest, encoded, shown
from pid_spoilt import forged, tampered

from report import told

SHAPES = {
    "nothing": [], "one claim": [["birthdate"]], "a claim in an object": [["age_equal_or_over", "18"]],
    "several claims": [["family_name"], ["given_name"], ["age_equal_or_over", "65"], ["age_equal_or_over", "16"]],
}
# A verifier in an example takes the claims that it gets: it has no list of those that it asked for.
TAKEN = {"a claim of those asked for is missing", "a claim more than those asked for"}
REFUSED = "verify: refused: "


class Lists(BaseHTTPRequestHandler):
    """Serves the status lists of the server's `lists`, by address."""

    def do_GET(self):
        token = self.server.lists.get(f"http://127.0.0.1:{self.server.server_port}{self.path}")
        self.send_response(200 if token else 404)
        self.send_header("Content-Type", "application/statuslist+jwt")
        self.end_headers()
        self.wfile.write((token or "").encode())

    def log_message(self, *_):
        pass


class Judges:
    """The verifiers, each a function that returns claims, or None and the reason."""

    def __init__(self, program, server, directory):
        self.program, self.server, self.directory = program, server, pathlib.Path(directory)
        self.all = {"C": self.in_c, "Python": self.in_python}

    def in_c(self, item):
        anchors = self.directory / "anchors.pem"
        anchors.write_text("".join(item["anchors"]))
        run = subprocess.run(
            [self.program, "--now", str(item["now"]), anchors, TYPE, item["audience"], item["nonce"]],
            input=item["presentation"], capture_output=True, text=True, timeout=PROGRAM_PATIENCE)
        # A sanitizer's finding ends it with 1 too.
        is_refused = run.returncode == 1 and run.stderr.startswith(REFUSED) and run.stderr.count("\n") == 1
        if run.returncode != 0 and not is_refused:
            raise RuntimeError(f"the verifier ended with {run.returncode}: {run.stderr}")
        return (json.loads(run.stdout) if run.returncode == 0 else None), run.stderr.removeprefix(REFUSED).strip()

    def in_python(self, item):
        verifier = Verifier(lambda: Anchors("".join(item["anchors"])), TYPE, item["audience"], {item["nonce"]})
        try:
            return verifier.look_at(item["presentation"], item["now"]), ""
        except Refused as refusal:
            return None, str(refusal)

    def judge(self, name, item):
        self.server.lists = item["status_lists"]
        return self.all[name](item)


def answers(issuer):
    """Presentations of each shape, as pid_spoilt.py wants them."""
    for name, paths in SHAPES.items():
        audience, nonce = "https://verifier.example", secrets.token_urlsafe(16)
        draft = issuer.draft().showing(paths, audience, nonce)
        yield {
            "name": name, "request": None, "audience": audience, "nonce": nonce, "paths": paths,
            "presentation": draft.presentation(), "anchors": [issuer.authority.pem], "now": issuer.now,
            "status_lists": {issuer.list: draft.status_list()}}


def shapes(issuer):
    """Presentations of claims that PIDs do not have, with what is seen of them, None if it is refused."""
    audience, nonce = "https://verifier.example", "nonce"

    def made(seen, payload, *disclosures):
        draft = issuer.draft().showing([], audience, nonce)
        draft.payload |= payload
        draft.shown = list(disclosures)
        return seen and shown([]) | seen, {
            "audience": audience, "nonce": nonce, "presentation": draft.presentation(),
            "anchors": [issuer.authority.pem], "now": issuer.now, "status_lists": {issuer.list: draft.status_list()}}

    street = encoded(["1", "street_address", "Rowan Street 7"])
    address = encoded(["2", "address", {"country": "NL", "_sd": [digest(street), digest("a decoy")]}])
    below = {"_sd": [digest(address)], "age_equal_or_over": {}}
    yield "a claim in a hidden one", *made({"address": {"country": "NL", "street_address": "Rowan Street 7"}}, below,
                                           address, street)
    yield "a hidden claim whose parts stay hidden", *made({"address": {"country": "NL"}}, below, address)
    yield "a claim without the one that it is in", *made(None, below, street)
    element, nested = encoded(["3", "DE"]), encoded(["4", ["FR", {"...": digest("b")}]])
    listed = {"nationalities": ["NL", {"...": digest(element)}, {"...": digest(nested)}]}
    yield "hidden elements", *made({"nationalities": ["NL", "DE", ["FR"]]}, listed, nested, element)
    yield "one hidden element", *made({"nationalities": ["NL", "DE"]}, listed, element)
    yield "no hidden element", *made({"nationalities": ["NL"]}, listed)
    yield "an element with another member", *made(
        None, {"nationalities": [{"...": digest(element), "more": 1}]}, element)
    yield "an element that stands twice", *made(None, {"nationalities": [{"...": digest(element)}] * 2}, element)
    named = encoded(["5", "name", "DE"])
    yield "a member's disclosure for an element", *made(None, {"nationalities": [{"...": digest(named)}]}, named)
    yield "a hidden part of the status", *made(None, {
        "status": {"_sd": [digest(part := encoded(["6", "status_list", {"idx": 1, "uri": issuer.list}]))]}}, part)
    deep = 1
    for _ in range(40):
        deep = [deep]
    yield "claims that lie too deep", *made(None, {"deep": deep})
    yield "another claim of the same name", *made(None, {"open": 1, "_sd": [
        digest(part := encoded(["7", "open", 2]))]}, part)


def check_shapes(judges, issuer):
    for verifier in judges.all:
        for name, seen, item in shapes(issuer):
            found, reason = judges.judge(verifier, item)
            told(f"{verifier}: {name}: {'is seen' if seen else 'is refused'}", found == seen, f"{reason}\n{found}")


def check_authorities(judges, issuer):
    """While an authority's key is replaced, both certificates are published, of one name."""
    for verifier in judges.all:
        for item in answers(issuer):
            other = Authority(now=issuer.now).pem
            for anchors in ([other, *item["anchors"]], [*item["anchors"], other]):
                found, reason = judges.judge(verifier, item | {"anchors": anchors})
                told(f"{verifier}: {item['name']} below one of two authorities is accepted", found is not None, reason)
            found, reason = judges.judge(verifier, item | {"anchors": []})
            told(f"{verifier}: {item['name']} is refused if nobody is trusted", found is None and reason, found)


def check_odd_texts(judges, issuer):
    """Presentations that are none, and one that is shown twice."""
    item = list(answers(issuer))[-1]
    text = item["presentation"]
    for verifier in judges.all:
        odd = {
            "nothing": "", "tildes": "~~~", "dots": "..~..", "half of it": text[:len(text) // 2],
            "an end cut off": text[:-20], "a tilde more": text.replace("~", "~~", 1), "padding": text + "=",
            "letters": "\u00e4" * 40}
        for name, presentation in odd.items():
            found, reason = judges.judge(verifier, item | {"presentation": presentation})
            told(f"{verifier}: {name} is refused", found is None and reason, found)
    judges.server.lists = item["status_lists"]
    verifier = Verifier(lambda: Anchors(item["anchors"][0]), TYPE, item["audience"], {item["nonce"]})
    verifier.look_at(text, item["now"])
    try:
        told("Python: a presentation that it has seen before is refused", False, verifier.look_at(text, item["now"]))
    except Refused as refusal:
        told("Python: a presentation that it has seen before is refused", True, refusal)


def check(judges, issuer):
    items = list(answers(issuer))
    for verifier in judges.all:
        for number, item in enumerate(items):
            found, reason = judges.judge(verifier, item)
            told(f"{verifier}: a presentation of {item['name']} is accepted", found == shown(item["paths"]),
                 f"{reason}\n{found}")
            accepted = [name for name, _, spoilt in tampered(item, items[number - 1])
                        if judges.judge(verifier, spoilt)[0] is not None]
            told(f"{verifier}: a presentation of {item['name']} that is spoilt without keys is refused",
                 not accepted, "\n".join(accepted))
        for name, _, spoilt in forged(issuer, items[-1]):
            found, reason = judges.judge(verifier, spoilt)
            if name is None or name in TAKEN:
                told(f"{verifier}: {name or 'what is not spoilt'} is accepted", found is not None, reason)
            else:
                told(f"{verifier}: {name} is refused", found is None and reason, found)


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Lists)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    issuer = Issuer(list=f"http://127.0.0.1:{server.server_port}/status-lists/1")
    with tempfile.TemporaryDirectory() as directory:
        judges = Judges(sys.argv[1], server, directory)
        check(judges, issuer)
        check_shapes(judges, issuer)
        check_authorities(judges, issuer)
        check_odd_texts(judges, issuer)
    server.shutdown()


if __name__ == "__main__":
    main()
