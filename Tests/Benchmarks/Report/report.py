#!/usr/bin/env python3
"""Writes the measurements as Markdown and plots.

    report.py MEASURES BUILD_DIRECTORY --cores N --load BEFORE AFTER [--share N] [--article CATALOG]

MEASURES has a line for each number: measure, subject, value. Writes BUILD_DIRECTORY/peers.md and the
plots beside it, and prints the tables; with --article also CATALOG/performance.md, from
performance.in.md, what core.py has written there, and the same plots. Of the article the part about the
provider stays as it is.
"""

import argparse
import platform
from collections import defaultdict
from pathlib import Path
from statistics import median

import plots
import rows
from article import PROVIDER
from rows import LIMIT, PEERS, SUBJECTS, Row

Measures = dict[str, dict[str, float]]


def read(path: Path) -> Measures:
    """The measures; the median of those that were reported several times."""
    told: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for line in path.read_text().splitlines():
        measure, subject, value = line.split("\t")
        told[measure][subject].append(float(value))
    return {measure: {who: median(values) for who, values in found.items()} for measure, found in told.items()}


def quantity(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    if unit == "us" and value >= 1000:
        return f"{value / 1000:.3g} ms" if value < 1_000_000 else f"{value / 1e6:.3g} s"
    if unit == "us":
        return f"{value:.3g} us"
    if unit == "B":
        return f"{value / 1e6:.2f} MB"
    if unit == "/s":
        return f"{value:,.0f}"
    return f"{value:.2f} {unit}"


class Verdict:
    """Whether a row meets its goal."""

    def __init__(self, row: Row, values: dict[str, float]) -> None:
        def slower_by(who: str) -> float:
            return values[who] / values["ours"] if row.more else values["ours"] / values[who]

        peers = [slower_by(who) for who in PEERS if who in values]
        self.to_peer = max(peers) if peers else None
        self.to_limit = slower_by("limit") if "limit" in values else None
        behind = row.races_peers and self.to_peer is not None and self.to_peer > 1
        beyond = self.to_limit is not None and self.to_limit > LIMIT
        self.is_met = not behind and not beyond
        self.shortfall = " and ".join(
            ([f"{self.to_peer:.2f} times the best peer"] if behind else [])
            + ([f"{self.to_limit:.2f} times the limit"] if beyond else [])
        )


def table(chosen: list[Row], measures: Measures, is_race: bool = True) -> list[str]:
    subjects = [who for who in SUBJECTS if any(who in measures.get(row.key, {}) for row in chosen)]
    head = ["", *(SUBJECTS[who] for who in subjects)] + (["to best peer", "to limit", "goal"] if is_race else [])
    out = ["| " + " | ".join(head) + " |", "| --- |" + " --: |" * (len(head) - 1)]
    for row in chosen:
        values = measures.get(row.key)
        if values is None:
            raise SystemExit(f"{row.key} was not measured")
        cells = [row.title, *(quantity(values.get(who), row.unit) for who in subjects)]
        if is_race:
            verdict = Verdict(row, values)
            cells += [f"{ratio:.2f}" if ratio else "" for ratio in (verdict.to_peer, verdict.to_limit)]
            cells.append("met" if verdict.is_met else "**missed**")
        out.append("| " + " | ".join(cells) + " |")
    return out


def reasons(chosen: list[Row], measures: Measures) -> list[str]:
    """Each reason once, with the number of its rows and the one that misses most."""
    missed: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for row in chosen:
        verdict = Verdict(row, measures[row.key])
        if not verdict.is_met:
            worst = max(ratio or 0 for ratio in (verdict.to_peer if row.races_peers else None, verdict.to_limit))
            missed[row.reason or "Not explained yet."].append((worst, f"{row.title}, {verdict.shortfall}"))
    return [
        f"- {len(found)} missed, the most: {max(found)[1]}. {reason}" for reason, found in missed.items()
    ]


def met(chosen: list[Row], measures: Measures) -> int:
    return sum(Verdict(row, measures[row.key]).is_met for row in chosen)


def race(chosen: list[Row], measures: Measures) -> str:
    """How many goals are met, the reasons for the others, and the table."""
    missed = reasons(chosen, measures)
    summary = f"{met(chosen, measures)} of {len(chosen)} goals are met."
    return "\n".join([summary, "", *(missed + [""] if missed else []), *table(chosen, measures)])


def overview(measures: Measures) -> str:
    parts = {"the store": rows.STORE, "keys": rows.KEYS, "delivery": rows.DELIVERY, "requests and rebind": rows.REQUESTS}
    lines = ["| part | goals | met | missed |", "| --- | --: | --: | --: |"]
    for name, chosen in parts.items():
        count = met(chosen, measures)
        lines.append(f"| {name} | {len(chosen)} | {count} | {len(chosen) - count} |")
    return "\n".join(lines)


def growth_of_store(measures: Measures, verb: str) -> list[tuple[str, list[tuple[float, float]]]]:
    counts = (1, 10, 100, 1000, 10000)
    return [
        (SUBJECTS[who], [(count, measures[f"{verb} {count}"][who]) for count in counts])
        for who in ("ours", "askar", "sqlcipher", "limit")
    ]


def growth_of_clients(measures: Measures) -> list[tuple[str, list[tuple[float, float]]]]:
    counts = (1, 2, 4, 8, 16, 32, 64)
    return [
        (f"{SUBJECTS[who]}, {way}", [(count, measures[f"{way} {count} median"][who]) for count in counts])
        for way in ("callback", "pull")
        for who in ("ours", "limit")
    ]


def idle(measures: Measures) -> list[tuple[int, float]]:
    return sorted(
        (int(key.split()[1]), values["ours"]) for key, values in measures.items() if key.startswith("idle ") and "resident" in key
    )


def bar_rows(chosen: list[Row], measures: Measures) -> list[tuple[str, list[float | None]]]:
    return [(row.title[:46], [measures[row.key].get(who) for who in ("ours", *PEERS, "limit")]) for row in chosen]


def draw(measures: Measures) -> dict[str, str]:
    names = [SUBJECTS[who] for who in ("ours", *PEERS, "limit")]
    delivery = [row for row in rows.DELIVERY + rows.REQUESTS if "median" in row.key]
    return {
        "performance-store": plots.bars("Store, microseconds (logarithmic)", names, bar_rows(rows.STORE, measures)),
        "performance-delivery": plots.bars(
            "Delivery, microseconds (logarithmic)", names, bar_rows(delivery, measures)
        ),
        "performance-open": plots.lines("Opening, microseconds", "records", growth_of_store(measures, "open")),
        "performance-read": plots.lines("Reading all, microseconds", "records", growth_of_store(measures, "read")),
        "performance-clients": plots.lines(
            "From a choice to each client, median microseconds", "clients", growth_of_clients(measures)
        ),
    }


def counted(path: Path) -> str:
    """The baseline of instructions as a table."""
    lines = [line.split(" ", 1) for line in path.read_text().splitlines() if not line.startswith("#")]
    system = next(value for name, value in lines if name == "system")
    counts = [f"| {name} | {int(value):,} |" for name, value in lines if name != "system"]
    return "\n".join([f"| on {system} | instructions |", "| --- | --: |", *counts])


def sections(measures: Measures, cores: str, load: list[str], share: int) -> dict[str, str]:
    memory = idle(measures)
    before, after = memory[0][1], memory[-1][1]
    return {
        "summary": overview(measures),
        "machine": f"{cores} cores, {platform.system()} {platform.machine()}; load average over 1, 5 and 15 minutes"
        f" before it {load[0]}, after it {load[1]}; what exceeds the one or two of the measurement itself is other work"
        " on the same cores." + (f" With 1 of {share} of the rounds." if share != 1 else ""),
        "store": race(rows.STORE, measures),
        "keys": race(rows.KEYS, measures),
        "delivery": race(rows.DELIVERY, measures),
        "requests": race(rows.REQUESTS, measures),
        "rest": "\n".join(table(rows.AT_REST, measures, is_race=False)),
        "idle": f"{before / 1e6:.2f} MB resident at the beginning, {after / 1e6:.2f} MB after {memory[-1][0]:,} steps,"
        f" {max(value for _, value in memory) / 1e6:.2f} MB at most; {measures['idle waiting']['ours']:.0f} events"
        " waited for the client that never takes any.",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Reports the measurements.")
    parser.add_argument("measures", type=Path)
    parser.add_argument("build", type=Path)
    parser.add_argument("--cores", required=True)
    parser.add_argument("--load", nargs=2, required=True)
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--article", type=Path)
    options = parser.parse_args()
    measures = read(options.measures)
    told = sections(measures, options.cores, options.load, options.share)
    text = "\n\n".join(f"## {name}\n\n{section}" for name, section in told.items()) + "\n"
    (options.build / "peers.md").write_text(text)
    print(text)
    pictures = draw(measures)
    for name, picture in pictures.items():
        (options.build / f"{name}.svg").write_text(picture)
    if options.article:
        article = Path(__file__).with_name("performance.in.md").read_text()
        told["instructions"] = counted(Path(__file__).parents[1] / "instructions.txt")
        told["core"] = (options.build / "core.md").read_text().strip()
        told["provider"] = "\n\n".join([PROVIDER.begin, PROVIDER.read(options.article), PROVIDER.end])
        pictures["performance-start"] = (options.build / "performance-start.svg").read_text()
        for name, section in told.items():
            article = article.replace(f"{{{{{name}}}}}", section)
        (options.article / "performance.md").write_text(article)
        for name, picture in pictures.items():
            (options.article / "Resources" / f"{name}.svg").write_text(picture)


if __name__ == "__main__":
    main()
