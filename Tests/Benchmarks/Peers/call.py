"""Calls the entry of a benchmark that is a library: call.py LIBRARY ENTRY [ARGUMENT...]

`{sqlcipher}` among the arguments stands for the library of the installed sqlcipher3, `{askar}` for
that of aries-askar.
"""

import ctypes
import importlib.util
import sys
from pathlib import Path


def installed(package: str, pattern: str) -> str:
    """The one file of a package that is its library; the package itself is not loaded."""
    specification = importlib.util.find_spec(package)
    if specification is None or specification.origin is None:
        raise SystemExit(f"{package} is not installed")
    (found,) = Path(specification.origin).parent.glob(pattern)
    return str(found)


def main() -> int:
    library, entry, *arguments = sys.argv[1:]
    libraries = {
        "{askar}": installed("aries_askar", "libaries_askar.so"),
        "{sqlcipher}": installed("sqlcipher3", "_sqlite3.*.so"),
    }
    texts = [entry, *(libraries.get(argument, argument) for argument in arguments)]
    encoded = (ctypes.c_char_p * len(texts))(*(text.encode() for text in texts))
    function = getattr(ctypes.CDLL(library), entry)
    sys.stdout.flush()
    return int(function(len(texts), encoded))


if __name__ == "__main__":
    sys.exit(main())
