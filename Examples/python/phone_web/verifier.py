# SPDX-License-Identifier: Apache-2.0
"""A verifier: checks a presentation of a card and reads its claims (RFC 9901, SD-JWT with key binding).

It trusts the issuer's authority and nothing else: the chain in the card leads there, and so does the one in the status
list."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec

from .chains import Anchors, Role
from .disclosures import claims_of, digest
from .signatures import decode, is_signed, split
from .statuses import CLOCK_DIFFERENCE, StatusUnknown, value_of

AUDIENCE = "https://bar.example"
TYPE = "urn:wallet-provider:pid:1"
PRESENTATION_SECONDS = 300
# Claims that every presentation shows, whatever the owner chooses. `cnf` is the key of this copy of the card, and
# `status` its entry in a list: another copy has others.
MACHINERY = {"cnf", "iat", "nbf", "exp", "iss", "vct", "vct#integrity", "status"}


class Refused(Exception):
    """The verifier refuses the presentation, for the reason given."""


@dataclass
class Verifier:
    """Issues nonces, and accepts each of them once. `anchors` gets the authorities that it trusts."""

    anchors: Callable[[], Anchors]
    type: str = TYPE
    audience: str = AUDIENCE
    _nonces: set[str] = field(default_factory=set)

    def nonce(self) -> str:
        nonce = secrets.token_urlsafe(16)
        self._nonces.add(nonce)
        return nonce

    def look_at(self, presentation: str, now: float) -> dict[str, Any]:
        """Returns the claims about the person. Raises Refused if the issuer, the type, the holder, the nonce or a
        disclosure is wrong, or the card is expired or revoked at `now`, in seconds since 1970."""
        try:
            anchors = self.anchors()
            credential, *disclosures, binding = presentation.split("~")
            payload = self._issued(credential, anchors, now)
            self._check_holder(payload, binding, presentation[: len(presentation) - len(binding)], now)
            claims = claims_of(payload, disclosures)
            self._check_times(claims, now)
            if value_of(claims.get("status"), anchors, now) != 0:
                raise Refused("it has been revoked")
            return {name: value for name, value in claims.items() if name not in MACHINERY}
        except StatusUnknown as problem:
            raise Refused(str(problem)) from problem
        except OSError as problem:
            raise Refused("the authorities to trust cannot be fetched") from problem
        except (ValueError, KeyError, TypeError) as problem:
            raise Refused(f"it is malformed: {type(problem).__name__}") from problem

    def _issued(self, credential: str, anchors: Anchors, now: float) -> dict[str, Any]:
        header, payload, signed, signature = split(credential)
        if header.get("typ") != "dc+sd-jwt" or header.get("alg") != "ES256" or "crit" in header:
            raise Refused("it is no card of the kind that is asked for")
        key = anchors.key(header.get("x5c"), Role.ISSUER, now, payload.get("iss"))
        if key is None or not is_signed(key, signed, signature):
            raise Refused("its issuer did not sign it")
        if payload.get("vct") != self.type:
            raise Refused("it is of another type")
        return payload

    def _check_holder(self, payload: dict[str, Any], binding: str, bound: str, now: float) -> None:
        """Checks that the card's key has signed one of the nonces now, for this verifier, with what is disclosed."""
        header, bound_to, signed, signature = split(binding)
        holder = payload["cnf"]["jwk"]
        point = [int.from_bytes(decode(holder[name]), "big") for name in ("x", "y")]
        key = ec.EllipticCurvePublicNumbers(*point, ec.SECP256R1()).public_key()
        is_binding = header.get("typ") == "kb+jwt" and header.get("alg") == "ES256" and "crit" not in header
        if not is_binding or (holder["kty"], holder["crv"]) != ("EC", "P-256") or not is_signed(key, signed, signature):
            raise Refused("its holder did not sign it")
        if bound_to["aud"] != self.audience or bound_to["sd_hash"] != digest(bound):
            raise Refused("it was made for somebody else")
        self._check_times(bound_to, now)
        if now - PRESENTATION_SECONDS > bound_to["iat"]:
            raise Refused("it was not made now")
        if bound_to["nonce"] not in self._nonces:
            raise Refused("it was shown before")
        self._nonces.discard(bound_to["nonce"])

    @staticmethod
    def _check_times(claims: dict[str, Any], now: float) -> None:
        times = {name: claims[name] for name in ("iat", "nbf", "exp") if name in claims}
        if any(type(time) is not int for time in times.values()):
            raise Refused("a time in it is none")
        if max(times.get("iat", 0), times.get("nbf", 0)) > now + CLOCK_DIFFERENCE:
            raise Refused("it is not yet valid")
        if times.get("exp", now + 1) <= now:
            raise Refused("it has expired")
