#!/usr/bin/env python3
"""Prints the Debian packages with the libraries that a product of Package.swift links.

    swift package dump-package | Tests/ABI/linked_packages.py TARGET

TARGET is the target that the product is made of. Prints one package per line, sorted.
"""

import json
import sys

# Of products of other packages.
OTHERS = {"GRDB": "libsqlite3-dev"}


def main(name):
    targets = {target["name"]: target for target in json.load(sys.stdin)["targets"]}
    packages, seen, left = set(), set(), [name]
    while left:
        name = left.pop()
        if name in seen:
            continue
        seen.add(name)
        packages |= {OTHERS[name]} if name in OTHERS else set()
        if (target := targets.get(name)) is None:
            continue
        for provider in target.get("providers") or []:
            packages.update(package for names in provider.get("apt", []) for package in names)
        left += [dependency[kind][0] for dependency in target["dependencies"] for kind in dependency]
    print(*sorted(packages), sep="\n")


main(sys.argv[1])
