"""Reads Markdown for the scripts here: its links, outside of code, and the anchors of its headings."""

import re
from collections.abc import Callable, Iterator

FENCED = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"^ *```.*?^ *```$|(?<!`)(`+)(?!`)(?:(?!\n\n).)+?(?<!`)\1(?!`)", re.DOTALL | re.MULTILINE)
# Its groups: the mark of an image, text, path, anchor.
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s#]*)(#[^)\s]*)?\)")
SCHEME = re.compile(r"[a-z]+:")


def links(text: str) -> Iterator[re.Match[str]]:
    """The links that lead to a file or an anchor of the project."""
    code = [found.span() for found in CODE.finditer(text)]
    for found in LINK.finditer(text):
        end = found.end(2)  # the text before it may have code in it
        if not SCHEME.match(found[3]) and not any(begin <= end < after for begin, after in code):
            yield found


def replace_links(text: str, change: Callable[[re.Match[str]], str]) -> str:
    parts, place = [], 0
    for found in links(text):
        parts += [text[place : found.start()], change(found)]
        place = found.end()
    return "".join([*parts, text[place:]])


def headings(text: str) -> list[str]:
    """The headings as a reader sees them, in order."""
    lines = re.findall(r"^#{1,6} +(.+?) *$", FENCED.sub("", text), re.MULTILINE)
    return [LINK.sub(r"\2", line).replace("`", "").replace("*", "") for line in lines]


def anchors(text: str) -> dict[str, str]:
    """The anchors of the headings, as GitHub and its like make them, with the heading of each."""
    found: dict[str, str] = {}
    for heading in headings(text):
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = 0
        while (anchor := f"{name}-{number}" if number else name) in found:
            number += 1
        found[anchor] = heading
    return found
