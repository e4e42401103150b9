# SPDX-License-Identifier: Apache-2.0
"""Controls the clock and the network of a library that was built for tests (wallet_core_testing.h)."""

from __future__ import annotations

from ctypes import c_char_p, c_int32, c_int64
from typing import Any

FAULTS = {"ok": 0, "no-internet": 1, "refused": 2, "answer-lost": 3}


class Testing:
    """Call one of these before Core.init(): a wallet keeps the clock and the network that it started with."""

    def __init__(self, library: Any):
        self._library = library
        library.wallet_core_testing_advance_clock.argtypes = (c_int64,)
        library.wallet_core_testing_stop_clock.argtypes = ()
        library.wallet_core_testing_stop_clock.restype = None
        library.wallet_core_testing_advance_calendar.argtypes = (c_int64,)
        library.wallet_core_testing_set_network_fault.argtypes = (c_int32, c_int32)
        library.wallet_core_testing_set_crash_point.argtypes = (c_char_p,)
        library.wallet_core_testing_crash_point_count.argtypes = (c_char_p,)
        library.wallet_core_testing_crash_point_count.restype = c_int64
        library.wallet_core_testing_configuration.restype = c_char_p
        library.wallet_core_testing_serve_http_bridge.argtypes = (c_char_p,)

    def advance_clock(self, milliseconds: int) -> None:
        self._library.wallet_core_testing_advance_clock(milliseconds)

    def stop_clock(self) -> None:
        """Stops the core's clock: from now on only advance_clock() moves it."""
        self._library.wallet_core_testing_stop_clock()

    def advance_calendar(self, seconds: int) -> None:
        self._library.wallet_core_testing_advance_calendar(seconds)

    def set_network_fault(self, fault: str, count: int = -1) -> None:
        """Makes the next `count` requests, or all of them if it is -1, fail with "no-internet", "refused" or
        "answer-lost"; "ok" ends the fault."""
        self._library.wallet_core_testing_set_network_fault(FAULTS[fault], count)

    def set_crash_point(self, name: str) -> None:
        self._library.wallet_core_testing_set_crash_point(name.encode())

    def crash_point_count(self, name: str) -> int:
        """How often the process has passed the named point."""
        return int(self._library.wallet_core_testing_crash_point_count(name.encode()))

    def configuration(self) -> bytes:
        """The document of a provider that does not run, for Core.init()."""
        return bytes(self._library.wallet_core_testing_configuration())

    def serve_http_bridge(self, directory: str) -> bool:
        """Carries out what `make check-http-bridge` asks of the HTTP stack, until it is done."""
        return bool(self._library.wallet_core_testing_serve_http_bridge(directory.encode()) == 0)
