#!/usr/bin/python3
"""A relying party by OpenID4VP 1.0 in the HAIP profile, over TLS on loopback: well-behaved, and hostile on demand.

    relying_party.py DIRECTORY [--port N] [--host NAME]

Its certificates are in DIRECTORY, made on the first start. Reads and prints JSON, a line each, until its input ends;
README.md in relying_party says which.
"""

import argparse
import contextlib
import json
import os
import pathlib
import socketserver
import ssl
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "relying_party")]
from party_answers import judged  # noqa: E402
from party_certificates import Certificates  # noqa: E402
from party_jose import Malformed  # noqa: E402
from party_requests import Request, problem_of_fetch  # noqa: E402

OBJECT, JSON = "application/oauth-authz-req+jwt", "application/json"
LONGEST_BODY = 8 << 20
BYTE_EVERY = 1.0  # seconds, in an object that comes slowly

printing, counting = threading.Lock(), threading.Lock()


def say(line):
    """Prints a line at once and whole, whatever other threads print."""
    data = (json.dumps(line) + "\n").encode()
    with printing:
        while data:
            data = data[os.write(1, data):]


class Party:
    """The requests so far."""

    def __init__(self, certificates):
        self.certificates, self.base = certificates, None
        self.requests, self.last = {}, None
        self.ending, self.released = threading.Event(), threading.Event()
        self.certificates_of_listener, self.listener = certificates.listener(), None

    def listen(self, port):
        """Accepts connections, at a free port if it is 0."""
        self.listener = Listener(port, *self.certificates_of_listener)
        self.listener.party = self
        self.base = f"https://{self.certificates.host}:{self.port}"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    @property
    def port(self):
        return self.listener.server_address[1]

    def close(self):
        """Refuses connections from now on."""
        self.listener.shutdown()
        self.listener.server_close()

    def ask(self, options):
        request = Request(self.certificates, self.base, options, self.last)
        self.requests[request.id] = self.last = request
        return {"link": request.link, "id": request.id, "client_id": request.client_id, "nonce": request.nonce,
                "state": request.state}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.serve(b"")

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        self.serve(self.rfile.read(min(length, LONGEST_BODY)))

    def serve(self, body):
        kind, _, name = self.path.strip("/").partition("/")
        request = self.server.party.requests.get(name)
        pairs = parse_qsl(body.decode(errors="replace"), keep_blank_values=True)
        headers = {name.lower(): value for name, value in self.headers.items()}
        if request and kind == "request":
            self.fetch(request, headers, dict(pairs))
        elif request and kind == "response" and self.command == "POST":
            self.take(request, headers, pairs)
        else:  # nobody is sent here, but by a redirect or a mistake
            say({"visited": self.path, "method": self.command})
            self.reply(404)

    # --- the object --------------------------------------------------------------------------------------

    def fetch(self, request, headers, form):
        with counting:
            request.fetches += 1
            fetches = request.fetches
        say({"fetched": request.id, "method": self.command, "headers": headers, "form": form, "fetches": fetches,
             "problem": problem_of_fetch(request, self.command, headers, form)})
        fault = request.fault
        if fault == "silent":
            self.hang(request)
        elif fault == "redirect-request":
            self.redirect(request)
        elif fault == "not-found" or fault == "gone-after-fetch" and fetches > 1:
            self.reply(404)
        elif fault == "server-error":
            self.reply(500)
        else:
            try:
                text = request.served(form).encode()
            except Malformed as error:
                self.reply(400, "text/plain", str(error).encode())
                return
            self.reply(200, "text/plain" if fault == "text-plain" else OBJECT, text, is_slow=fault == "slow-object")

    # --- the answer --------------------------------------------------------------------------------------

    def take(self, request, headers, pairs):
        with counting:
            request.posts += 1
            posts = request.posts
        found = judged(request, pairs)
        if not found["problem"] and headers.get("content-type") != "application/x-www-form-urlencoded":
            found["problem"] = "the answer is of another media type"
        page = request.redirect
        is_taken = not found["problem"] and request.fault != "refuse-answer"
        say({"answered": request.id, "posts": posts, **found, "headers": headers,
             "redirect": page if is_taken else None})
        if request.fault == "held-response":
            self.server.party.released.wait()
        if request.fault == "silent-response":
            self.hang(request)
        elif request.fault == "redirect-response":
            self.redirect(request)
        elif request.fault == "close-response":
            self.close_connection = True
        elif request.fault in ("text-answer", "empty-answer"):
            is_empty = request.fault == "empty-answer"
            self.reply(200, None if is_empty else "text/html", b"" if is_empty else b"<p>Thank you")
        elif is_taken:
            self.reply(200, JSON, json.dumps({} if page is None else {"redirect_uri": page}).encode())
        else:
            self.reply(400, JSON, b'{"error":"invalid_request"}')

    # --- what is sent ------------------------------------------------------------------------------------

    def redirect(self, request):
        self.reply(302, headers={"Location": f"{self.server.party.base}/moved/{request.id}"})

    def reply(self, status, type=None, body=b"", headers=(), is_slow=False):
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        if type:
            self.send_header("Content-Type", type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        if not is_slow:
            self.wfile.write(body)
            return
        for byte in body:
            self.wfile.write(bytes([byte]))
            if self.server.party.ending.wait(BYTE_EVERY):
                return

    def hang(self, request):
        """Says nothing until the wallet gives up."""
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.rfile.read(1)
        say({"closed": request.id})

    def log_message(self, *_):
        pass


class Listener(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port, certificate, key):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        self.party = None
        super().__init__(("127.0.0.1", port), Handler)

    def server_bind(self):
        # HTTPServer would ask a resolver for the name of this machine.
        socketserver.TCPServer.server_bind(self)

    def finish_request(self, request, client_address):
        with self.context.wrap_socket(request, server_side=True) as connection:
            super().finish_request(connection, client_address)

    def handle_error(self, *_):
        if not isinstance(sys.exc_info()[1], OSError):  # that is a wallet that hangs up
            super().handle_error(*_)


def answer(party, line):
    """What is printed for a line of the input; None at the end."""
    try:
        command = json.loads(line)
        if command.get("stop"):
            return None
        if command.get("release"):
            party.released.set()
            return {"released": True}
        if "listen" in command:
            party.close()
            if command["listen"]:
                party.listen(party.port)
            return {"listens": command["listen"]}
        return party.ask(command["request"] or {})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return {"error": f"{type(error).__name__}: {error}"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--host", default="shop.localhost")
    words = parser.parse_args()
    certificates = Certificates(words.directory, words.host)
    party = Party(certificates)
    party.listen(words.port)
    say({"ready": True, "port": party.port, "anchors": str(certificates.anchors)})
    for line in sys.stdin:
        reply = answer(party, line)
        if reply is None:
            break
        say(reply)
    party.ending.set()
    party.released.set()
    party.listener.server_close()


if __name__ == "__main__":
    main()
