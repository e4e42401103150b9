# SPDX-License-Identifier: Apache-2.0
"""The status of a card in its issuer's list (Token Status List), and what is fetched for that."""

from __future__ import annotations

import urllib.request
import zlib
from typing import Any
from urllib.parse import urlsplit

from .chains import Anchors, Role
from .signatures import decode, is_signed, split

CLOCK_DIFFERENCE = 60
LIST_BYTES = 16 * 1024 * 1024
MOST_BYTES = 2 * 1024 * 1024
MEDIA_TYPE = "application/statuslist+jwt"


class StatusUnknown(Exception):
    """No trusted list says what the status is, for the reason given."""


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Another address is not the one that was judged."""

    def redirect_request(self, *_: Any) -> None:
        return None


def fetch(address: str, media_type: str) -> bytes:
    """A document of the web, over https; over http from this machine only, which is where examples run. Raises OSError
    or ValueError."""
    parts = urlsplit(address)
    if parts.scheme != "https" and (parts.scheme, parts.hostname) not in (("http", "127.0.0.1"), ("http", "::1")):
        raise ValueError(f"{address} is neither https nor on this machine")
    # Without the machine's proxies, to which this machine's own address would mean theirs.
    opener = urllib.request.build_opener(NoRedirects, urllib.request.ProxyHandler({}))
    request = urllib.request.Request(address, headers={"Accept": media_type})
    with opener.open(request, timeout=10) as answer:
        if answer.headers.get_content_type() != media_type:
            raise ValueError(f"{address} is of another type")
        body: bytes = answer.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        raise ValueError(f"{address} is too long")
    return body


def value_of(status: Any, anchors: Anchors, now: float) -> int:
    """The value of a card's entry, of which 0 means valid. Raises StatusUnknown."""
    try:
        entry = status["status_list"]
        address, index = entry["uri"], entry["idx"]
        if not isinstance(address, str) or type(index) is not int or index < 0:
            raise StatusUnknown("it has no status")
        return entry_of(trusted_list(fetch(address, MEDIA_TYPE).decode(), address, anchors, now), index)
    except (OSError, ValueError, KeyError, TypeError, zlib.error) as problem:
        raise StatusUnknown(f"its status list cannot be used: {type(problem).__name__}") from problem


def trusted_list(token: str, address: str, anchors: Anchors, now: float) -> dict[str, Any]:
    """The list, if it is of that address, of now, and signed below the anchors."""
    header, claims, signed, signature = split(token)
    if header.get("typ") != "statuslist+jwt" or header.get("alg") != "ES256" or "crit" in header:
        raise StatusUnknown("its status list is no such list")
    key = anchors.key(header.get("x5c"), Role.STATUS, now)
    if key is None or not is_signed(key, signed, signature):
        raise StatusUnknown("nobody who is trusted signed its status list")
    if claims["sub"] != address:
        raise StatusUnknown("its status list is of another address")
    if type(claims["iat"]) is not int or claims["iat"] > now + CLOCK_DIFFERENCE or claims.get("exp", now + 1) <= now:
        raise StatusUnknown("its status list is not of now")
    found = claims["status_list"]
    return found if isinstance(found, dict) else {}


def entry_of(found: dict[str, Any], index: int) -> int:
    bits = found["bits"]
    if type(bits) is not int or bits not in (1, 2, 4, 8):
        raise StatusUnknown("its status list has entries of another size")
    # A small text can become very long.
    inflater = zlib.decompressobj()
    entries = inflater.decompress(decode(found["lst"]), LIST_BYTES)
    position, place = divmod(index, 8 // bits)
    if not inflater.eof or position >= len(entries):
        raise StatusUnknown("its status list ends before it")
    return entries[position] >> place * bits & (1 << bits) - 1
