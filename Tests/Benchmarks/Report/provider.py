#!/usr/bin/env python3
"""Judges what provider.sh has printed, draws plots of it, and writes the article's part about the provider.

    provider.py TABLES BUILD_DIRECTORY --cores N --load BEFORE AFTER [--article CATALOG]

TABLES is the Markdown of provider.sh. Prints the goals, and writes BUILD_DIRECTORY/performance-provider.svg and
performance-provider-wallets.svg; with --article also CATALOG/performance.md, between the marks of this part.
"""

import argparse
import platform
from pathlib import Path

import plots
from article import PROVIDER

LEAST, TAIL, FAIR, STATEMENTS = 2.0, 6.0, 2.0, 1.3

Rows = list[dict[str, str]]


def tables(text: str) -> list[Rows]:
    """The rows of each table, by the names of its columns."""
    found: list[Rows] = []
    head: list[str] | None = None
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else None
        if cells is None:
            head = None
        elif head is None:
            head = cells
            found.append([])
        elif not all(set(cell) <= set("-: ") for cell in cells):
            found[-1].append(dict(zip(head, cells)))
    return found


def with_columns(found: list[Rows], *names: str) -> Rows:
    """The rows of the first table that has these columns."""
    for rows in found:
        if rows and set(names) <= set(rows[0]):
            return rows
    return []


def goals(rows: Rows, statements: Rows) -> list[tuple[str, str, bool]]:
    """Each goal, what was measured, and whether that meets it."""
    out = []
    for row in rows:
        ratio = float(row["of the least"])
        name = f"{row['store']}, {row['connections']} connection{'s' * (row['connections'] != '1')}"
        out.append((f"{name}: at most {LEAST} times the least", f"{ratio:.2f}", ratio <= LEAST))
    for row in statements:
        ratio = float(row["pgbench / validations"])
        name = f"PostgreSQL, {row['connections']} connection{'s' * (row['connections'] != '1')}"
        words = f"{name}: pgbench runs its statements at most {STATEMENTS} times as often"
        out.append((words, f"{ratio:.2f}", ratio <= STATEMENTS))
    for store in dict.fromkeys(row["store"] for row in rows):
        of = {row["connections"]: row for row in rows if row["store"] == store}
        if not {"1", "64"} <= set(of):
            continue
        tail = float(of["64"]["p99 ms"])
        for words, most, median in (
            ("under {} times the median at one", TAIL, of["1"]["p50 ms"]),
            ("under {} times the median there", FAIR, of["64"]["p50 ms"]),
        ):
            ratio = tail / float(median)
            words = f"{store}, 99th percentile at 64 connections: {words.format(f'{most:g}')}"
            out.append((words, f"{ratio:.2f}", ratio < most))
    return out


def judged(rows: Rows, statements: Rows) -> str:
    told = goals(rows, statements)
    met = sum(is_met for _, _, is_met in told)
    lines = [f"{met} of {len(told)} goals are met.", "", "| goal | measured | |", "| --- | --: | --- |"]
    lines += [f"| {words} | {value} | {'met' if is_met else '**missed**'} |" for words, value, is_met in told]
    return "\n".join(lines)


def series(rows: Rows, across: str, *columns: str) -> list[tuple[str, list[tuple[float, float]]]]:
    return [
        (f"{store}, {column}", [(float(row[across]), float(row[column])) for row in rows if row["store"] == store])
        for store in dict.fromkeys(row["store"] for row in rows)
        for column in columns
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Reports what the provider costs.")
    parser.add_argument("tables", type=Path)
    parser.add_argument("build", type=Path)
    parser.add_argument("--cores", required=True)
    parser.add_argument("--load", nargs=2, required=True)
    parser.add_argument("--article", type=Path)
    options = parser.parse_args()
    text = options.tables.read_text().strip()
    found = tables(text)
    rows = with_columns(found, "connections", "of the least")
    wallets = with_columns(found, "wallets", "CPU ms")
    if not rows:
        raise SystemExit("provider.py: there is no table by connections")
    verdict = judged(rows, with_columns(found, "connections", "pgbench / validations"))
    print(verdict)
    pictures = {
        "performance-provider": plots.lines(
            "A validation, milliseconds of CPU", "connections", series(rows, "connections", "CPU ms", "the least ms")
        )
    }
    if wallets:
        pictures["performance-provider-wallets"] = plots.lines(
            "A validation at 8 connections, milliseconds of CPU", "wallets", series(wallets, "wallets", "CPU ms")
        )
    for name, picture in pictures.items():
        (options.build / f"{name}.svg").write_text(picture)
    if options.article:
        machine = (
            f"{options.cores} cores, {platform.system()} {platform.machine()}, which clients and PostgreSQL share with"
            f" the provider; load average before {options.load[0]}, after {options.load[1]}."
        )
        images = [f"![A validation by {what}](Resources/{name}.svg)" for name, what in (
            ("performance-provider", "connections"), ("performance-provider-wallets", "wallets")) if name in pictures]
        PROVIDER.write(options.article, "\n\n".join([verdict, f"The run: {machine}", *images, text]))
        for name, picture in pictures.items():
            (options.article / "Resources" / f"{name}.svg").write_text(picture)


if __name__ == "__main__":
    main()
