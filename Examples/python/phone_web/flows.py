# SPDX-License-Identifier: Apache-2.0
"""The tables of the use cases, read from the articles that `make flows` writes from them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

TITLE = re.compile(r"^# (\S+) (.+)$", re.MULTILINE)
ROW = re.compile(r"^\| \*\*(\S+)\*\* \| ([^|]+) \|", re.MULTILINE)
STATE = re.compile(r'^  state "(.+)" as (\S+)$', re.MULTILINE)
ARROW = re.compile(r"^  (\S+) --> (\S+) : (\S+) (.*)$", re.MULTILINE)
USE_CASE = re.compile(r"^(UC|PF|EF)[0-9.]*\b")


def read(directory: Path) -> dict[str, Any]:
    """Reads all use cases, by their names such as "UC1.1"."""
    articles = [read_article(path.read_text("utf-8")) for path in sorted(directory.glob("flow-*.md"))]
    if not articles:
        raise ValueError(f"{directory} has no flow-*.md: `make flows` writes them")
    return {article["use_case"]: article for article in articles}


def read_article(text: str) -> dict[str, Any]:
    """Reads the rows with their kind, words and cases. A case leads to a row of this use case, or to words for another
    destination."""
    use_case, title = TITLE.search(text).groups()
    kinds = dict(ROW.findall(text))
    states = {name: words for words, name in STATE.findall(text)}
    rows = []
    for name, words in states.items():
        if name.startswith("row_"):
            number, _, what = words.partition(" ")
            rows.append({"row": number, "kind": kinds[number], "words": what, "cases": cases(text, name, states)})
    return {"use_case": use_case, "title": title, "rows": rows}


def cases(text: str, row: str, states: dict[str, str]) -> list[dict[str, Any]]:
    found = []
    for source, target, letter, words in ARROW.findall(text):
        if source == row:
            words, _, published = words.partition(", corrected from ")
            case = {"letter": letter, "words": words, "is_corrected": published != ""}
            if target.startswith("row_"):
                case["to_row"] = states[target].partition(" ")[0]
            else:
                case["to"] = states[target]
                if number := USE_CASE.match(states[target]):
                    case["to_use_case"] = number[0]
            found.append(case)
    return found
