#!/usr/bin/env python3
"""Turns the articles of the sources into those of the tarball, in place.

    .ci/pack_articles.py TREE

A link is changed to where the file is packed; a link to a file that is not packed becomes its text. Text
between the lines <!-- sources only --> and <!-- /sources only --> is left out.
"""
import os.path
import pathlib
import re
import sys

from markdown_links import replace_links

# Where files of the sources are packed.
PLACES = {
    "README.md": "README.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "SECURITY.md": "SECURITY.md",
    "LICENSE": "LICENSE",
    "Include/wallet_core.h": "include/wallet_core.h",
    "Include/wallet_core_events.schema.json": "share/wallet_core/wallet_core_events.schema.json",
    "Sources/wallet_core/wallet_core.docc": "share/doc/wallet_core",
    "Sources/Bindings": "bindings",
    "Examples": "examples",
}
# Commands that differ in the tarball.
COMMANDS = {
    "$ make demo": "$ examples/C/demo.sh --verifier",
    "Examples/": "examples/",
    "Sources/Bindings/": "bindings/",
    "build/examples/scan": "build/scan",
}
# With the empty lines around it, of which one is kept.
SOURCES_ONLY = re.compile(
    r"(^\n)?^<!-- sources only -->\n.*?^<!-- /sources only -->\n(\n)?", re.DOTALL | re.MULTILINE
)


def moved(path: str, places: dict[str, str]) -> str | None:
    for before, after in places.items():
        if path == before or path.startswith(before + "/"):
            return after + path[len(before) :]
    return None


def pack(tree: pathlib.Path, article: pathlib.Path) -> None:
    packed = article.relative_to(tree).as_posix()
    source = moved(packed, {after: before for before, after in PLACES.items()})
    if source is None:
        return  # a licence, say

    def link(found: re.Match[str]) -> str:
        _, text, target, _ = found.groups()
        if not target:
            return found[0]  # an anchor of this article
        place = moved(os.path.normpath(os.path.join(os.path.dirname(source), target)), PLACES)
        if place is None or not (tree / place).exists():
            return text
        there = os.path.relpath(place, os.path.dirname(packed) or ".")
        return found[0].replace(f"]({target}", f"]({there}")

    text = SOURCES_ONLY.sub(lambda found: found[1] or found[2] or "", article.read_text(encoding="utf-8"))
    text = replace_links(text, link)
    for before, after in COMMANDS.items():
        text = text.replace(before, after)
    article.write_text(text, encoding="utf-8")


def main() -> None:
    tree = pathlib.Path(sys.argv[1])
    licences = list(tree.glob("share/doc/*/licences"))
    for article in sorted(tree.rglob("*.md")):
        if not any(directory in article.parents for directory in licences):
            pack(tree, article)


main()
