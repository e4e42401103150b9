# SPDX-License-Identifier: Apache-2.0
"""A wallet app in a terminal: it shows each step of the library and passes on what you choose."""

import sys
from pathlib import Path
from typing import Any

from wallet_core import PDF417, QR_CODE, Client, Core, Event, WalletCoreError
from wallet_core.keys import SoftwarePlatform


def show(client: Client, step: Event) -> bool:
    """Draws a step; passes on "next", "enter 471108" or "scanned code.txt". True if that was refused."""
    print(f"\n== {step['title']}\n{step['message']}")
    for notice in step["notices"]:
        print("!", notice)
    for action in step["actions"]:
        print(f"  {action['name']:22} {action['label']}")
    if not step["actions"]:
        return False  # it ends by itself
    name, _, text = input("> ").partition(" ")
    try:
        if name == "scanned":  # the bytes that a camera would read, here from a file
            symbol = PDF417 if step["name"] == "scan-licence" else QR_CODE
            client.choose_scanned(step["serial"], symbol, Path(text).read_bytes())
        else:
            client.choose(step["serial"], name, bytearray(text, "utf-8") if text else None)
        return False
    except OSError as missing:
        print(missing, file=sys.stderr)
        return True
    except WalletCoreError as refused:
        print(refused, file=sys.stderr)
        return refused.status != "STALE_STEP"


def show_claims(claims: dict[str, Any], path: str = "") -> None:
    for name, value in sorted(claims.items()):
        if isinstance(value, dict):
            show_claims(value, f"{path}{name}.")
        else:
            print(f"{path}{name}: {str(value).lower() if isinstance(value, bool) else value}")


def main() -> None:
    platform = SoftwarePlatform("state")
    platform.biometrics = "none"  # a terminal has no sensor
    core = Core()
    core.init_platform_support(platform)
    core.init(Path("configuration.json").read_bytes(), app_version="1.0.0", app_id="org.example.first")
    client = core.attach("app")
    client.open_app()
    while event := client.next_event():
        if event["kind"] == "completion":
            for card in event.get("cards", []):
                show_claims(card["claims"])
            sys.exit(event["status_name"] if event["status"] != 0 else 0)
        if event["kind"] == "step" and event["arguments"].get("has_pid"):
            client.cards()  # the dashboard: the card's claims come with another event
        elif event["kind"] == "step":
            while show(client, event):
                pass
            if event["step_kind"] == "end":
                return  # an exit is safe at any time


if __name__ == "__main__":
    try:
        main()
    except EOFError:
        pass  # nothing more is typed
    except (OSError, WalletCoreError) as error:
        sys.exit(str(error))
