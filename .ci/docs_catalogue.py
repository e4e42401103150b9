#!/usr/bin/env python3
"""Copies the articles for DocC, whose links have a form of their own.

    .ci/docs_catalogue.py CATALOGUE COPY

In the sources links and pictures are plain Markdown, which every viewer follows. DocC would treat them as web
addresses, so the copy has DocC's form, and a link that leads out of the articles becomes its text.
"""

import pathlib
import re
import shutil
import sys

from markdown_links import anchors, headings, replace_links


def link(article: pathlib.Path, found: re.Match[str]) -> str:
    image, text, path, anchor = found.groups()
    target = article.parent / path if path else article
    if image:
        return f"![{text}]({target.name})"
    if target.parent != article.parent or target.suffix != ".md":
        return text
    titles = anchors(target.read_text(encoding="utf-8"))
    name = "" if target == article else target.stem
    if anchor:
        # A missing anchor is left to DocC, which then fails.
        name += "#" + re.sub(r"\s+", "-", titles.get(anchor[1:], anchor[1:]))
    elif text == headings(target.read_text(encoding="utf-8"))[0]:
        return f"<doc:{name}>"  # also where it is an entry under Topics
    return f"[{text}](doc:{name})"


def main() -> None:
    catalogue, copy = map(pathlib.Path, sys.argv[1:3])
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(catalogue, copy)
    for article in sorted(catalogue.glob("*.md")):
        text = replace_links(article.read_text(encoding="utf-8"), lambda found: link(article, found))
        (copy / article.name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
