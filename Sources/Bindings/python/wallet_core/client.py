# SPDX-License-Identifier: Apache-2.0
"""A client: a user interface with its requests and events."""

from __future__ import annotations

import asyncio
import atexit
import collections
import ctypes
import json
import threading
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from . import library as c
from .errors import WalletCoreError

if TYPE_CHECKING:
    from .core import Core

Event = dict[str, Any]
"""The JSON of an event: "kind" is "configuration", "lock_state", "version_state", "step",
"cards_changed" (call cards() again) or "completion". wallet_core_events.schema.json describes all of them."""

Path = list[str | int]
"""The way to a claim: names, and indices of lists from 0."""

STARTUP = {"launch": 1, "resume": 2}
DECISIONS = {"refuse": 1, "allow": 2}
QR_CODE, PDF417, OTHER_SYMBOLOGY = 1, 2, 3


def _finish(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


class _Secret:
    """Lends a PIN to one call and then overwrites it."""

    def __init__(self, pin: bytearray):
        if not isinstance(pin, bytearray):
            raise TypeError("a PIN is a bytearray of ASCII digits: it is overwritten after the call")
        self._pin = pin

    def __enter__(self) -> tuple[Any, int]:
        self._lent = (ctypes.c_char * len(self._pin)).from_buffer(self._pin)
        return self._lent, len(self._pin)

    def __exit__(self, *_: object) -> None:
        ctypes.memset(self._lent, 0, len(self._pin))
        del self._lent


class Client:
    """A user interface. A request returns a number; exactly one event of kind "completion" with this number as
    "request" follows.

    Any thread may use a client, but only one at a time may wait for its events."""

    def __init__(self, core: Core, number: int):
        self._core, self.number = core, number
        self._arrived: collections.deque[Event | WalletCoreError] = collections.deque()
        self._waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = []
        self._lock, self._is_taking = threading.Lock(), False

    # --- events ---------------------------------------------------------------------------------

    def next_event(self, timeout_ms: int = -1) -> Event | None:
        """Waits for the next event. Returns None if the time has passed or interrupt() ended the wait; -1 waits
        without a limit. Raises CLIENT_DETACHED once the client has ended."""
        event = ctypes.c_void_p()
        library = self._core.library
        try:
            self._core.call("client_next_event", self.number, timeout_ms, ctypes.byref(event))
        except WalletCoreError as error:
            if error.status in ("TIMEOUT", "INTERRUPTED"):
                return None
            raise
        try:
            taken: Event = json.loads(library.wallet_core_event_json(event, None))
            return taken
        finally:
            library.wallet_core_event_free(event)

    async def events(self) -> AsyncIterator[Event]:
        """Yields every event until the client ends, for asyncio. A task that is cancelled here loses no event: the
        next reader gets it."""
        while True:
            with self._lock:
                arrived = self._arrived.popleft() if self._arrived else None
                if isinstance(arrived, WalletCoreError):
                    self._arrived.append(arrived)  # the end is for every reader
                elif arrived is None:
                    wait = self._wait()
            if isinstance(arrived, WalletCoreError):
                if arrived.status != "CLIENT_DETACHED":
                    raise arrived
                return
            if arrived is not None:
                yield arrived
            else:
                await wait

    def _wait(self) -> asyncio.Future[None]:
        """Returns a future that is done when an event has arrived. Call it with the lock held. A thread waits for the
        event: a daemon, because Python joins other threads before an exit handler can end the client. It takes one
        event at a time, so that the library can drop outdated values of streams."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        self._waiting.append((loop, future))
        if not self._is_taking:
            self._is_taking = True
            threading.Thread(target=self._take, name="wallet_core events", daemon=True).start()
        return future

    def _take(self) -> None:
        arrived: Event | WalletCoreError | None = None
        try:
            while arrived is None:
                arrived = self.next_event()
        except WalletCoreError as error:
            arrived = error
        with self._lock:
            self._is_taking = False
            self._arrived.append(arrived)
            waiting, self._waiting = self._waiting, []
        for loop, future in waiting:
            try:
                loop.call_soon_threadsafe(_finish, future)
            except RuntimeError:
                pass  # the loop is closed

    def interrupt(self) -> None:
        """Ends the wait for an event. Does nothing if the client has ended."""
        self._core.library.wallet_core_client_interrupt(self.number, None)

    def detach(self) -> None:
        """Ends the client and waits until the library has released it."""
        self._core.call("client_detach", self.number)
        atexit.unregister(self.abandon)

    def abandon(self) -> None:
        """Drops the client without waiting; for exit handlers and dead user interfaces."""
        self._core.library.wallet_core_client_abandon(self.number)

    # --- the flows ------------------------------------------------------------------------------

    def open_app(self, startup: str = "launch", link: str | None = None) -> None:
        """Opens the app ("launch" or "resume"), with the universal link that opened it, if any. A step follows."""
        self._core.call("open_app", self.number, STARTUP[startup], c.text(link) if link is not None else None)

    def choose(self, serial: int, action: str, pin: bytearray | None = None) -> None:
        """Answers the step with this serial. `pin` belongs to the action "enter"."""
        if pin is None:
            self._core.call("choose", self.number, serial, c.text(action), None, 0)
            return
        with _Secret(pin) as digits:
            self._core.call("choose", self.number, serial, c.text(action), *digits)

    def choose_scanned(self, serial: int, symbology: int, data: bytes) -> None:
        """Answers a step that asks for a scan with the raw bytes of a QR_CODE, PDF417 or OTHER_SYMBOLOGY."""
        self._core.call("choose_scanned", self.number, serial, symbology, data, len(data))

    def choose_option(self, serial: int, option: int) -> None:
        """Answers a step by choosing an option of the request of a relying party, by its index."""
        self._core.call("choose_option", self.number, serial, option)

    # --- requests -------------------------------------------------------------------------------

    def register(self, pin: bytearray) -> int:
        return self._ask_with("register", pin)

    def unlock(self, pin: bytearray) -> int:
        return self._ask_with("unlock", pin)

    def check_pin(self, pin: bytearray) -> int:
        return self._ask_with("check_pin", pin)

    def pin_state(self) -> int:
        """Asks the provider whether it accepts a PIN now; costs no attempt. The completion has the answer as "pin"."""
        return self._ask("pin_state")

    def change_pin(self, pin: bytearray, new_pin: bytearray) -> int:
        with _Secret(pin) as former, _Secret(new_pin) as new:
            return self._ask("change_pin", *former, *new)

    def decide_replacement(self, session: str, decision: str, pin: bytearray) -> int:
        """Tells the provider "refuse" or "allow" of another wallet that waits to take the place of this one: the
        "replacement" of a completion, named by its "session"."""
        with _Secret(pin) as digits:
            return self._ask("decide_replacement", c.text(session), DECISIONS[decision], *digits)

    def enable_biometric_unlock(self, pin: bytearray) -> int:
        return self._ask_with("enable_biometric_unlock", pin)

    def disable_biometric_unlock(self) -> int:
        return self._ask("disable_biometric_unlock")

    def unlock_with_biometrics(self) -> int:
        return self._ask("unlock_with_biometrics")

    def cards(self) -> int:
        """Requests the cards of the unlocked wallet; the completion has them as "cards"."""
        return self._ask("cards")

    def present(self, selections: list[tuple[str, list[Path]]], nonce: str, audience: str, pin: bytearray) -> int:
        """Requests presentations of cards for a verifier: of each card, by its id, the claims at the paths, such as
        ["address", "street_address"]. Show the user who asks for which claims, then ask for the PIN, also where
        biometrics unlocked the wallet. The completion has the answer as "pin" and, if the PIN is right, one text for
        each selection as "presentations"."""
        with _Secret(pin) as digits:
            chosen = [c.selection(card, [json.dumps(path) for path in paths]) for card, paths in selections]
            pointers = (ctypes.POINTER(c.CardSelection) * len(chosen))(*(ctypes.pointer(one) for one in chosen))
            return self._ask("present", pointers, len(chosen), c.text(nonce), c.text(audience), *digits)

    def begin_sharing(self, link: str, from_other_device: bool) -> int:
        """Requests what a relying party asks for by a link or code; the completion has it as "sharing"."""
        return self._ask("begin_sharing", c.text(link), int(from_other_device))

    def choose_sharing_option(self, sharing: str, option: int) -> int:
        """Chooses one of the "options" of the request with this id; the completion has it as it is then."""
        return self._ask("choose_sharing_option", c.text(sharing), option)

    def confirm_sharing(self, sharing: str, pin: bytearray) -> int:
        """Shares what is chosen. The completion has the answer as "pin" and, if the PIN is right, the end as
        "shared", with the "redirect_uri" to open, if there is one."""
        with _Secret(pin) as digits:
            return self._ask("confirm_sharing", c.text(sharing), *digits)

    def refuse_sharing(self, sharing: str) -> int:
        """Refuses a request; the completion has the end as "shared"."""
        return self._ask("refuse_sharing", c.text(sharing))

    def activities(self) -> int:
        """Requests the history; the completion has it as "activities", the newest first."""
        return self._ask("activities")

    def wipe(self) -> int:
        return self._ask("wipe")

    def refresh(self) -> int:
        """Fetches the update policy and the configuration now. Events of what has changed come before the
        completion."""
        return self._ask("refresh")

    def cancel(self, request: int) -> None:
        self._core.call("cancel", self.number, request)

    def _ask(self, name: str, *arguments: Any) -> int:
        request = ctypes.c_uint64()
        self._core.call(name, self.number, *arguments, ctypes.byref(request))
        return request.value

    def _ask_with(self, name: str, pin: bytearray) -> int:
        with _Secret(pin) as digits:
            return self._ask(name, *digits)
