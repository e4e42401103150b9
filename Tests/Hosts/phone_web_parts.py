#!/usr/bin/env python3
"""Tests parts of the phone in the browser: what it shows of messages, and what it keeps for its page.

    PYTHONPATH=Sources/Bindings/python:Examples/python:Tests/Hosts python3 -P phone_web_parts.py ARTICLES

ARTICLES is the directory with flow-*.md; -P, because phone_web.py beside this file has the package's name. Prints
a line per check.
"""

import io
import json
import pathlib
import sys

from phone_web import flows, wire
from phone_web.feed import LENGTH, Feed
from phone_web.web import fill
from phone_web.wire import Wire, event
from phone_web_keys import PROVIDER, Key, as_der, base64url, known_keys, told

STRANGER, HOLDER = Key(), Key(is_hardware=True)


# --- the wire ------------------------------------------------------------------------------------------

def result(key, **members):
    return key.sign({"alg": "EdDSA", "typ": "wallet-instruction-result+jwt", "kid": "a"}, members)


def check_wire():
    reader = Wire(known_keys())

    def seen(text):
        return reader.body(json.dumps({"result": text}).encode(), "application/json")["result"]

    shown = seen(result(PROVIDER, outcome={"kind": "registered", "share": "S" * 64, "new": ["N" * 9]}, sequence=3))
    claims = shown["jws"]["claims"]
    told("only the length of a member that is not named is shown",
         claims["outcome"] == {"kind": "registered", "share": {"hidden": 64}, "new": {"hidden": 13}}, claims)
    told("a signature of the provider is verified", shown["check"] == "verified", shown)
    told("a signature with another key is detected", seen(result(STRANGER, sequence=3))["check"] == "failed")
    changed = result(PROVIDER, sequence=3).split(".")
    changed[1] = base64url(b'{"sequence":4}')
    told("a changed message is detected", seen(".".join(changed))["check"] == "failed")
    header = {"alg": "ES256", "typ": "wallet-instruction+jwt"}
    before = seen(HOLDER.sign(header, {"instruction": "check_pin"}))["check"]
    at = seen(HOLDER.sign(header, {"instruction": "register", "hardware_key": as_der(HOLDER.key)}))["check"]
    after = seen(HOLDER.sign(header, {"instruction": "check_pin"}))["check"]
    told("a hardware key is known from its registration on",
         (before, at, after) == ("elsewhere", "verified", "verified"), (before, at, after))
    told("an invalid JWS is hidden", seen("x.y") == {"hidden": 3} and seen("a.b.c") == {"hidden": 5})
    told("a body that is not JSON is hidden", reader.body(b"\xff\x00", "application/json") == {"hidden": 3})


def check_identifiers():
    cut = {"wallet_core.signing.0123456789abcdef": "wallet_core.signing…", "": "", "0123456789abcdef": "…"}
    found = {identifier: wire.kind_of_key(identifier) for identifier in cut}
    told("only the purpose of a key's identifier is shown", found == cut, found)


def check_events():
    step = event({
        "kind": "step", "row": "5c", "message": "for i...@rowan.example",
        "actions": [{"name": "exit", "label": "Exit"}],
        "arguments": {"account_label": "i...@rowan.example", "attempts_left": 2}})
    told("a step does not show the account", step == {
        "kind": "step", "row": "5c", "message": {"hidden": 22}, "actions": ["exit"],
        "arguments": {"account_label": {"hidden": 18}, "attempts_left": 2}}, step)
    cards = event({"kind": "completion", "cards": [{"claims": {"family_name": "ROWAN"}}], "presentations": ["ey"]})
    told("cards and presentations are hidden", set(cards) == {"kind", "cards", "presentations"}
         and all("hidden" in cards[name] for name in ("cards", "presentations")), cards)


# --- the flow and the feed -----------------------------------------------------------------------------

def check_flows(articles):
    found = flows.read(pathlib.Path(articles))
    rows = {(name, row["row"]) for name, flow in found.items() for row in flow["rows"]}
    lost = [
        (name, row["row"], case) for name, flow in found.items() for row in flow["rows"] for case in row["cases"]
        if ("to_row" in case and (name, case["to_row"]) not in rows) or not (case.get("to_row") or case.get("to"))]
    told("every case of every use case has a destination", len(found) >= 18 and len(rows) >= 100 and not lost, lost)


def check_feed():
    feed = Feed()
    for number in range(LENGTH + 10):
        feed.publish_wire(number)
        feed.publish_state("phone", {"number": number})
    entries = feed.wait(0, 0)
    states = [value for _, name, value in entries if name == "phone"]
    told("the feed keeps the latest lines and the latest state",
         len(entries) == LENGTH + 1 and states == [{"number": LENGTH + 9}], len(entries))
    told("the feed gives nothing twice", feed.wait(entries[-1][0], 0) == [])


# --- the server of the page ----------------------------------------------------------------------------

def check_bodies():
    whole, cut_off = bytearray(6), bytearray(6)
    told("a whole body is read", fill(whole, io.BytesIO(b"471108")) and whole == b"471108")
    told("a body that is cut off is overwritten", not fill(cut_off, io.BytesIO(b"4711")) and cut_off == bytes(6))


check_wire()
check_identifiers()
check_events()
check_flows(sys.argv[1])
check_feed()
check_bodies()
