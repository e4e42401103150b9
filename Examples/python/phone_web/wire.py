# SPDX-License-Identifier: Apache-2.0
"""Decides what the page may show of messages: some names and outcomes, and only the length of everything else.

A member that is not named here is hidden. So sealed data, keys, signatures, shares, certificates, identifiers and
personal data stay hidden even if nobody has thought of them."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from .signatures import KnownKeys, decode, split

SHOWN = set("""
    alg typ version schema instruction sequence current kind counted attempts_left final_round blocked_for_ms
    expires_in_ms retry_after_ms state reason kinds countries minimum_age maximum_age
    configuration_version inactive_timeout_ms inactive_warning_ms background_timeout_ms pin_key_passes
    pin_key_memory_bytes proofing_hosts iat rules grade minimum_version below_version from warning_seconds
    update_available type title status
""".split())
SHOWN_OF_EVENTS = set("""
    schema kind version inactive_timeout_ms inactive_warning_ms background_timeout_ms proofing_hosts
    is_locked locks_in_ms grade blocked_in_ms is_update_available
    request status status_name category message data reason host_code keys_left
    outcome attempts_left is_final_round blocked_for_ms
    serial use_case row step_kind name title input beneath is_protected notices trail
    reasons failure has_pid is_biometric_unlock_enabled biometrics protection pin_length minimum_age
    retry_after_ms app_version core_version configuration_version may_close_app block_age_ms is_permanently_blocked
    is_pid_expired is_request_waiting failed_attempts last_failed_at takes_effect_in_ms
""".split())
WORDS = re.compile(r"[ -~]{0,200}")  # short ASCII texts only
SIGNED = ("signature", "result")


def hidden(value: Any) -> dict[str, int]:
    text = value if isinstance(value, str) else json.dumps(value)
    return {"hidden": len(text.encode())}


def allowed(value: Any, shown: set[str]) -> Any:
    """Returns the value with every member that is not in `shown` replaced by its length."""
    if isinstance(value, dict):
        return {
            name: allowed(member, shown) if name in shown or isinstance(member, dict) else hidden(member)
            for name, member in value.items()}
    if isinstance(value, list):
        return [allowed(element, shown) for element in value]
    if isinstance(value, str) and not WORDS.fullmatch(value):
        return hidden(value)
    if isinstance(value, float) and not math.isfinite(value):  # Python reads NaN; JSON has no such number
        return hidden(str(value))
    return value


def kind_of_key(identifier: str) -> str:
    """Returns the part of a key's identifier that says its purpose: "wallet_core.signing…"; empty for no key."""
    return identifier and f"{identifier.rpartition('.')[0]}…"


def event(document: dict[str, Any]) -> dict[str, Any]:
    """Returns what may be shown of an event. A step's message may name the account, so only errors show theirs."""
    members = {name: value for name, value in document.items() if name not in ("actions", "message")}
    seen = allowed(members, SHOWN_OF_EVENTS)
    if document.get("message"):
        seen["message"] = hidden(document["message"])
    if "actions" in document:
        seen["actions"] = [action["name"] for action in document["actions"]]
    return seen


class Wire:
    """Reads the bodies of requests and answers."""

    def __init__(self, keys: KnownKeys):
        self._keys = keys

    def body(self, data: bytes, content_type: str) -> Any:
        """Returns what may be shown of a body; None for an empty one."""
        if not data:
            return None
        try:
            if content_type.startswith("application/jwt"):
                return self._signed(data.decode())
            members = json.loads(data)
        except ValueError:
            return hidden(data.decode("latin-1"))
        return self._envelope(members) if isinstance(members, dict) else hidden(members)

    def _envelope(self, members: dict[str, Any]) -> dict[str, Any]:
        seen = allowed({name: value for name, value in members.items() if name not in (*SIGNED, "payload")}, SHOWN)
        for name in SIGNED:
            if isinstance(members.get(name), str):
                seen[name] = self._signed(members[name])
        if isinstance(members.get("payload"), str):
            seen["payload"] = self._payload(members["payload"])
        return seen

    def _payload(self, text: str) -> Any:
        try:
            return allowed(json.loads(decode(text)), SHOWN)
        except ValueError:
            return {"sealed": len(text)}

    def _signed(self, compact: str) -> Any:
        try:
            header, claims, _, signature = split(compact)
            state, who = self._keys.check(compact)
        except (ValueError, TypeError):
            return hidden(compact)
        return {
            "jws": {"header": allowed(header, SHOWN), "claims": allowed(claims, SHOWN), "signature": len(signature)},
            "check": state, "who": who}


def is_signed_by_a_known_key(seen: Any) -> bool | None:
    """Whether the signature in a result of `body` is valid; None if it has none or it cannot be checked here."""
    for value in [seen, *(seen.values() if isinstance(seen, dict) else [])]:
        if isinstance(value, dict) and value.get("check") in ("verified", "failed"):
            return value["check"] == "verified"
    return None


def outcome(seen: Any) -> str:
    """Returns the result of an instruction in a few words, e.g. "wrong, 3 attempts left"; empty if there is none."""
    claims = (seen or {}).get("result", {}).get("jws", {}).get("claims", {}) if isinstance(seen, dict) else {}
    result = claims.get("outcome")
    if not isinstance(result, dict):
        return ""
    words = [str(result.get("kind", ""))]
    if "attempts_left" in result:
        words.append(f"{result['attempts_left']} attempts left")
    if isinstance(result.get("blocked_for_ms"), int):
        words.append(f"for {result['blocked_for_ms'] // 1000} s")
    for part in ("status", "refusal"):
        if isinstance(result.get(part), dict):
            words.append(str(result[part].get("state") or result[part].get("reason") or ""))
    return ", ".join(words)
