#!/usr/bin/env python3
"""The names of the functions that a header declares, sorted, as the compiler reads it.

    declared.py [--documented] HEADER

--documented: only those with a documentation comment. Needs the clang of the Swift toolchain.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys


def clang():
    swift = shutil.which(os.environ.get("SWIFT", "swift"))
    return pathlib.Path(swift).parent / "clang" if swift else "clang"


def functions(header):
    dump = subprocess.run(
        [clang(), "-x", "c", "-std=c17", "-fsyntax-only", "-Xclang", "-ast-dump=json", header],
        stdout=subprocess.PIPE, check=True,
    ).stdout
    return [
        node for node in json.loads(dump)["inner"]
        if node["kind"] == "FunctionDecl" and node["name"].startswith("wallet_core_")
    ]


def is_documented(node):
    return any(part["kind"] == "FullComment" for part in node.get("inner", []))


def main():
    *options, header = sys.argv[1:]
    found = functions(header)
    if "--documented" in options:
        found = [node for node in found if is_documented(node)]
    print(*sorted({node["name"] for node in found}), sep="\n")


if __name__ == "__main__":
    main()
