#!/usr/bin/env python3
"""Lists what a header declares, in the macros of Tests/ABI/probe.c.

    abi_declared.py HEADER <PREPROCESSED_HEADER

A number that is a macro is a constant too, except the parts of the library's own version.
"""
import re
import sys

header = open(sys.argv[1], encoding="utf-8").read()
# What the header says to clang alone.
code = re.sub(r'__attribute__\(\((?:[^()]|\([^()]*\))*\)\)|\b_(?:Nullable|Nonnull)\b', "", sys.stdin.read())

for name in sorted(set(re.findall(r"\b(wallet_core_\w+)\s*\(", code))):
    print(f"FUNCTION({name})")

structs = re.findall(r"typedef struct (wallet_core_\w+) \{(.*?)\} \1;", code, re.DOTALL)
for name, body in structs:
    for member in re.findall(r"[^;]+;", body):
        # A pointer to a function has its name inside of the first parentheses.
        found = re.search(r"\(\*\s*(\w+)\)\(|(\w+)(?:\[\w+\])?;$", " ".join(member.split()))
        print(f"MEMBER({name}, {found[1] or found[2]})")

pointers = re.findall(r"typedef [^;{]*\(\*\s*(wallet_core_\w+)\)\(", code)
plain = re.findall(r"typedef [^;{]*\b(wallet_core_\w+);", code)
for name in pointers + plain + [name for name, _ in structs]:
    print(f"TYPE({name})")

macros = re.findall(r"^#define (WALLET_CORE_(?!VERSION_)\w+) -?\d+$", header, re.MULTILINE)
for name in macros + re.findall(r"\b(WALLET_CORE_\w+)\s*=", code):
    print(f"CONSTANT({name})")
