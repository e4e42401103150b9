# SPDX-License-Identifier: Apache-2.0
"""A verifier: checks a presentation of a card and reads its claims (RFC 9901, SD-JWT with key binding)."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec

from .signatures import KnownKeys, decode, is_signed, split

AUDIENCE = "https://bar.example"
# Claims that every presentation shows, whatever the owner chooses. `cnf` is the holder's key: it lets two verifiers
# find out that they saw the same card.
MACHINERY = {"_sd", "_sd_alg", "cnf", "iat", "nbf", "exp", "iss", "vct"}


class Refused(Exception):
    """The verifier refuses the presentation, for the reason given."""


@dataclass
class Verifier:
    """Issues nonces, and accepts each of them once."""

    keys: KnownKeys
    _nonces: set[str] = field(default_factory=set)

    def nonce(self) -> str:
        nonce = secrets.token_urlsafe(16)
        self._nonces.add(nonce)
        return nonce

    def look_at(self, presentation: str, now: float) -> dict[str, Any]:
        """Returns the claims about the person. Raises Refused if the issuer, the holder, the nonce or a disclosure is
        wrong, or the card has expired at `now`, in seconds since 1970."""
        try:
            credential, *disclosures, binding = presentation.split("~")
            claims = self._issued(credential)
            if claims["exp"] <= now:
                raise Refused("it has expired")
            self._check_holder(claims, binding, presentation[: -len(binding)])
            return self._disclosed(claims, disclosures)
        except (ValueError, KeyError, TypeError) as problem:
            raise Refused(f"it is malformed: {type(problem).__name__}") from problem

    def _issued(self, credential: str) -> dict[str, Any]:
        header, claims, signed, signature = split(credential)
        key = self.keys.issuer(header.get("kid", ""))
        if header.get("typ") != "dc+sd-jwt" or key is None or not is_signed(key, signed, signature):
            raise Refused("its issuer did not sign it")
        return claims

    def _check_holder(self, claims: dict[str, Any], binding: str, bound: str) -> None:
        """Checks that the card's key has signed one of the nonces, for this verifier, with what is disclosed."""
        header, bound_to, signed, signature = split(binding)
        point = [int.from_bytes(decode(claims["cnf"]["jwk"][name]), "big") for name in ("x", "y")]
        key = ec.EllipticCurvePublicNumbers(*point, ec.SECP256R1()).public_key()
        if header.get("typ") != "kb+jwt" or not is_signed(key, signed, signature):
            raise Refused("its holder did not sign it")
        if bound_to["aud"] != AUDIENCE or bound_to["sd_hash"] != digest(bound):
            raise Refused("it was made for somebody else")
        if bound_to["nonce"] not in self._nonces:
            raise Refused("it was shown before")
        self._nonces.discard(bound_to["nonce"])

    @staticmethod
    def _disclosed(claims: dict[str, Any], disclosures: list[str]) -> dict[str, Any]:
        seen = {name: value for name, value in claims.items() if name not in MACHINERY}
        for disclosure in disclosures:
            if digest(disclosure) not in claims["_sd"]:
                raise Refused("a claim in it was not issued")
            _, name, value = json.loads(decode(disclosure))
            seen[name] = value
        return seen


def digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
