# SPDX-License-Identifier: Apache-2.0
"""The app on the phone: a process of its own, because phones kill apps.

    python3 -m phone_web.app

Reads instructions from standard input, one JSON object per line: {"id": 7, "do": "choose", ...}. "bytes" in an
instruction is the number of raw bytes that follow its line: PINs and scans are never text here. Writes JSON
objects to standard output, one per line:

    {"answer": 7, "status": "OK"}           for each instruction, with "message" if it failed
    {"event": {...}}                        an event of the library
    {"bridge": "sign", "call": 4, "what": "asked", "key": "..."}
    {"prompt": true}                        the sensor prompts for a finger; false: no longer
"""

from __future__ import annotations

import json
import os
import threading
from io import FileIO
from pathlib import Path
from typing import Any

from wallet_core import Client, Core, WalletCoreError
from wallet_core.bridges import Call
from wallet_core.keys import TOUCHES, SoftwarePlatform

_writing = threading.Lock()


def tell(message: dict[str, Any]) -> None:
    line = (json.dumps(message) + "\n").encode()
    with _writing:
        while line:
            line = line[os.write(1, line):]


class WatchedPlatform(SoftwarePlatform):
    """Reports which key each call is for, but never what is signed, encrypted or decrypted."""

    def public_key(self, call: Call, identifier: str) -> None:
        self._tell(call, identifier)
        super().public_key(call, identifier)

    def sign(self, call: Call, identifier: str, payload: bytes) -> None:
        self._tell(call, identifier)
        super().sign(call, identifier, payload)

    def delete_signing_key(self, call: Call, identifier: str) -> None:
        self._tell(call, identifier)
        super().delete_signing_key(call, identifier)

    def encrypt(self, call: Call, identifier: str, is_biometric: bool, plaintext: bytearray) -> None:
        self._tell(call, identifier)
        super().encrypt(call, identifier, is_biometric, plaintext)

    def decrypt(self, call: Call, identifier: str, is_biometric: bool, ciphertext: bytes) -> None:
        self._tell(call, identifier)
        super().decrypt(call, identifier, is_biometric, ciphertext)

    def delete_encryption_key(self, call: Call, identifier: str) -> None:
        self._tell(call, identifier)
        super().delete_encryption_key(call, identifier)

    def _tell(self, call: Call, identifier: str) -> None:
        tell({"bridge": call.function, "call": call.number, "what": "asked", "key": identifier})


class App:
    """The instructions are its methods; their results are part of the answers."""

    def __init__(self) -> None:
        self.core = Core()
        self.platform: WatchedPlatform
        self.client: Client
        self._is_engine_alive = threading.Event()

    def start(self, directory: str, configuration: str, rules: str, clock_ms: int, online: bool) -> dict[str, Any]:
        """Starts the wallet. `rules` is "android" or "ios"."""
        if self.core.testing is None:
            raise ValueError("this page needs libwallet_core_testing: clock and network are moved by it")
        self.core.testing.advance_clock(clock_ms)  # before init: the wallet keeps its clock and network
        self.core.testing.advance_calendar(clock_ms // 1000)
        self.platform = WatchedPlatform(Path(directory, "keys"))
        self.platform.kind = rules
        self.platform.on_prompt = lambda is_open: tell({"prompt": is_open})
        self.device(online)
        storage = Path(directory, "storage")
        storage.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.core.init_platform_support(self.platform, self._observe)
        self.core.init(
            Path(configuration).read_bytes(), app_version="1.0.0", app_id="org.example.phone", storage_path=storage)
        self.new_engine()
        return {"version": self.core.version}

    def _observe(self, function: str, call: int, what: str) -> None:
        tell({"bridge": function, "call": call, "what": what})

    # --- the engine that draws the user interface ------------------------------------------------

    def new_engine(self) -> None:
        """Attaches a new engine, which takes over if there was one. That one is dead and was not detached."""
        self.client = self.core.attach("app", take_over=True)
        self._is_engine_alive.set()
        threading.Thread(target=self._take_events, args=(self.client,), daemon=True).start()

    def kill_engine(self) -> None:
        """Ends the engine without detaching it: its events stay in their queue."""
        self._is_engine_alive.clear()
        self.client.interrupt()

    def _take_events(self, client: Client) -> None:
        try:
            while self._is_engine_alive.is_set():
                event = client.next_event(-1)
                if event is not None:
                    tell({"event": event})
        except WalletCoreError as error:
            if error.status != "CLIENT_DETACHED":  # expected after a take-over
                tell({"failure": str(error)})

    # --- what the user and the operating system do -----------------------------------------------

    def open(self, startup: str, link: str | None = None) -> None:
        self.client.open_app(startup, link=link)

    def choose(self, serial: int, action: str) -> None:
        self.client.choose(serial, action)

    def choose_option(self, serial: int, option: int) -> None:
        self.client.choose_option(serial, option)

    def enter(self, serial: int, data: bytearray) -> None:
        """`data` is the PIN, which the library's call overwrites."""
        self.client.choose(serial, "enter", pin=data)

    def scan(self, serial: int, symbology: int, data: bytearray) -> None:
        self.client.choose_scanned(serial, symbology, bytes(data))

    def finger(self, word: str) -> None:
        if word not in TOUCHES:
            raise ValueError(f"the sensor has no answer called {word}")
        if not self.platform.finger(word):
            raise ValueError("no prompt waits for a finger")

    def lifecycle(self, what: str) -> None:
        self.core.lifecycle(what)

    def cards(self) -> dict[str, Any]:
        return {"request": self.client.cards()}

    def activities(self) -> dict[str, Any]:
        return {"request": self.client.activities()}

    def present(
        self, card: str, paths: list[list[str | int]], nonce: str, audience: str, data: bytearray,
    ) -> dict[str, Any]:
        """`data` is the PIN, which the library's call overwrites."""
        return {"request": self.client.present([(card, paths)], nonce, audience, data)}

    def wipe(self) -> dict[str, Any]:
        return {"request": self.client.wipe()}

    # --- the device and the time -----------------------------------------------------------------

    def device(self, online: bool) -> None:
        self.platform.is_online = online
        self.core.testing.set_network_fault("ok" if online else "no-internet", -1)

    def clock(self, milliseconds: int) -> None:
        self.core.testing.advance_clock(milliseconds)
        self.core.testing.advance_calendar(milliseconds // 1000)
        self.core.is_locked()  # any call makes the wallet do what is due


def read_exactly(file: FileIO, length: int) -> bytearray:
    data, filled = bytearray(length), 0
    with memoryview(data) as view:
        while filled < length:
            count = file.readinto(view[filled:])
            if not count:
                raise EOFError("an instruction ends before its bytes")
            filled += count
    return data


def main() -> None:
    app = App()
    instructions = open(0, "rb", buffering=0)  # unbuffered, so that no copy of a PIN stays in a buffer
    while line := instructions.readline():
        instruction = json.loads(line)
        number, name = instruction.pop("id"), instruction.pop("do")
        if "bytes" in instruction:
            instruction["data"] = read_exactly(instructions, instruction.pop("bytes"))
        try:
            told = getattr(app, name)(**instruction) or {}
            tell({"answer": number, "status": "OK", **told})
        except WalletCoreError as error:
            tell({"answer": number, "status": error.status, "message": error.message})
        except (OSError, ValueError) as error:
            tell({"answer": number, "status": "FAILED", "message": str(error)})


if __name__ == "__main__":
    main()
