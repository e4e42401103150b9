# SPDX-License-Identifier: Apache-2.0
"""The server of the page: on loopback, and only for the page that the printed URL opened.

Other pages of the same browser can reach loopback too. So every request must name this server as its host,
every command must come from this page (Origin), and every request but the first needs the cookie that the URL
with its token has set. A browser sends cookies to every port of a host, so another server on loopback may get
this cookie: commands and the feed also need the token, which the page keeps where only its own origin can read."""

from __future__ import annotations

import hmac
import io
import json
import re
import secrets
import subprocess
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .feed import Feed

PAGE = Path(__file__).with_name("page")
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml",
         ".png": "image/png"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
FILE_NAME = re.compile(r"[a-z0-9-]+\.[a-z]+")
LONGEST_BODY = 8 << 20  # a picture
HEARTBEAT = 10  # seconds between lines that let the server notice that the page was closed

Orders = dict[str, Callable[[dict[str, str], bytearray], dict[str, Any]]]


def is_same(given: str, secret: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), secret.encode())


def overwrite(body: bytearray) -> None:
    for index in range(len(body) if len(body) < 4096 else 0):  # a PIN, not a picture
        body[index] = 0


def fill(body: bytearray, file: io.RawIOBase) -> bool:
    """Fills the body from the file. Returns whether there was enough; if not, overwrites what came."""
    filled = 0
    try:
        with memoryview(body) as view:
            while filled < len(body) and (count := file.readinto(view[filled:])):
                filled += count
    finally:
        if filled < len(body):
            overwrite(body)
    return filled == len(body)


class Server(ThreadingHTTPServer):
    """Serves the page. `orders` are its commands by name: functions of the URL's parameters and the raw body."""

    daemon_threads = True

    def __init__(self, port: int, feed: Feed, flows: dict[str, Any], pictures: Path, orders: Orders):
        super().__init__(("127.0.0.1", port), Handler)
        self.feed, self.orders, self.pictures = feed, orders, pictures
        self.flows = json.dumps(flows).encode()
        self.token, self.pass_for_files = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        self.hosts = {f"{name}:{self.server_address[1]}" for name in ("127.0.0.1", "localhost")}
        self.cookie = f"phone_web_{self.server_address[1]}"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/?token={self.token}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    rbufsize = 0  # unbuffered, so that no copy of a PIN stays in a buffer
    server: Server

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        if self.headers.get("Host") not in self.server.hosts:
            self._refuse(421, "this server has another name")
        elif token := parse_qs(address.query).get("token"):
            self._let_in(token[0])
        elif not self._has_cookie():
            self._refuse(403, "open the URL that `make phone-web` prints")
        elif address.path == "/feed":
            self._feed(parse_qs(address.query).get("key", [""])[0])
        elif address.path == "/flows.json":
            self._answer(200, "application/json", self.server.flows)
        elif address.path.startswith("/pictures/"):
            self._file(self.server.pictures, address.path.removeprefix("/pictures/"))
        else:
            self._file(PAGE, address.path.lstrip("/") or "index.html")

    def do_POST(self) -> None:
        address = urlsplit(self.path)
        origin = urlsplit(self.headers.get("Origin", ""))
        if self.headers.get("Host") not in self.server.hosts:
            self._refuse(421, "this server has another name")
        elif origin.scheme != "http" or origin.netloc != self.headers["Host"] or not self._has_cookie():
            self._refuse(403, "this order does not come from the page")
        elif not is_same(self.headers.get("Phone-Web-Key", ""), self.server.token):
            self._refuse(403, "open the URL that `make phone-web` prints in this tab")
        elif (order := self.server.orders.get(address.path.removeprefix("/do/"))) is None:
            self._refuse(404, "no such order")
        elif (body := self._body()) is not None:
            self._carry_out(order, parse_qs(address.query, keep_blank_values=True), body)

    def _carry_out(self, order: Callable[..., dict[str, Any]], words: dict[str, list[str]], body: bytearray) -> None:
        try:
            answer = order({name: values[0] for name, values in words.items()}, body)
        except KeyError as missing:
            answer = {"status": "FAILED", "message": f"the order lacks {missing}"}
        except (ValueError, OSError, subprocess.SubprocessError) as problem:
            answer = {"status": "FAILED", "message": str(problem)}
        finally:
            overwrite(body)
        self._answer(200, "application/json", json.dumps(answer).encode())

    def _body(self) -> bytearray | None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LONGEST_BODY:
            self._refuse(413, "too long, or of no length")
            return None
        body = bytearray(int(length))
        if fill(body, self.rfile):
            return body
        self.close_connection = True
        return None

    # --- access ----------------------------------------------------------------------------------

    def _let_in(self, token: str) -> None:
        """Answers the first visit: sets a cookie that no script can read, and passes the token to the page after the
        #, which no request carries. The page removes it from the address bar."""
        if not is_same(token, self.server.token):
            self._refuse(403, "this URL is from an earlier start")
            return
        self.send_response(303)
        self.send_header("Location", f"/#{token}")
        self.send_header(
            "Set-Cookie", f"{self.server.cookie}={self.server.pass_for_files}; HttpOnly; SameSite=Strict; Path=/")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _has_cookie(self) -> bool:
        try:
            cookie = SimpleCookie(self.headers.get("Cookie", "")).get(self.server.cookie)
        except CookieError:
            return False
        return cookie is not None and is_same(cookie.value, self.server.pass_for_files)

    # --- answers ---------------------------------------------------------------------------------

    def _feed(self, key: str) -> None:
        """Answers with the feed. The key is in the URL, because an EventSource cannot send its own headers."""
        if is_same(key, self.server.token):
            self._stream()
        else:
            self._refuse(403, "open the URL that `make phone-web` prints in this tab")

    def _stream(self) -> None:
        """Sends the feed as server-sent events: all entries, or those after the last that the page has seen."""
        self.send_response(200)
        self._common_headers("text/event-stream")
        self.end_headers()
        self.close_connection = True
        seen = self.headers.get("Last-Event-ID", "0")
        number = int(seen) if seen.isdecimal() else 0
        try:
            while (entries := self.server.feed.wait(number, HEARTBEAT)) is not None:
                text = "".join(f"id: {id}\nevent: {name}\ndata: {json.dumps(value)}\n\n" for id, name, value in entries)
                self.wfile.write((text or ":\n\n").encode())
                number = entries[-1][0] if entries else number
        except OSError:
            pass  # the page was closed

    def _file(self, directory: Path, name: str) -> None:
        path = directory / name
        if not FILE_NAME.fullmatch(name) or path.suffix not in TYPES or not path.is_file():
            self._refuse(404, "there is no such file")
            return
        self._answer(200, TYPES[path.suffix], path.read_bytes())

    def _answer(self, status: int, content_type: str, body: bytes) -> None:
        self.send_response(status)
        self._common_headers(content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _refuse(self, status: int, why: str) -> None:
        self.close_connection = True  # the body, if any, stays unread
        self._answer(status, "text/plain", (why + "\n").encode())

    def _common_headers(self, content_type: str) -> None:
        charset = "; charset=utf-8" if content_type.startswith("text/") else ""
        self.send_header("Content-Type", content_type + charset)
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")

    def log_message(self, *_: Any) -> None:
        pass  # the page is the log, and the first URL has the token in it
