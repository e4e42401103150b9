# SPDX-License-Identifier: Apache-2.0
"""A software platform: P-256 and AES keys in files, and a fingerprint sensor that you operate.

For examples and tests only: a real phone keeps these keys in hardware. Needs the package `cryptography`."""

from __future__ import annotations

import collections
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import (
    Encoding, NoEncryption, PrivateFormat, PublicFormat, load_der_private_key)

from .bridges import Call, Reply

BIOMETRICS = {"none": 0, "any": 1, "fingerprint": 2, "face": 3}
CAMERA = {"missing": 0, "usable": 1, "denied": 2}
TOUCHES = {
    "recognised": Reply.OK, "not-recognised": Reply.NOT_RECOGNISED, "cancelled": Reply.CANCELLED_BY_USER,
    "locked-out": Reply.LOCKED_OUT, "locked-out-permanently": Reply.LOCKED_OUT_PERMANENTLY,
    "not-enrolled": Reply.NOT_ENROLLED, "invalidated": Reply.KEY_INVALIDATED, "missing": Reply.KEY_MISSING,
    "unavailable": Reply.UNAVAILABLE, "host-error": -1000,
}


@dataclass
class _Prompt:
    """A call that waits for the user's finger."""

    call: Call
    identifier: str
    work: Callable[[], None]


class SoftwarePlatform:
    """A phone with a screen lock, a fingerprint sensor, a camera and a network. Its attributes may change at any
    time."""

    def __init__(self, directory: str | os.PathLike[str]):
        self.directory = Path(directory)
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.kind, self.biometrics, self.camera = "android", "fingerprint", "usable"
        self.is_secure = self.is_online = self.has_key_store = True
        self.on_prompt: Callable[[bool], None] = lambda is_open: None  # called on a thread of the library
        self._lock = threading.Lock()
        self._open: _Prompt | None = None
        self._cancelled: _Prompt | None = None
        self._early: collections.deque[int] = collections.deque(maxlen=64)  # cancelled before their prompt was opened

    # --- keys -----------------------------------------------------------------------------------

    def _path(self, store: str, identifier: str) -> Path:
        return self.directory / f"{store}-{identifier}.key"  # identifiers are valid file names

    def _save(self, path: Path, key: bytes) -> None:
        draft = path.with_suffix(f".{os.urandom(8).hex()}")
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)  # if two threads make a key, exactly one wins
        except FileExistsError:
            pass
        finally:
            draft.unlink()

    def _delete(self, call: Call, path: Path) -> None:
        if self._refuses(call):
            return
        path.unlink(missing_ok=True)
        call.reply()

    def lose_keys(self) -> None:
        """Deletes all keys, as a reset of the key store does."""
        for path in self.directory.glob("*.key"):
            path.unlink()

    def _refuses(self, call: Call) -> bool:
        if not self.has_key_store:
            call.fail(Reply.UNAVAILABLE, "the key store refuses")
        return not self.has_key_store

    @staticmethod
    def _key(path: Path) -> ec.EllipticCurvePrivateKey:
        key = load_der_private_key(path.read_bytes(), None)
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise TypeError("the key file holds another kind of key")
        return key

    def public_key(self, call: Call, identifier: str) -> None:
        if self._refuses(call):
            return
        path = self._path("signing", identifier)
        if not path.exists():
            made = ec.generate_private_key(ec.SECP256R1())
            self._save(path, made.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()))
        key = self._key(path)
        call.reply(key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))

    def sign(self, call: Call, identifier: str, payload: bytes) -> None:
        path = self._path("signing", identifier)
        if self._refuses(call):
            return
        if not path.exists():
            call.fail(Reply.KEY_MISSING)
            return
        key = self._key(path)
        call.reply(key.sign(payload, ec.ECDSA(hashes.SHA256())))

    def delete_signing_key(self, call: Call, identifier: str) -> None:
        self._delete(call, self._path("signing", identifier))

    def encrypt(self, call: Call, identifier: str, is_biometric: bool, plaintext: bytearray) -> None:
        def work() -> None:
            path = self._path("encryption", identifier)
            if not path.exists():
                self._save(path, AESGCM.generate_key(256))
            nonce = os.urandom(12)
            call.reply(nonce + AESGCM(path.read_bytes()).encrypt(nonce, bytes(plaintext), None))

        self._work(call, identifier, is_biometric, work)

    def decrypt(self, call: Call, identifier: str, is_biometric: bool, ciphertext: bytes) -> None:
        def work() -> None:
            path = self._path("encryption", identifier)
            if not path.exists():
                call.fail(Reply.KEY_MISSING)
                return
            try:
                call.reply(AESGCM(path.read_bytes()).decrypt(ciphertext[:12], ciphertext[12:], None))
            except InvalidTag:
                call.fail(Reply.KEY_INVALIDATED)

        self._work(call, identifier, is_biometric, work)

    def delete_encryption_key(self, call: Call, identifier: str) -> None:
        self._delete(call, self._path("encryption", identifier))

    # --- the sensor -----------------------------------------------------------------------------

    def _work(self, call: Call, identifier: str, is_biometric: bool, work: Callable[[], None]) -> None:
        if self._refuses(call):
            return
        if not is_biometric:
            work()
            return
        prompt = _Prompt(call, identifier, work)
        with self._lock:
            is_cancelled = call.number in self._early
            if is_cancelled:
                self._cancelled = prompt
            else:
                self._open = prompt
        if not is_cancelled:
            self.on_prompt(True)

    def cancel(self, number: int) -> None:
        """The library no longer waits: the prompt closes, and a finger from now on is late. This comes on another
        thread, also before the prompt was opened."""
        with self._lock:
            is_it = self._open is not None and self._open.call.number == number
            if is_it:
                self._cancelled, self._open = self._open, None
            else:
                self._early.append(number)
        if is_it:
            self.on_prompt(False)

    def finger(self, word: str, times: int = 1) -> bool:
        """Answers the open prompt with one of TOUCHES; the prefix "late-" answers the prompt that was cancelled last.
        `times` counts the fingers that were not recognised. Returns False if there is no such prompt."""
        is_late = word.startswith("late-")
        status = TOUCHES[word.removeprefix("late-")]
        with self._lock:
            prompt = self._cancelled if is_late else self._open
            if is_late:
                self._cancelled = None
            else:
                self._open = None
        if prompt is None:
            return False
        if not is_late:
            self.on_prompt(False)
        if status == Reply.OK:
            prompt.work()
            return True
        if status in (Reply.KEY_INVALIDATED, Reply.KEY_MISSING):
            self._path("encryption", prompt.identifier).unlink(missing_ok=True)
        prompt.call.fail(status, data=bytes([times]) if status == Reply.NOT_RECOGNISED else b"")
        return True

    # --- the device -----------------------------------------------------------------------------

    def storage_path(self, call: Call) -> None:
        storage = self.directory.resolve() / "storage"
        if not storage.exists():
            storage.mkdir(mode=0o700)
        call.reply(os.fsencode(storage))  # the library checks whether it can be used

    def biometrics_available(self, call: Call) -> None:
        call.reply(bytes([BIOMETRICS[self.biometrics]]))

    def device_secure(self, call: Call) -> None:
        call.reply(bytes([self.is_secure]))

    def internet_reachable(self, call: Call) -> None:
        call.reply(bytes([self.is_online]))

    def camera_state(self, call: Call) -> None:
        call.reply(bytes([CAMERA[self.camera]]))
