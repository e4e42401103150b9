#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel: this package with the library inside.

    build_wheel.py LIBRARY VERSION DIRECTORY LICENCE_DIRECTORY

LICENCE_DIRECTORY has the texts of this project's licence and of all that is in the library. Prints the wheel's path.
The same files give the same bytes: names are sorted, and all times are SOURCE_DATE_EPOCH. No build backend is needed,
because a wheel is a zip file with three files of metadata.
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

# Not manylinux: the library needs libsodium and libsqlite3 from the system.
PLATFORM = f"linux_{os.uname().machine}"

METADATA = """\
Metadata-Version: 2.4
Name: wallet_core
Version: {version}
Summary: A digital-identity wallet without a screen
License-Expression: Apache-2.0
{licences}
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


def contents(library: Path, version: str, licences: Path) -> dict[str, bytes]:
    """The files of the wheel by name, except RECORD, which lists them."""
    files = {f"wallet_core/{path.name}": path.read_bytes() for path in PACKAGE.iterdir() if path.is_file()}
    files[f"wallet_core/{library.name}"] = library.read_bytes()
    about = f"wallet_core-{version}.dist-info"
    texts = {f"{path.relative_to(licences)}": path.read_bytes() for path in licences.rglob("*") if path.is_file()}
    files |= {f"{about}/licenses/{name}": text for name, text in texts.items()}
    named = "\n".join(f"License-File: {name}" for name in sorted(texts))
    files[f"{about}/METADATA"] = METADATA.format(version=version, licences=named).encode()
    files[f"{about}/WHEEL"] = WHEEL.format(platform=PLATFORM).encode()
    return dict(sorted(files.items()))


def record(files: dict[str, bytes], name: str) -> bytes:
    """The content of RECORD: every file with its digest and size, RECORD itself without them."""
    lines = []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(data)}\n")
    return "".join([*lines, f"{name},,\n"]).encode()


def build(library: Path, version: str, directory: Path, licences: Path) -> Path:
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
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    source, number, *directories = sys.argv[1:]
    print(build(Path(source), number, *map(Path, directories)))
