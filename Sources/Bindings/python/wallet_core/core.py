# SPDX-License-Identifier: Apache-2.0
"""The wallet of this process."""

from __future__ import annotations

import atexit
import ctypes
import os
import threading
from collections.abc import Callable
from typing import Any

from . import errors, library as c
from .bridges import KINDS, Observer, Platform, bridges, silent_bridges
from .client import Client
from .http import HTTPStack, http_bridge
from .testing import Testing

LIFECYCLE = {"foreground": 1, "background": 2, "activity": 3}
LEVELS = {"off": 0, "error": 1, "warning": 2, "info": 3, "debug": 4}


class Core:
    """The wallet. A process has one, so make one Core. Any thread may call its methods."""

    def __init__(self, library_path: str | os.PathLike[str] | None = None):
        self.library = c.load(library_path)
        self._withdraw: Callable[[], None] | None = None
        self._withdraw_http: Callable[[], None] | None = None
        self.testing = Testing(self.library) if hasattr(self.library, "wallet_core_testing_reset_process") else None

    @property
    def version(self) -> str:
        return str(self.library.wallet_core_version(), "ascii")

    def call(self, name: str, *arguments: Any) -> None:
        """Calls wallet_core_`name` with an error pointer as the last argument, and raises the error."""
        error = ctypes.c_void_p()
        status = getattr(self.library, f"wallet_core_{name}")(*arguments, ctypes.byref(error))
        if status != 0:
            raise errors.take(self.library, status, error.value)

    def init_platform_support(self, platform: Platform, observe: Observer | None = None) -> None:
        """Hands the bridges to the library. `observe` gets every call: function, number, and "asked" or the reply."""
        released = threading.Semaphore(0)
        self.call(
            "init_platform_support", *map(ctypes.byref, bridges(self.library, platform, observe, released.release)))
        if self._withdraw is not None:
            atexit.unregister(self._withdraw)
        self._withdraw = lambda: self._withdraw_bridges(KINDS[platform.kind], released)
        # A call of the library's threads while the interpreter ends, or after that, would crash the process.
        atexit.register(self._withdraw)

    def _withdraw_bridges(self, kind: int, released: threading.Semaphore) -> None:
        """From now on the library calls no Python function of the platform, and none of them runs."""
        self.call("init_platform_support", *map(ctypes.byref, silent_bridges(kind)))
        # Before init there are no threads that could call or release them. A call that the user still has to answer
        # keeps its bridge; it has returned, and nobody waits for its answer.
        if self.is_initialized:
            for _ in range(3):
                released.acquire(timeout=0.5)

    def set_http_stack(self, stack: HTTPStack | None) -> None:
        """Makes the library send its requests by `stack`; None makes it use libcurl again. A process without libcurl
        calls this before init()."""
        released = threading.Semaphore(0)
        bridge = ctypes.byref(http_bridge(self.library, stack, released.release)) if stack is not None else None
        self.call("set_http_bridge", bridge)
        if self._withdraw_http is not None:
            atexit.unregister(self._withdraw_http)
        self._withdraw_http = None
        if stack is not None:
            self._withdraw_http = lambda: self._take_http_back(released)
            atexit.register(self._withdraw_http)

    def _take_http_back(self, released: threading.Semaphore) -> None:
        """The same as _withdraw_bridges() for the HTTP bridge."""
        self.call("set_http_bridge", None)
        if self.is_initialized:
            released.acquire(timeout=0.5)

    def init(
        self, configuration: bytes, *, app_version: str, app_id: str, storage_path: str | os.PathLike[str] | None = None,
        log: Callable[[int, str, str], None] | None = None, log_level: str = "warning",
    ) -> None:
        """Starts the wallet. `configuration` is what `wallet-provider client-configuration` prints. `log` gets level,
        subsystem and message, on a thread of the library. After a success, further calls change nothing."""
        options = c.Options(
            struct_size=ctypes.sizeof(c.Options), embedded_configuration=configuration,
            embedded_configuration_length=len(configuration), app_version=c.text(app_version), app_id=c.text(app_id),
            storage_path=c.text(os.fspath(storage_path)) if storage_path is not None else None)
        if log is not None:
            callback = c.OnLog(lambda _, level, subsystem, message: log(level, subsystem.decode(), message.decode()))
            options.log, options.log_level = callback, LEVELS[log_level]
            c.keep(callback)
        self.call("init", ctypes.byref(options))

    @property
    def is_initialized(self) -> bool:
        """Whether the wallet was started in this process. If so, a new user interface attaches with take_over."""
        return bool(self.library.wallet_core_is_initialized() == 1)

    def attach(self, name: str = "app", *, take_over: bool = False) -> Client:
        """Attaches a client. Its events begin with the current value of every stream."""
        number = ctypes.c_uint64()
        self.call("client_attach", c.text(name), 1 if take_over else 0, ctypes.byref(number))
        client = Client(self, number.value)
        # A Python thread that still waits in the library while the interpreter ends would crash the process.
        atexit.register(client.abandon)
        return client

    def lock(self) -> None:
        self.call("lock")

    def lifecycle(self, event: str) -> None:
        """Reports "foreground", "background" or user "activity"."""
        self.call("notify_lifecycle", LIFECYCLE[event])

    def is_locked(self) -> bool:
        return self._flag("is_locked")

    def has_registration(self) -> bool:
        return self._flag("has_registration")

    def is_biometric_unlock_enabled(self) -> bool:
        return self._flag("is_biometric_unlock_enabled")

    def _flag(self, name: str) -> bool:
        answer = ctypes.c_int32()
        self.call(name, ctypes.byref(answer))
        return answer.value == 1
