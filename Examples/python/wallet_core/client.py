"""A client: one user interface, its requests and its events."""

from __future__ import annotations

import asyncio
import atexit
import ctypes
import json
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from .errors import WalletCoreError

if TYPE_CHECKING:
    from .core import Core

Event = dict[str, Any]
"""The JSON of an event: "kind" is "configuration", "lock_state", "version_state", "step" or "completion".
wallet_core_events.schema.json describes all of them."""

STARTUP = {"launch": 1, "resume": 2}
QR_CODE, PDF417, OTHER_SYMBOLOGY = 1, 2, 3


class _Secret:
    """Lends a PIN to one call, then overwrites it."""

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
    """Requests return a number; exactly one event of kind "completion" with this "request" follows each.

    Any thread may use a client; one at a time may wait for its events."""

    def __init__(self, core: Core, number: int):
        self._core, self.number = core, number

    # --- events ---------------------------------------------------------------------------------

    def next_event(self, timeout_ms: int = -1) -> Event | None:
        """Waits for the next event; None where the time has passed or interrupt() ended the wait. Raises
        CLIENT_DETACHED once the client has ended."""
        event = ctypes.c_void_p()
        library = self._core.library
        try:
            self._core.call("next_event", self.number, timeout_ms, ctypes.byref(event))
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
        """Every event until the client ends, for asyncio: a thread of its own does the waiting."""
        loop = asyncio.get_running_loop()
        waiting = ThreadPoolExecutor(1, thread_name_prefix="wallet_core events")
        try:
            while True:
                event = await loop.run_in_executor(waiting, self.next_event)
                if event is not None:
                    yield event
        except WalletCoreError as error:
            if error.status != "CLIENT_DETACHED":
                raise
        finally:
            self.interrupt()
            waiting.shutdown(wait=False)

    def interrupt(self) -> None:
        """Ends the wait for an event. Does nothing where the client has ended."""
        self._core.library.wallet_core_interrupt(self.number, None)

    def detach(self) -> None:
        """Ends the client in good order."""
        self._core.call("client_detach", self.number)
        atexit.unregister(self.abandon)

    def abandon(self) -> None:
        """Drops the client at once; for exit handlers and dead user interfaces."""
        self._core.library.wallet_core_client_abandon(self.number)

    # --- the flows ------------------------------------------------------------------------------

    def open_app(self, startup: str = "launch", link: str | None = None) -> None:
        """Opens the app ("launch" or "resume"), with the universal link that it was opened by: a step follows."""
        self._core.call("open_app", self.number, STARTUP[startup], link.encode() if link is not None else None)

    def choose(self, serial: int, action: str, pin: bytearray | None = None) -> None:
        """Answers the step with that serial. `pin` goes with the action "enter"."""
        if pin is None:
            self._core.call("choose", self.number, serial, action.encode(), None, 0)
            return
        with _Secret(pin) as digits:
            self._core.call("choose", self.number, serial, action.encode(), *digits)

    def choose_scanned(self, serial: int, symbology: int, data: bytes) -> None:
        """Answers a step that wants a scan with the raw bytes of a QR_CODE, PDF417 or OTHER_SYMBOLOGY."""
        self._core.call("choose_scanned", self.number, serial, symbology, data, len(data))

    # --- requests -------------------------------------------------------------------------------

    def register(self, pin: bytearray) -> int:
        return self._ask_with("register", pin)

    def unlock(self, pin: bytearray) -> int:
        return self._ask_with("unlock", pin)

    def check_pin(self, pin: bytearray) -> int:
        return self._ask_with("check_pin", pin)

    def change_pin(self, pin: bytearray, new_pin: bytearray) -> int:
        with _Secret(pin) as former, _Secret(new_pin) as new:
            return self._ask("change_pin", *former, *new)

    def enable_biometric_unlock(self, pin: bytearray) -> int:
        return self._ask_with("enable_biometric_unlock", pin)

    def disable_biometric_unlock(self) -> int:
        return self._ask("disable_biometric_unlock")

    def unlock_with_biometrics(self) -> int:
        return self._ask("unlock_with_biometrics")

    def cards(self) -> int:
        """The completion has the cards of the unlocked wallet as "cards"."""
        return self._ask("cards")

    def present(self, card: str, claims: list[str], nonce: str, audience: str) -> int:
        """The completion has the presentation for the verifier as "presentation". Ask the user first."""
        names = (ctypes.c_char_p * len(claims))(*(claim.encode() for claim in claims))
        return self._ask("present", card.encode(), names, len(claims), nonce.encode(), audience.encode())

    def wipe(self) -> int:
        return self._ask("wipe")

    def cancel(self, request: int) -> None:
        self._core.call("cancel", self.number, request)

    def _ask(self, name: str, *arguments: Any) -> int:
        request = ctypes.c_uint64()
        self._core.call(name, self.number, *arguments, ctypes.byref(request))
        return request.value

    def _ask_with(self, name: str, pin: bytearray) -> int:
        with _Secret(pin) as digits:
            return self._ask(name, *digits)
