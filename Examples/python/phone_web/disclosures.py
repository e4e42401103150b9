# SPDX-License-Identifier: Apache-2.0
"""The claims of an SD-JWT, open ones and disclosed ones (RFC 9901)."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

from .signatures import decode

# SD-JWT VC forbids to hide these, and all that is in them: a holder could leave them out.
OPEN = {"iss", "nbf", "exp", "cnf", "vct", "vct#integrity", "aka_vcts", "status"}
RESERVED = {"_sd", "...", "_sd_alg"}
DEEPEST = 32


def digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def claims_of(payload: dict[str, Any], disclosures: list[str]) -> dict[str, Any]:
    """What `payload` and the disclosures show. Raises ValueError if one belongs to no claim, is there twice, or hides
    what must not be hidden."""
    if payload.get("_sd_alg", "sha-256") != "sha-256":
        raise ValueError("digests of another kind")
    unfolding = Unfolding(disclosures)
    claims = unfolding.members({name: value for name, value in payload.items() if name != "_sd_alg"}, 0, False)
    if unfolding.opened:
        raise ValueError("a disclosure belongs to no claim")
    return claims


class Unfolding:
    """Puts each disclosure where its digest stands. `opened` has those that wait for their place."""

    def __init__(self, disclosures: list[str]):
        self.opened: dict[str, list[Any]] = {}
        self._seen: set[str] = set()
        for text in disclosures:
            parts = json.loads(decode(text))
            if not isinstance(parts, list) or not parts or not isinstance(parts[0], str) or digest(text) in self.opened:
                raise ValueError("a disclosure is malformed, or there twice")
            self.opened[digest(text)] = parts

    def _take(self, text: Any, size: int) -> list[Any] | None:
        """The disclosure of a digest, of so many parts; None if the holder does not show it."""
        if not isinstance(text, str) or text in self._seen:
            raise ValueError("a digest is there twice, or is none")
        self._seen.add(text)
        parts = self.opened.pop(text, None)
        if parts is not None and len(parts) != size:
            raise ValueError("a disclosure has another form")
        return parts

    def members(self, found: dict[str, Any], depth: int, is_open: bool) -> dict[str, Any]:
        if RESERVED & found.keys() - {"_sd"}:
            raise ValueError("a claim has a reserved name")
        claims = {name: self._value(value, depth + 1, is_open or depth == 0 and name in OPEN)
                  for name, value in found.items() if name != "_sd"}
        for text in self._digests(found.get("_sd", [])):
            parts = self._take(text, 3)
            if parts is None:
                continue
            _, name, value = parts
            if not isinstance(name, str) or name in RESERVED or name in claims:
                raise ValueError("a disclosed claim has the name of another")
            if is_open or depth == 0 and name in OPEN:
                raise ValueError("a disclosed claim must not be hidden")
            claims[name] = self._value(value, depth + 1, False)
        return claims

    @staticmethod
    def _digests(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ValueError("digests are no array")
        return value

    def _elements(self, found: list[Any], depth: int, is_open: bool) -> list[Any]:
        elements = []
        for element in found:
            if not isinstance(element, dict) or "..." not in element:
                elements.append(self._value(element, depth + 1, is_open))
                continue
            parts = self._take(element["..."], 2)
            if len(element) != 1 or is_open and parts is not None:
                raise ValueError("an element is malformed, or must not be hidden")
            if parts is not None:
                elements.append(self._value(parts[1], depth + 1, False))
        return elements

    def _value(self, value: Any, depth: int, is_open: bool) -> Any:
        if depth > DEEPEST:
            raise ValueError("claims lie too deep in each other")
        if isinstance(value, dict):
            return self.members(value, depth, is_open)
        return self._elements(value, depth, is_open) if isinstance(value, list) else value
