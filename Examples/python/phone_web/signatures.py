# SPDX-License-Identifier: Apache-2.0
"""Checks the signatures that can be checked with the keys that the provider publishes."""

from __future__ import annotations

import base64
import json
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import load_der_public_key

PublicKey = Ed25519PublicKey | ec.EllipticCurvePublicKey

# For each kind of message, the member of the configuration that has its keys.
PUBLISHED = {
    "wallet-instruction-result+jwt": "result_keys",
    "wallet-certificate+jwt": "certificate_keys",
}
SIGNED_AS_CONFIGURATION = ("wallet-configuration+jwt", "wallet-update-policy+jwt")


def decode(text: str) -> bytes:
    """Decodes base64url without padding; raises ValueError for anything else."""
    data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if base64.urlsafe_b64encode(data).rstrip(b"=").decode() != text:
        raise ValueError("not what an encoder writes")
    return data


def split(compact: str) -> tuple[dict[str, Any], dict[str, Any], bytes, bytes]:
    """Returns header, claims, signed bytes and signature of a compact JWS; raises ValueError for anything else."""
    head, body, signature = compact.split(".")
    header, claims = json.loads(decode(head)), json.loads(decode(body))
    if not isinstance(header, dict) or not isinstance(claims, dict):
        raise ValueError("not a JWS of JSON objects")
    return header, claims, f"{head}.{body}".encode(), decode(signature)


def is_signed(key: PublicKey, signed: bytes, signature: bytes) -> bool:
    try:
        if isinstance(key, Ed25519PublicKey):
            key.verify(signature, signed)
        else:
            if len(signature) != 64:
                return False
            numbers = (int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
            key.verify(encode_dss_signature(*numbers), signed, ec.ECDSA(hashes.SHA256()))
        return True
    except (InvalidSignature, ValueError):
        return False


def hardware_key(text: str) -> PublicKey | None:
    """Reads the key in a registration. Returns None if phones do not sign with keys of its kind."""
    try:
        key = load_der_public_key(decode(text))
    except (ValueError, UnsupportedAlgorithm):
        return None
    is_p256 = isinstance(key, ec.EllipticCurvePublicKey) and isinstance(key.curve, ec.SECP256R1)
    return key if is_p256 or isinstance(key, Ed25519PublicKey) else None


class KnownKeys:
    """The keys of the configuration document, and the hardware keys of registrations that passed."""

    def __init__(self, document: bytes):
        parts = json.loads(document)
        configuration = split(parts["configuration"])[1]
        self._keys = {name: self._published(configuration[member]) for name, member in PUBLISHED.items()}
        signing = self._published(parts["configuration_signing_keys"])
        self._keys |= dict.fromkeys(SIGNED_AS_CONFIGURATION, signing)
        self._hardware: list[PublicKey] = []

    @staticmethod
    def _published(keys: list[dict[str, str]]) -> dict[str, PublicKey]:
        return {key["id"]: Ed25519PublicKey.from_public_bytes(decode(key["key"])) for key in keys}

    def _note_registration(self, claims: dict[str, Any], signed: bytes, signature: bytes) -> None:
        """Keeps the key of a registration. A `register` instruction has the public part of the phone's hardware key,
        which signs it and all later instructions. If it is not signed with this key, the key is not kept, because
        anybody could have sent it."""
        if claims.get("instruction") != "register" or not isinstance(claims.get("hardware_key"), str):
            return
        key = hardware_key(claims["hardware_key"])
        if key is not None and is_signed(key, signed, signature):
            self._hardware.append(key)

    def check(self, compact: str) -> tuple[str, str]:
        """Returns ("verified", whose key), ("failed", whose key), or ("elsewhere", who can check it)."""
        header, claims, signed, signature = split(compact)
        kind = header.get("typ")
        if kind == "wallet-instruction+jwt":
            self._note_registration(claims, signed, signature)
            if any(is_signed(key, signed, signature) for key in self._hardware):
                return "verified", "the hardware key of its registration"
            return "elsewhere", "the provider, which knows the hardware key"
        if kind not in self._keys:
            return "elsewhere", "its receiver"
        whose = PUBLISHED.get(kind, "configuration_signing_keys").replace("_keys", " key").replace("_", "-")
        key = self._keys[kind].get(header.get("kid", ""))
        if key is None:
            return "elsewhere", f"the wallet, which trusts another {whose}"
        return ("verified" if is_signed(key, signed, signature) else "failed"), f"the provider's {whose}"
