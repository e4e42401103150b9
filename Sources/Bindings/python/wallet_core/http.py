# SPDX-License-Identifier: Apache-2.0
"""The HTTP bridge: a host's own HTTP stack in place of libcurl."""

from __future__ import annotations

import ctypes
import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from . import library as c


class Outcome(enum.IntEnum):
    """How a request ended without an answer (WALLET_CORE_HTTP_...)."""

    NO_NETWORK = 1
    NOT_CONNECTED = 2
    TIMED_OUT = 3
    TLS_REFUSED = 4
    INCOMPLETE = 5
    TOO_LARGE = 6
    ADDRESS_REFUSED = 7


class Reach(enum.IntEnum):
    """The servers that a request may reach (WALLET_CORE_HTTP_REACH_...)."""

    ANY = 0
    PUBLIC = 1
    PUBLIC_OR_LOOPBACK = 2


@dataclass(frozen=True)
class Request:
    """A request, as wallet_core_http_request describes it. Times are in seconds."""

    method: str
    url: str
    headers: list[tuple[str, str]]
    body: bytes | None
    authorities: str | None
    oldest_tls: int
    reach: Reach
    connect_timeout: float
    timeout: float
    largest_headers: int
    largest_body: int
    shares_connections: bool


class HTTPCall:
    """A request of the library. Answer it exactly once, on any thread."""

    request: Request

    def __init__(self, library: Any, number: int, request: Request | None = None):
        self._library, self.number = library, number
        if request is not None:
            self.request = request

    def answer(self, status: int, headers: list[tuple[str, str]], body: bytes, url: str, address: str) -> None:
        """Replies a complete answer: of which URL it is, and the address that the stack was connected to."""
        texts = [c.HTTPHeader(c.server_text(name), c.server_text(value)) for name, value in headers]
        response = c.HTTPResponse(
            struct_size=ctypes.sizeof(c.HTTPResponse), was_sent=1, http_status=status,
            headers=(c.HTTPHeader * len(texts))(*texts), header_count=len(texts), body=body, body_length=len(body),
            url=c.text(url), remote_address=c.text(address))
        if self._library.wallet_core_http_reply(self.number, ctypes.byref(response)) == c.INVALID_ARGUMENT:
            self.fail(Outcome.TOO_LARGE, True, "beyond the limits of wallet_core_http_response")

    def fail(self, outcome: Outcome, was_sent: bool, message: str = "") -> None:
        """Replies that there is no answer. `was_sent` is false only if certainly no byte of the request was sent."""
        response = c.HTTPResponse(
            struct_size=ctypes.sizeof(c.HTTPResponse), outcome=outcome, was_sent=was_sent, message=c.text(message))
        self._library.wallet_core_http_reply(self.number, ctypes.byref(response))


class HTTPStack(Protocol):
    """A host's HTTP stack, with the duties that wallet_core.h lists. Both functions run on threads of the library and
    should return at once."""

    def send(self, call: HTTPCall) -> None: ...
    def cancel(self, number: int) -> None: ...


def _read(pointer: Any) -> Request:
    it = pointer.contents
    return Request(
        it.method.decode(), it.url.decode(),
        [(it.headers[index].name.decode(), it.headers[index].value.decode()) for index in range(it.header_count)],
        ctypes.string_at(it.body, it.body_length) if it.body else None,
        it.certificate_authorities.decode() if it.certificate_authorities else None, it.oldest_tls, Reach(it.reach),
        it.connect_timeout_ms / 1000, it.timeout_ms / 1000, it.largest_headers, it.largest_body,
        it.shares_connections == 1)


def http_bridge(library: Any, stack: HTTPStack, released: Callable[[], object] = lambda: None) -> Any:
    """Makes the struct for wallet_core_set_http_bridge()."""

    def send(_: Any, number: int, pointer: Any) -> None:
        was_asked = False
        try:
            call = HTTPCall(library, number, _read(pointer))
            was_asked = True
            stack.send(call)
        except Exception as problem:  # an exception must not reach the library
            HTTPCall(library, number).fail(
                Outcome.INCOMPLETE, was_asked, f"send raised {type(problem).__name__}")

    def cancel(_: Any, number: int) -> None:
        try:
            stack.cancel(number)
        except Exception:  # a cancel has no reply that could report it
            pass

    bridge = c.HTTPBridge(
        struct_size=ctypes.sizeof(c.HTTPBridge), destroy=c.OnDestroy(lambda _: released() and None),
        send=c.OnRequest(send), cancel=c.OnCall(cancel))
    c.keep(bridge)
    return bridge
