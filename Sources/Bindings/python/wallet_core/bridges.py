# SPDX-License-Identifier: Apache-2.0
"""The bridges: the library's calls to the platform, and their replies."""

from __future__ import annotations

import ctypes
import enum
from collections.abc import Callable
from typing import Any, Protocol

from . import library as c


class Reply(enum.IntEnum):
    """The status of a reply (WALLET_CORE_BRIDGE_...). A host may also use its own codes, -1999 to -1000."""

    OK = 0
    NOT_RECOGNISED = 1
    CANCELLED_BY_USER = 2
    LOCKED_OUT = 3
    LOCKED_OUT_PERMANENTLY = 4
    NOT_ENROLLED = 5
    KEY_INVALIDATED = 6
    KEY_MISSING = 7
    UNAVAILABLE = 8


class Call:
    """A call of the library. Answer it exactly once, at once or later, on any thread."""

    def __init__(self, library: Any, number: int, function: str, observe: Observer | None):
        self._library, self._observe = library, observe
        self.number, self.function = number, function
        self.secret = bytearray()  # the plaintext to encrypt; wiped by reply()

    def reply(self, data: bytes = b"", status: int = Reply.OK, message: str | None = None) -> str:
        """Answers the call. Returns "OK", or "UNKNOWN_CALL" if the library no longer waits, which is harmless."""
        text = message.encode() if message is not None else None
        result = self._library.wallet_core_bridge_reply(self.number, status, data, len(data), text)
        self.secret[:] = bytes(len(self.secret))
        if self._observe is not None:
            self._observe(self.function, self.number, Reply(status).name if 0 <= status <= 8 else str(status))
        return str(self._library.wallet_core_status_name(result), "ascii")

    def fail(self, status: int, message: str | None = None, data: bytes = b"") -> str:
        return self.reply(data, status, message)


class Platform(Protocol):
    """The three bridges. The functions run on threads of the library and answer through their `call`.

    If one raises, UNAVAILABLE is replied for it. `kind` is "android" or "ios"."""

    kind: str

    def public_key(self, call: Call, identifier: str) -> None: ...
    def sign(self, call: Call, identifier: str, payload: bytes) -> None: ...
    def delete_signing_key(self, call: Call, identifier: str) -> None: ...
    def encrypt(self, call: Call, identifier: str, is_biometric: bool, plaintext: bytearray) -> None: ...
    def decrypt(self, call: Call, identifier: str, is_biometric: bool, ciphertext: bytes) -> None: ...
    def delete_encryption_key(self, call: Call, identifier: str) -> None: ...
    def cancel(self, number: int) -> None: ...
    def storage_path(self, call: Call) -> None: ...
    def biometrics_available(self, call: Call) -> None: ...
    def device_secure(self, call: Call) -> None: ...
    def internet_reachable(self, call: Call) -> None: ...
    def camera_state(self, call: Call) -> None: ...


Observer = Callable[[str, int, str], None]
KINDS = {"ios": 1, "android": 2}


def bridges(
    library: Any, platform: Platform, observe: Observer | None = None, released: Callable[[], object] = lambda: None,
) -> tuple[Any, Any, Any]:
    """Makes the three structs for wallet_core_init_platform_support(). The library calls `released` for each of them
    when it has been replaced and none of its functions runs any more."""

    def guarded(name: str, number: int, ask: Callable[[Call], None]) -> None:
        call = Call(library, number, name, observe)
        try:
            if observe is not None:
                observe(name, number, "asked")
            ask(call)
        except Exception as problem:  # an exception must not reach the library
            call.fail(Reply.UNAVAILABLE, f"{name} raised {type(problem).__name__}")

    def on_call(name: str) -> Any:
        method = getattr(platform, name)
        return c.OnCall(lambda _, number: guarded(name, number, method))

    def on_key(name: str) -> Any:
        method = getattr(platform, name)
        return c.OnKey(lambda _, number, key: guarded(name, number, lambda call: method(call, key.decode())))

    def sign(_: Any, number: int, key: bytes, payload: int, length: int) -> None:
        guarded("sign", number, lambda call: platform.sign(call, key.decode(), ctypes.string_at(payload, length)))

    def encrypt(_: Any, number: int, key: bytes, protection: int, plaintext: int, length: int) -> None:
        def ask(call: Call) -> None:
            call.secret = bytearray((ctypes.c_char * length).from_address(plaintext))
            platform.encrypt(call, key.decode(), protection == 1, call.secret)

        guarded("encrypt", number, ask)

    def decrypt(_: Any, number: int, key: bytes, protection: int, ciphertext: int, length: int) -> None:
        copy = ctypes.string_at(ciphertext, length)
        guarded("decrypt", number, lambda call: platform.decrypt(call, key.decode(), protection == 1, copy))

    def cancel(_: Any, number: int) -> None:
        try:
            platform.cancel(number)
        except Exception:  # a cancel has no reply that could report it
            pass

    cancelled, destroy = c.OnCall(cancel), c.OnDestroy(lambda _: released() and None)
    signing = c.SigningKeyBridge(
        struct_size=ctypes.sizeof(c.SigningKeyBridge), destroy=destroy, public_key=on_key("public_key"), sign=c.OnPayload(sign),
        delete_key=on_key("delete_signing_key"), cancel=cancelled)
    encryption = c.EncryptionKeyBridge(
        struct_size=ctypes.sizeof(c.EncryptionKeyBridge), destroy=destroy, encrypt=c.OnSecret(encrypt), decrypt=c.OnSecret(decrypt),
        delete_key=on_key("delete_encryption_key"), cancel=cancelled)
    utilities = c.UtilitiesBridge(
        struct_size=ctypes.sizeof(c.UtilitiesBridge), destroy=destroy, storage_path=on_call("storage_path"),
        biometrics_available=on_call("biometrics_available"), device_secure=on_call("device_secure"),
        internet_reachable=on_call("internet_reachable"), cancel=cancelled, platform=KINDS[platform.kind],
        camera_state=on_call("camera_state"))
    for struct in (signing, encryption, utilities):
        c.keep(struct)
    return signing, encryption, utilities


def silent_bridges(platform: int) -> tuple[Any, Any, Any]:
    """Makes three structs whose functions answer nothing and run no Python code, for the end of the interpreter."""
    idle = ctypes.cast(ctypes.CDLL(None).getpid, ctypes.c_void_p).value

    def nothing(kind: Any) -> Any:
        return kind(idle)

    signing = c.SigningKeyBridge(
        struct_size=ctypes.sizeof(c.SigningKeyBridge), public_key=nothing(c.OnKey), sign=nothing(c.OnPayload),
        delete_key=nothing(c.OnKey))
    encryption = c.EncryptionKeyBridge(
        struct_size=ctypes.sizeof(c.EncryptionKeyBridge), encrypt=nothing(c.OnSecret), decrypt=nothing(c.OnSecret),
        delete_key=nothing(c.OnKey))
    utilities = c.UtilitiesBridge(
        struct_size=ctypes.sizeof(c.UtilitiesBridge), storage_path=nothing(c.OnCall), platform=platform)
    return signing, encryption, utilities
