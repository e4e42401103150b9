# SPDX-License-Identifier: Apache-2.0
"""The errors of the library."""

from __future__ import annotations

import enum
import json
from typing import Any


class Category(enum.IntEnum):
    """The category of an error (WALLET_CORE_CATEGORY_...)."""

    USAGE = 1
    WALLET_STATE = 2
    NETWORK = 3
    SERVER = 4
    PLATFORM = 5
    STORAGE = 6
    TRANSIENT = 7
    INTERNAL = 8


class WalletCoreError(Exception):
    """A status that is not OK.

    `status` is its name, e.g. "PIN_REFUSED"; `message` is for developers; `data` has details, e.g.
    {"reason": "sequence"}."""

    def __init__(self, status: str, message: str = "", category: int = 0, data: dict[str, Any] | None = None):
        super().__init__(f"{status}: {message}" if message else status)
        self.status, self.message, self.category, self.data = status, message, category, data or {}


def take(library: Any, status: int, error: int | None) -> WalletCoreError:
    """Makes an exception from a status and its error object, and frees the object."""
    name = library.wallet_core_status_name(status).decode()
    message = library.wallet_core_error_message(error, None).decode()
    data = json.loads(library.wallet_core_error_data(error, None))
    category = library.wallet_core_error_category(error)
    library.wallet_core_error_free(error)
    return WalletCoreError(name, message, category, data)
