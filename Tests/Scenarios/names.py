#!/usr/bin/env python3
"""Compares the events of the library with the article on the names. Reads one event as JSON per line from stdin.

    names.py NAMES.md

Every step must be in the article with its kind, input and actions, every argument with its step, and so on.
If something is not, prints it and exits with 1.
"""

import json
import re
import sys


def tables(article):
    """Yields each table as a list of rows; a row is a dictionary of cells by their headings."""
    headings, rows = [], []
    for line in article.splitlines() + [""]:
        if not line.startswith("|"):
            if rows:
                yield rows
            headings, rows = [], []
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not headings:
            headings = cells
        elif set(line) - set("|-"):
            rows.append(dict(zip(headings, cells)))


def names(cell):
    return re.findall(r"`([^`]+)`", cell)


class Article:
    """The tables of the article, by name."""

    def __init__(self, text):
        self.steps, self.actions, self.notices, self.arguments, self.codes = {}, set(), {}, {}, set()
        for rows in tables(text):
            for row in rows:
                if "step" in row and "English default" in row:
                    (name,) = names(row["step"])
                    self.steps[name] = row
                elif "action" in row:
                    self.actions.update(names(row["action"]))
                elif "notice" in row:
                    (name,) = names(row["notice"])
                    self.notices[name] = names(row["arguments of the step"])
                elif "argument" in row:
                    (name,) = names(row["argument"])
                    self.arguments[name] = (row["type"], set(names(row["values"])))
                elif "code" in row:
                    self.codes.update(names(row["code"]))

    def kinds(self, row):
        if "kind" in row:
            return names(row["kind"])
        return ["hand-off"] if "what the host does" in row else ["error"]

    def complaints(self, step):
        name = step["name"]
        row = self.steps.get(name)
        if row is None:
            yield f"no step {name}"
            return
        if step["step_kind"] not in self.kinds(row):
            yield f"{name} is no {step['step_kind']}"
        if step["input"] not in (names(row.get("input", "")) or ["none"]):
            yield f"{name} requires {step['input']}"
        if step.get("beneath", name) not in self.steps:
            yield f"no step {step['beneath']}, beneath {name}"
        offered, known = [action["name"] for action in step["actions"]], names(row.get("actions", ""))
        for action in offered:
            if action not in known or action not in self.actions:
                yield f"{name} does not offer {action}"
        if offered != [action for action in known if action in offered]:
            yield f"{name} offers in another order: {', '.join(offered)}"
        for notice in step["notices"]:
            if notice not in self.notices:
                yield f"no notice {notice}, on {name}"
        news = [argument for notice in step["notices"] for argument in self.notices.get(notice, [])]
        for argument, value in step["arguments"].items():
            if argument not in names(row.get("arguments", "")) + news:
                yield f"{name} has no {argument}"
                continue
            kind, values = self.arguments[argument]
            if not isinstance(value, {"text": str, "number": int, "truth": bool}[kind]):
                yield f"{argument} of {name} is no {kind}: {value!r}"
            if values and value not in values:
                yield f"{argument} of {name} is none of its values: {value!r}"
            if argument in ("failure", "reasons") and set(value.split(",")) - self.codes:
                yield f"{argument} of {name} is no code: {value!r}"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        article = Article(file.read())
    seen, failures = set(), set()
    for event in map(json.loads, sys.stdin):
        if event["kind"] == "step":
            seen.add(event["name"])
            failures.update(article.complaints(event))
    # Steps that end by themselves may be over before they are seen.
    failures.update(
        f"{name} was never shown" for name, row in article.steps.items()
        if name not in seen and not {"progress", "system-prompt"} & set(article.kinds(row)))
    print("\n".join(sorted(failures)))
    return 1 if failures else 0


sys.exit(main())
