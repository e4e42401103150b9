"""Calls the entry of a benchmark that is a library, or finds the library of a peer.

    call.py LIBRARY ENTRY [ARGUMENT...]
    call.py --find aries_askar|sqlcipher3

It runs in Python because sqlcipher3's library needs symbols of it; what is measured is C.
"""

import ctypes
import importlib.util
import sys
from pathlib import Path

PATTERNS = {"aries_askar": "libaries_askar.so", "sqlcipher3": "_sqlite3.*.so"}


def find(package: str) -> Path:
    """The one file of a package that is its library; the package itself is not loaded."""
    specification = importlib.util.find_spec(package)
    if specification is None or specification.origin is None:
        raise SystemExit(f"{package} is not installed")
    (found,) = Path(specification.origin).parent.glob(PATTERNS[package])
    return found


def call(library: str, entry: str, arguments: list[str]) -> int:
    """The entry has the shape of C's main."""
    texts = [text.encode() for text in (entry, *arguments)]
    function = getattr(ctypes.CDLL(library), entry)
    return int(function(len(texts), (ctypes.c_char_p * len(texts))(*texts)))


if __name__ == "__main__":
    if sys.argv[1] == "--find":
        print(find(sys.argv[2]))
    else:
        sys.exit(call(sys.argv[1], sys.argv[2], sys.argv[3:]))
