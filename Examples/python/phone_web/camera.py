# SPDX-License-Identifier: Apache-2.0
"""The camera: finds the codes in a picture, as a phone's decoder would."""

from __future__ import annotations

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from wallet_core import OTHER_SYMBOLOGY, PDF417, QR_CODE

PNG = b"\x89PNG\r\n\x1a\n"

# The pictures offered, and what they show. Those named "applicant" and "enrolment-code" are the applicant's.
SAMPLES = {
    "scan-licence": {
        "applicant": "Her licence",
        "licence-tilted": "Held at an angle",
        "licence-damaged": "40 % is gone",
        "licence-cut-off": "Half of the content",
        "licence-expired": "Expired in 2019",
        "licence-under-age": "Aged 16",
        "licence-somebody-else": "Somebody else’s",
        "identity-card": "An identity card",
        "inventory-number": "Another barcode",
    },
    "code": {
        "enrolment-code": "Code of her account",
        "poster": "A poster",
        "licence": "A licence",
        "nothing": "A white wall",
    },
}


def samples(step: str) -> dict[str, str]:
    return SAMPLES.get(step, SAMPLES["code"])


@dataclass
class Scan:
    """The result of a scan. `data` is None if nothing was read; then `is_unreadable` says whether a code is there."""

    data: bytearray | None = None
    symbology: int = OTHER_SYMBOLOGY
    is_unreadable: bool = False


class Camera:
    """Scans pictures with `scanner`, the program `scan` of Examples/C."""

    def __init__(self, scanner: Path):
        self._scanner = scanner

    def look(self, picture: Path, step: str, name: str = "") -> Scan:
        """Scans a picture for that step: a step that asks for a licence prefers its barcode. `name` is the user's name
        of the picture."""
        wanted = ["--licence"] if step == "scan-licence" else []
        found = subprocess.run([self._scanner, *wanted, picture], capture_output=True, check=False)
        if found.returncode in (1, 2):
            return Scan(is_unreadable=found.returncode == 1)
        if found.returncode != 0:
            reason = found.stderr.decode("utf-8", "replace").strip().removeprefix(f"scan: {picture}: ")
            raise ValueError(f"{name or picture.name}: {reason or 'the scanner failed'}")
        raw = subprocess.run([self._scanner, *wanted, "--raw", picture], capture_output=True, check=True).stdout
        name = found.stdout.split(b",", 1)[0].upper()
        symbology = QR_CODE if b"QR" in name else PDF417 if b"PDF" in name else OTHER_SYMBOLOGY
        return Scan(bytearray(raw), symbology)

    def look_at_upload(self, image: bytes, step: str, name: str) -> Scan:
        if not image.startswith(PNG):
            raise ValueError(f"{name}: the camera takes PNG files")
        with tempfile.NamedTemporaryFile(suffix=".png") as file:
            file.write(image)
            file.flush()
            return self.look(Path(file.name), step, name)
