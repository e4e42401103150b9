# SPDX-License-Identifier: Apache-2.0
"""Controls the testing provider: its clock, its update policy, and the accounts of applicants."""

from __future__ import annotations

import json
import secrets
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
RULES: dict[str, list[dict[str, Any]]] = {
    "ok": [],
    "recommended": [{"grade": "recommend", "below_version": "2.0.0"}],
    "required": [{"grade": "block", "below_version": "2.0.0", "update_available": True}],
}


class Provider:
    """A provider whose `control_url` `wallet-provider-testing serve --control-tcp` has printed. Applicants' pictures
    are written to `pictures`."""

    def __init__(self, control_url: str, pictures: Path):
        self._control, self._pictures = control_url, pictures

    def _ask(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        request = urllib.request.Request(f"{self._control}/{path}", json.dumps(body).encode(), method="POST")
        with urllib.request.urlopen(request, timeout=60) as answer:
            told = json.load(answer)
        if "type" in told:  # a problem document
            raise ValueError(f"the provider's control: {told.get('detail') or told['type']}")
        return told

    def advance_clock(self, milliseconds: int) -> None:
        self._ask("clock", {"advance_ms": milliseconds})

    def set_update_policy(self, name: str) -> None:
        if name not in RULES:
            raise ValueError(f"there is no policy called {name}")
        self._ask("update-policy", {"rules": RULES[name]})

    def new_applicant(self) -> str:
        """Opens an account of Imogen Rowan and makes the pictures of its code and of a licence with a new number,
        because a licence can prove only one account. Returns the code as a link for this device."""
        account = self._ask("accounts", {
            "label": "imogen@rowan.example", "family_name": "Rowan", "given_name": "Imogen Elspeth",
            "birth_date": "1988-03-14"})
        licence = self._run(
            SAMPLES / "licence.py", "--family-name", "ROWAN", "--given-names", "IMOGEN ELSPETH",
            "--birth-date", "1988-03-14", "--number", f"T{secrets.randbelow(10**9):09}")
        content = self._pictures / "applicant.aamva"  # zint reads files only
        content.write_bytes(licence)
        self._run(
            "zint", "--barcode=PDF417", "--binary", "--secure=5", "--cols=13", "--scale=3", "--quietzones",
            "-i", content, "-o", self._pictures / "applicant.png")
        self._run(
            "qrencode", "--level=M", "--8bit", "--size=8", "--margin=4", "-o", self._pictures / "enrolment-code.png",
            content=account["qr"].encode())
        return account["link"]

    @staticmethod
    def _run(*command: str | Path, content: bytes | None = None) -> bytes:
        return subprocess.run(command, input=content, check=True, capture_output=True).stdout
