# SPDX-License-Identifier: Apache-2.0
"""A proxy between the core and the provider that shows what passes and changes none of it.

Any program on this machine can send to its port. So it refuses web pages, and passes on unread what it cannot read:
the provider decides what to do with a message."""

from __future__ import annotations

import http.client
import itertools
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from . import wire

LONGEST = 1 << 20  # bytes; more than the provider takes
# Headers of one connection, which are not passed on.
OF_CONNECTION = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "host", "content-length"}


class Proxy(ThreadingHTTPServer):
    """Listens on a free loopback port. `show` gets a line for each request, and the line again with its answer."""

    daemon_threads = True

    def __init__(self, provider_url: str, show: Callable[[dict[str, Any]], None]):
        super().__init__(("127.0.0.1", 0), _Exchange)
        self.provider = urlsplit(provider_url).netloc
        self.show = show
        self.reader: wire.Wire | None = None  # set once the keys are known
        self.numbers = itertools.count(1)

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    def start(self) -> None:
        threading.Thread(target=self.serve_forever, daemon=True).start()


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Proxy

    def do_GET(self) -> None:
        self._pass_on()

    def do_POST(self) -> None:
        self._pass_on()

    def log_message(self, *_: Any) -> None:
        pass  # the page is the log

    def _pass_on(self) -> None:
        length = self.headers.get("Content-Length", "0")
        if not length.isdecimal() or int(length) > LONGEST:
            self._refuse(413, "too long, or of no length")
            return
        body = self.rfile.read(int(length))
        if self.headers.get("Host") != self.server.host:
            self._refuse(421, "this recorder has another name")
            return
        if "Origin" in self.headers:  # a web page sends it with every POST; the core never does
            self._refuse(403, "this recorder is not for web pages")
            return
        line = self._asked(body)
        self.server.show(line)
        began = time.monotonic()
        try:
            status, headers, answer = self._ask(body)
        except (OSError, http.client.HTTPException) as problem:
            self.close_connection = True  # the core gets no answer either
            self.server.show({**line, "outcome": f"no answer: {type(problem).__name__}"})
            return
        self._answer(status, headers, answer)
        took = round((time.monotonic() - began) * 1000)
        self.server.show({**line, **self._answered(status, headers, answer), "took_ms": took})

    def _refuse(self, status: int, why: str) -> None:
        self.close_connection = True
        self.send_error(status, why)

    def _ask(self, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        connection = http.client.HTTPConnection(self.server.provider, timeout=60)
        try:
            headers = {name: value for name, value in self.headers.items() if name.lower() not in OF_CONNECTION}
            connection.request(self.command, self.path, body or None, headers)
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        finally:
            connection.close()

    def _answer(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in OF_CONNECTION:
                self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _asked(self, body: bytes) -> dict[str, Any]:
        return {
            "key": f"exchange-{next(self.server.numbers)}", "kind": "request", "method": self.command,
            "path": urlsplit(self.path).path, "bytes": len(body), "request": self._seen(body, self.headers)}

    def _answered(self, status: int, headers: list[tuple[str, str]], body: bytes) -> dict[str, Any]:
        seen = self._seen(body, {name.title(): value for name, value in headers})
        return {
            "status": status, "answer_bytes": len(body), "answer": seen, "outcome": wire.outcome(seen),
            "is_verified": wire.is_signed_by_a_known_key(seen)}

    def _seen(self, body: bytes, headers: Any) -> Any:
        try:
            return self.server.reader.body(body, headers.get("Content-Type", "")) if self.server.reader else None
        except Exception:  # of any kind: a malformed message must be passed on too
            return wire.hidden(body.decode("latin-1"))
