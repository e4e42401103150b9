#!/usr/bin/env python3
"""Prints the relative links of Markdown files that lead to no file, or to a heading that is not there.

    links.py FILE...
"""

import pathlib
import sys
from urllib.parse import unquote

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / ".ci"))
from markdown_links import anchors, links  # noqa: E402


def dead(article):
    for found in links(article.read_text(encoding="utf-8")):
        path, anchor = unquote(found[3]), found[4]
        target = article.parent / path if path else article
        if not target.exists():
            yield path
        elif anchor and (target.suffix != ".md" or anchor[1:] not in anchors(target.read_text(encoding="utf-8"))):
            yield path + anchor


for name in sys.argv[1:]:
    for link in dead(pathlib.Path(name)):
        print(f"{name}: {link}")
