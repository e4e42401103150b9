# SPDX-License-Identifier: Apache-2.0
"""wallet_core: a digital-identity wallet without a screen, in Python.

    core = Core()
    core.init_platform_support(SoftwarePlatform("state"))   # wallet_core.keys
    core.init(configuration, app_version="1.0.0", app_id="org.example.first")
    client = core.attach("app")
    client.open_app()
    async for event in client.events(): ...

The manual of the library is its header, wallet_core.h.
"""

from .bridges import Call, Platform, Reply
from .client import OTHER_SYMBOLOGY, PDF417, QR_CODE, Client, Event
from .core import Core
from .errors import Category, WalletCoreError
from .http import HTTPCall, HTTPStack, Outcome, Reach

__all__ = [
    "OTHER_SYMBOLOGY", "PDF417", "QR_CODE", "Call", "Category", "Client", "Core", "Event", "HTTPCall", "HTTPStack",
    "Outcome", "Platform", "Reach", "Reply", "WalletCoreError",
]
