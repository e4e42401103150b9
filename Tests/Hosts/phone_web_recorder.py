#!/usr/bin/env python3
"""Tests the recorder between core and provider with messages of others: it passes on what it cannot read, and does not
trust a key that a message only claims.

    PYTHONPATH=Sources/Bindings/python:Examples/python:Tests/Hosts python3 -P phone_web_recorder.py

-P, because phone_web.py beside this file has the package's name. Prints a line per check.
"""

import http.client
import json
import pathlib
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.hazmat.primitives.asymmetric import ec, x25519
from phone_web.proxy import Proxy
from phone_web.wire import Wire
from phone_web_keys import Key, as_der, base64url, known_keys, told

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Support"))
from patience import PATIENCE, eventually  # noqa: E402

INSTRUCTION = {"alg": "ES256", "typ": "wallet-instruction+jwt"}
PHONE, STRANGER = Key(is_hardware=True), Key(is_hardware=True)


class EchoProvider(BaseHTTPRequestHandler):
    """Replaces the provider: keeps every body and answers with it."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.reached.append(body)
        self.send_response(200)
        self.send_header("Content-Type", self.headers["Content-Type"])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Connection:
    """A recorder with a provider behind it."""

    def __init__(self):
        self.behind = ThreadingHTTPServer(("127.0.0.1", 0), EchoProvider)
        self.behind.reached = []
        threading.Thread(target=self.behind.serve_forever, daemon=True).start()
        self.lines = []
        self.proxy = Proxy(f"http://127.0.0.1:{self.behind.server_address[1]}", self.lines.append)
        self.proxy.reader = Wire(known_keys())
        self.proxy.start()

    def post(self, body, **headers):
        """Sends a body. Returns the status, or None without an answer, and whether the body reached the provider."""
        connection = http.client.HTTPConnection("127.0.0.1", self.proxy.server_address[1], timeout=PATIENCE)
        before = len(self.behind.reached)
        try:
            connection.request("POST", "/v2/instructions", body, {"Content-Type": "application/json"} | headers)
            answer = connection.getresponse()
            status = answer.status
            answer.read()
        except (OSError, http.client.HTTPException):
            status = None
        finally:
            connection.close()
        return status, self.behind.reached[before:] == [body]

    def send(self, signed):
        """Sends an instruction. Returns what the recorder says of its signature, or None if it did not reach the
        provider."""
        if self.post(json.dumps({"signature": signed}).encode()) != (200, True):
            return None
        return next(line["request"] for line in reversed(self.lines) if "request" in line)["signature"]["check"]

    def answers(self, wanted):
        """Waits for `wanted` answers on the page, which come soon after they were passed on. Returns their number."""
        def found():
            return sum("status" in line for line in self.lines)

        eventually(lambda: found() >= wanted)
        return found()

    def close(self):
        self.proxy.shutdown()
        self.behind.shutdown()


def is_json(lines):
    try:
        return bool(json.dumps(lines, allow_nan=False))
    except ValueError:
        return False


def registration(signer, hardware_key):
    return signer.sign(INSTRUCTION, {"instruction": "register", "hardware_key": hardware_key})


def check_senders(recorder):
    refused = {
        "a foreign name": recorder.post(b"{}", Host="evil.example"),
        "another port": recorder.post(b"{}", Host="127.0.0.1:1"),
        "a web page": recorder.post(b"{}", Origin="http://evil.example"),
        "a web page on loopback": recorder.post(b"{}", Origin=recorder.proxy.url),
        "a page in a frame": recorder.post(b"{}", Origin="null"),
    }
    told("the recorder refuses messages of web pages and for other hosts",
         all(status in (403, 421) and not reached for status, reached in refused.values()), refused)
    told("the recorder passes on messages for its own host", recorder.post(b"{}") == (200, True))


def check_planted_keys(recorder):
    order = {"instruction": "check_pin"}
    keys = {
        "a key for key agreement": as_der(x25519.X25519PrivateKey.generate()),
        "a key of another curve": as_der(ec.generate_private_key(ec.SECP384R1())),
        "a key that did not sign its registration": as_der(Key(is_hardware=True).key),
        "no key": base64url(b"no key"),
        "no text": 7,
    }
    planted = {name: recorder.send(registration(STRANGER, key)) for name, key in keys.items()}
    told("a registration is not verified by a key that it only claims",
         set(planted.values()) == {"elsewhere"}, planted)
    kept = recorder.send(STRANGER.sign(INSTRUCTION, order))
    told("such a key is not kept, and later messages still pass", kept == "elsewhere", kept)
    honest = (recorder.send(registration(PHONE, as_der(PHONE.key))), recorder.send(PHONE.sign(INSTRUCTION, order)))
    told("a phone that registers is known, whatever keys came before", honest == ("verified", "verified"), honest)


def check_unreadable(recorder):
    strange = {
        "nested without end": b'{"signature": ' + b"[" * 200_000,
        "a header of lists": json.dumps({"signature": STRANGER.sign({"typ": ["x"], "kid": []}, {})}).encode(),
        "a key of lists": json.dumps({"result": STRANGER.sign(
            {"typ": "wallet-instruction-result+jwt", "kid": []}, {})}).encode(),
        "an outcome of another type": json.dumps({"result": STRANGER.sign(
            {"typ": "x"}, {"outcome": {"kind": "blocked", "blocked_for_ms": "soon"}})}).encode(),
        "no number": b'{"status": NaN}',
        "no text": b"\xff\xfe",
        "nothing in it": b"null",
    }
    found = {name: recorder.post(body) for name, body in strange.items()}
    told("a message that cannot be read is passed on", set(found.values()) == {(200, True)}, found)
    wanted, found = len(recorder.behind.reached), recorder.answers(len(recorder.behind.reached))
    told("every answer is shown", found == wanted, (found, wanted))
    told("every line is JSON", is_json(recorder.lines), recorder.lines)


def main():
    recorder = Connection()
    try:
        check_senders(recorder)
        check_planted_keys(recorder)
        check_unreadable(recorder)
    finally:
        recorder.close()


main()
