#!/usr/bin/env python3
"""Writes what the core alone costs as Markdown, with a plot of the start-up.

    core.py MEASURES BUILD_DIRECTORY

MEASURES is as for report.py. Writes BUILD_DIRECTORY/core.md and performance-start.svg there, and prints the table.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import plots
from report import Measures, quantity, read

CARDS = (0, 1, 10, 100)


@dataclass(frozen=True)
class Goal:
    """What a row should be: its words, and whether "ours" and the baseline fit them."""

    words: str
    fits: Callable[[dict[str, float]], bool]


def under(most: float, words: str) -> Goal:
    return Goal(f"under {words}", lambda values: values["ours"] < most)


def none() -> Goal:
    return Goal("0", lambda values: values["ours"] == 0)


def times(most: float) -> Goal:
    return Goal(f"at most {most:g} times", lambda values: values["ours"] <= most * values["baseline"])


@dataclass(frozen=True)
class Row:
    key: str
    title: str
    unit: str
    goal: Goal | None = None
    reason: str = ""


OPERATIONS = (
    "Its public-key operations alone, which the protocol demands, take as long as the goal allows; the next line of the"
    " table has them."
)
GUARDED = (
    "Besides these operations an unlock reads and seals records, writes and reads JSON, asks twice by libcurl, and"
    " holds secrets in guarded memory, which takes several system calls for each."
)
ROWS = [
    Row("call", "is_initialized, against an atomic load behind a call", "ns", times(2)),
    Row("load", "dlopen to first call, against an empty Swift library", "us", times(3)),
    Row("size", "the library's file", "B", under(24e6, "24 MB")),
    Row("threads before init", "threads before init", "", none()),
    Row("signals", "signal dispositions changed by loading", "", none()),
    Row("unlock own", "an unlock", "us", under(1_000, "1 ms"), OPERATIONS),
    Row("unlock against", "an unlock, against its public-key operations in plain C", "us", times(2), GUARDED),
    Row("registration own", "a registration", "us", under(10_000, "10 ms")),
    Row("issuance own", "the issuance of a PID in ten copies, with the PIN that it asks for", "us", under(10_000, "10 ms")),
    Row("presentation own", "a presentation of one card, with its PIN", "us", under(3_000, "3 ms")),
    Row("choose", "choose to the next step at the C callback, against a queue between two C threads", "us", under(100, "100 us")),
    Row("outside pwhash", "instructions of a PIN key derivation outside crypto_pwhash", "%", under(1, "1 %")),
    Row("licence", "reading one licence, against a look at each of its bytes", "us", under(200, "200 us")),
    Row("threads at rest", "threads at rest, of an unlocked wallet with a card", ""),
    Row("private at rest", "memory of it that no file holds", "B"),
    *(Row(f"start {cards}", f"a start with {cards} card{'s' * (cards != 1)}", "us") for cards in CARDS),
]


def cell(value: float | None, unit: str) -> str:
    if value is None or unit in ("us", "B"):
        return quantity(value, unit)
    return f"{value:.0f}" if unit == "" else f"{value:.4f} %" if unit == "%" else f"{value:.2f} {unit}"


def table(measures: Measures) -> list[str]:
    out = ["| | wallet_core | baseline | ratio | goal | |", "| --- | --: | --: | --: | --- | --- |"]
    for row in ROWS:
        values = measures.get(row.key)
        if values is None:
            out.append(f"| {row.title} | not measured | | | {row.goal.words if row.goal else ''} | |")
            continue
        baseline = values.get("baseline")
        ratio = f"{values['ours'] / baseline:.2f}" if baseline else ""
        met = "" if row.goal is None else "met" if row.goal.fits(values) else "**missed**"
        cells = [row.title, cell(values["ours"], row.unit), cell(baseline, row.unit), ratio]
        out.append("| " + " | ".join([*cells, row.goal.words if row.goal else "", met]) + " |")
    return out


def summary(measures: Measures) -> str:
    aimed = [row for row in ROWS if row.goal and row.key in measures]
    missed = [row for row in aimed if not row.goal.fits(measures[row.key])]
    words = f"{len(aimed) - len(missed)} of {len(aimed)} goals are met"
    if not missed:
        return f"{words}."
    return f"{words}. Missed:\n\n" + "\n".join(f"- {row.title}. {row.reason}".rstrip() for row in missed)


def parts(measures: Measures) -> str:
    """What the own parts of the table were taken out of."""
    told = []
    for key, title in (
        ("unlock", "unlock"), ("registration", "registration"), ("issuance", "issuance"), ("presentation", "presentation"),
    ):
        whole, derivation, bridges = (
            quantity(measures[f"{key} {part}"]["ours"], "us") for part in ("whole", "derivation", "bridges")
        )
        told.append(f"| {title} | {whole} | {derivation} | {bridges} |")
    return "\n".join(["| | whole | derivations | bridges |", "| --- | --: | --: | --: |", *told])


def main() -> None:
    parser = argparse.ArgumentParser(description="Reports what the core alone costs.")
    parser.add_argument("measures", type=Path)
    parser.add_argument("build", type=Path)
    options = parser.parse_args()
    measures = read(options.measures)
    measures["unlock against"] = {"ours": measures["unlock own"]["ours"], **measures["unlock least"]}
    text = "\n\n".join([summary(measures), "\n".join(table(measures)), parts(measures)])
    (options.build / "core.md").write_text(text + "\n")
    print(text)
    starts = [(float(cards), measures[f"start {cards}"]["ours"]) for cards in CARDS if cards]
    picture = plots.lines("A start, microseconds of CPU time", "cards of ten copies", [("wallet_core", starts)])
    (options.build / "performance-start.svg").write_text(picture)


if __name__ == "__main__":
    main()
