#!/usr/bin/env python3
"""Builds the wheel: this package with the library inside.

    build_wheel.py LIBRARY VERSION DIRECTORY [LICENCE_DIRECTORY]

Prints the wheel's path. The same files give the same bytes: names are sorted, and times are that of
SOURCE_DATE_EPOCH. A wheel is a zip file with three files of its own; no build backend is needed for that.
"""

import base64
import hashlib
import os
import stat
import sys
import time
import zipfile
from pathlib import Path

PACKAGE = Path(__file__).with_name("wallet_core")

# Not manylinux: the library needs libsodium and libsqlite3, which the system has to have.
PLATFORM = f"linux_{os.uname().machine}"

METADATA = """\
Metadata-Version: 2.1
Name: wallet_core
Version: {version}
Summary: A digital-identity wallet without a screen
Requires-Python: >=3.10
Provides-Extra: keys
Requires-Dist: cryptography; extra == "keys"
Description-Content-Type: text/markdown

`wallet_core` runs every flow of a digital-identity wallet; an app draws the steps and holds the keys. The
package carries the library, which needs libsodium, SQLite and libcurl of the system. `wallet_core[keys]`
brings keys in software, for development.
"""

WHEEL = """\
Wheel-Version: 1.0
Generator: wallet_core build_wheel.py
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""


def contents(library: Path, version: str, licences: Path | None) -> dict[str, bytes]:
    """The files of the wheel by their names, without RECORD, which lists them."""
    files = {f"wallet_core/{path.name}": path.read_bytes() for path in PACKAGE.iterdir() if path.is_file()}
    files[f"wallet_core/{library.name}"] = library.read_bytes()
    about = f"wallet_core-{version}.dist-info"
    files[f"{about}/METADATA"] = METADATA.format(version=version).encode()
    files[f"{about}/WHEEL"] = WHEEL.format(platform=PLATFORM).encode()
    if licences is not None:
        for text in licences.rglob("*"):
            if text.is_file():
                files[f"{about}/licenses/{text.relative_to(licences)}"] = text.read_bytes()
    return dict(sorted(files.items()))


def record(files: dict[str, bytes], name: str) -> bytes:
    """RECORD: every file with its digest and size, and itself without."""
    lines = []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(data)}\n")
    return "".join([*lines, f"{name},,\n"]).encode()


def build(library: Path, version: str, directory: Path, licences: Path | None = None) -> Path:
    files = contents(library, version, licences)
    name = f"wallet_core-{version}.dist-info/RECORD"
    files[name] = record(files, name)
    # The zip format begins in 1980.
    epoch = max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800)
    directory.mkdir(parents=True, exist_ok=True)
    wheel = directory / f"wallet_core-{version}-py3-none-{PLATFORM}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, time.gmtime(epoch)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            mode = 0o755 if ".so" in Path(path).suffixes else 0o644
            entry.external_attr = (stat.S_IFREG | mode) << 16
            archive.writestr(entry, data)
    return wheel


if __name__ == "__main__":
    if not 4 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    source, number, *places = sys.argv[1:]
    print(build(Path(source), number, *map(Path, places)))
