# SPDX-License-Identifier: Apache-2.0
"""The smallest host: starts the wallet and prints its first events.

    python first.py configuration.json      # from: wallet-provider client-configuration
"""

import asyncio
import sys
from pathlib import Path

from wallet_core import Core, WalletCoreError
from wallet_core.keys import SoftwarePlatform


async def main(configuration: Path) -> None:
    core = Core()
    core.init_platform_support(SoftwarePlatform("state"))
    core.init(configuration.read_bytes(), app_version="1.0.0", app_id="org.example.first")
    client = core.attach("app")
    client.open_app()
    async for event in client.events():
        match event["kind"]:
            case "configuration":
                print("configuration: locks after", event["inactive_timeout_ms"] // 1000, "s without a touch")
            case "lock_state":
                print("lock:", "locked" if event["is_locked"] else "unlocked")
            case "version_state":
                print("version:", event["grade"])
            case "step":
                print("step:", event["use_case"], event["row"], event["title"])
                if event["step_kind"] != "progress":
                    break  # an app draws the step and answers it with client.choose()
    client.detach()


if __name__ == "__main__":
    try:
        asyncio.run(main(Path(sys.argv[1] if len(sys.argv) > 1 else "configuration.json")))
    except (OSError, WalletCoreError) as error:
        sys.exit(str(error))
