# SPDX-License-Identifier: Apache-2.0
"""A host's own HTTP stack: Python's http.client, one thread and one connection for each request."""

from __future__ import annotations

import collections
import http.client
import socket
import ssl
import threading
import time
from typing import Any
from urllib.parse import urlsplit

from http_address import is_allowed
from wallet_core import HTTPCall, Outcome, Reach


class Refused(Exception):
    """The name leads to an address that the request must not reach."""


def addresses(host: str, port: int, reach: Reach) -> list[str]:
    """What the name resolves to, as far as it may be reached. One look-up: the connection goes to an address that was
    looked at here."""
    found = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    allowed = [address for address in found if is_allowed(address, reach)]
    if not allowed:
        raise Refused
    return allowed


class WholeLines:
    """What is read of an answer. A line that ends with the connection is an error; http.client itself would take it
    for the end of the headers."""

    def __init__(self, file: Any):
        self._file = file

    def readline(self, limit: int = -1) -> bytes:
        line: bytes = self._file.readline(limit)
        if not line.endswith(b"\n") and len(line) != limit:
            raise http.client.IncompleteRead(line)
        return line

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class WholeResponse(http.client.HTTPResponse):
    def __init__(self, connection: socket.socket, debuglevel: int = 0, method: str | None = None, url: str | None = None):
        super().__init__(connection, debuglevel, method, url)
        self.fp: Any = WholeLines(self.fp)


class Exchange:
    """One request, on a thread of its own."""

    def __init__(self, call: HTTPCall):
        self.call, self.request = call, call.request
        self.deadline = time.monotonic() + self.request.timeout
        self.socket: socket.socket | None = None
        self.was_sent = False
        self.is_over = False

    def stop(self) -> None:
        """Ends the request from another thread: at its deadline, or because it was cancelled."""
        self.is_over = True
        if self.socket is not None:
            try:
                self.socket.shutdown(socket.SHUT_RDWR)
            except OSError:  # it was not connected yet, or not any more
                pass

    def run(self) -> None:
        timer = threading.Timer(self.request.timeout, self.stop)
        timer.daemon = True
        timer.start()
        try:
            self.call.answer(*self.exchange())
        except Refused:
            self.call.fail(Outcome.ADDRESS_REFUSED, False)
        except OverflowError:
            self.call.fail(Outcome.TOO_LARGE, True)
        except Exception as problem:
            self.call.fail(self.outcome(problem), self.was_sent, type(problem).__name__)
        finally:
            timer.cancel()
            if self.socket is not None:
                self.socket.close()

    def outcome(self, problem: Exception) -> Outcome:
        if self.is_over or isinstance(problem, TimeoutError):
            return Outcome.TIMED_OUT
        if isinstance(problem, socket.gaierror):
            return Outcome.NO_NETWORK
        if self.was_sent:
            return Outcome.INCOMPLETE
        return Outcome.TLS_REFUSED if isinstance(problem, ssl.SSLError) else Outcome.NOT_CONNECTED

    def left(self) -> float:
        """The seconds until the request must have ended."""
        seconds = self.deadline - time.monotonic()
        if self.is_over or seconds <= 0:
            raise TimeoutError
        return seconds

    def connect(self, host: str, port: int, is_tls: bool) -> str:
        """Connects to the first address that answers, and returns it. All of it takes no longer than a connection may."""
        end = time.monotonic() + min(self.request.connect_timeout, self.left())
        problem: OSError = OSError("there is no address")
        for address in addresses(host, port, self.request.reach):
            try:
                seconds = min(end - time.monotonic(), self.left())
                if seconds <= 0:
                    raise TimeoutError
                connected = socket.create_connection((address, port), seconds)
                break
            except OSError as error:
                problem = error
                if isinstance(error, TimeoutError):
                    raise
        else:
            raise problem
        if is_tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            if self.request.authorities is not None:
                # Not the system's besides; and one that another authority has certified counts too.
                context.load_verify_locations(cadata=self.request.authorities)
                context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
            else:
                context.load_default_certs()
            context.minimum_version = ssl.TLSVersion(0x0301 + self.request.oldest_tls - 10)
            # A body whose end is that of the connection must not be cut by anybody else.
            connected = context.wrap_socket(
                connected, server_hostname=host, do_handshake_on_connect=False, suppress_ragged_eofs=False)
        # From here on stop() can end it.
        self.socket = connected
        connected.settimeout(max(end - time.monotonic(), 0.001))
        if isinstance(connected, ssl.SSLSocket):
            connected.do_handshake()
        self.left()
        connected.settimeout(None)  # from here on the deadline counts
        return address

    def exchange(self) -> tuple[int, list[tuple[str, str]], bytes, str, str]:
        parts = urlsplit(self.request.url)
        host, is_tls = parts.hostname or "", parts.scheme == "https"
        port = parts.port or (443 if is_tls else 80)
        address = self.connect(host, port, is_tls)
        connection = http.client.HTTPConnection(host, port)
        connection.sock, connection.response_class = self.socket, WholeResponse
        # Everything after the authority, as it is.
        target = self.request.url.split("://", 1)[1][len(parts.netloc):] or "/"
        connection.putrequest(
            self.request.method, target if target.startswith("/") else "/" + target, skip_host=True,
            skip_accept_encoding=True)
        connection.putheader("Host", parts.netloc)
        for name, value in self.request.headers:
            connection.putheader(name, value)
        if self.request.body is not None:
            connection.putheader("Content-Length", str(len(self.request.body)))
        self.was_sent = True
        connection.endheaders(self.request.body)
        response = connection.getresponse()
        headers = response.getheaders()
        if sum(len(name) + len(value) for name, value in headers) > self.request.largest_headers:
            raise OverflowError
        body = response.read(self.request.largest_body + 1)
        if len(body) > self.request.largest_body:
            raise OverflowError
        if response.length:  # http.client does not report a body that ends early when it is read in part
            raise http.client.IncompleteRead(body, response.length)
        return response.status, headers, body, self.request.url, address


class HTTPClientStack:
    """Hand it over by Core.set_http_stack()."""

    def __init__(self) -> None:
        self._open: dict[int, Exchange] = {}
        self._early: collections.deque[int] = collections.deque(maxlen=64)  # cancelled before they came here
        self._lock = threading.Lock()

    def send(self, call: HTTPCall) -> None:
        exchange = Exchange(call)
        with self._lock:
            self._open[call.number] = exchange
            if call.number in self._early:
                exchange.stop()
        threading.Thread(target=self._run, args=(exchange,), daemon=True).start()

    def _run(self, exchange: Exchange) -> None:
        exchange.run()
        with self._lock:
            self._open.pop(exchange.call.number, None)

    def cancel(self, number: int) -> None:
        with self._lock:
            exchange = self._open.get(number)
            if exchange is None:
                self._early.append(number)
        if exchange is not None:
            exchange.stop()
