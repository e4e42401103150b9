#!/usr/bin/python3
"""Runs the failover tests, and counts.

    Tests/Failover/failover.py [--list] [--jobs N] PROVIDER_DIRECTORY BUILD_DIRECTORY [PART...]

PROVIDER_DIRECTORY holds wallet-provider and provider-load. How often each fault is made is set by
WALLET_CORE_FAILOVER_KILLS (50), _PAUSES (20), _CUTS (20) and _SWITCHOVERS (10). A part makes at most ten; without PARTs
all of them; --list names them. Each writes BUILD_DIRECTORY/PART.log and PART.json. A part that passed for this commit
and these counts is not run again. The last line is "N passed, M failed".
"""

import argparse
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / ".ci/tests"))
import run as tests  # noqa: E402
from execution import Execution  # noqa: E402
from parts import Part  # noqa: E402
from results import summary  # noqa: E402

FAULTS = {"kill": ("KILLS", 50), "pause": ("PAUSES", 20), "cut": ("CUTS", 20), "switchover": ("SWITCHOVERS", 10)}
EACH = 10
SECONDS = 60  # of a fault with its recovery
# A line of part.sh for each round.
ROUND = re.compile(r"^# round \d+: (.*), from db\d to db\d after ([\d.]+) s without a validation$", re.MULTILINE)


def parts(providers):
    found = []
    for kind, (name, count) in FAULTS.items():
        left = int(os.environ.get(f"WALLET_CORE_FAILOVER_{name}", count))
        number = 1
        while left > 0:
            rounds = min(EACH, left)
            found.append(Part(
                f"{kind}-{number}", kind, [str(HERE / "part.sh"), providers, kind, str(rounds)], rounds * SECONDS,
                environment={"WALLET_CORE_STRESS_SEED": str(number)},
            ))
            left, number = left - rounds, number + 1
    return found


def times(directory, results):
    """A line for each kind of fault: how often, and how long no PIN was validated."""
    kinds = {}
    for result in results:
        for kind, seconds in ROUND.findall((directory / f"{result.part}.log").read_text()):
            kinds.setdefault(kind, []).append(float(seconds))
    return [
        f"{kind}: {len(found)} times; no PIN was validated for {statistics.median(found):.1f} s (median), "
        f"{max(found):.1f} s (longest)"
        for kind, found in sorted(kinds.items())
    ]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("providers", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("parts", nargs="*")
    options = parser.parse_args()
    every = parts(str(options.providers.resolve()))
    if options.list or options.parts == ["--list"]:
        print(*(part.name for part in every), sep="\n")
        return 0
    if os.environ.get("WALLET_CORE_COMPILE_ONLY"):
        return 0
    chosen = tests.chosen(every, options.parts) if options.parts else every
    if subprocess.run(["unshare", "--net", "true"], capture_output=True).returncode:
        raise SystemExit("failover: the machines are network namespaces, which only the root user can make")
    directory = options.build
    directory.mkdir(parents=True, exist_ok=True)
    results = tests.passed_before(chosen, directory, tests.tested())
    if results:
        print(f"{len(results)} parts have passed for this commit before and are not run again", flush=True)
    ended = {result.part for result in results}
    start = time.monotonic()

    def on_end(result):
        results.append(result)
        print(
            f"[{len(results)}/{len(chosen)}] {'ok' if result.is_green else 'NOT OK'}: {result.part}, {result.passed} passed, "
            f"{len(result.failed)} failed in {result.seconds:.0f} s",
            flush=True,
        )

    execution = Execution(directory, tests.tested, options.jobs, on_end, is_full=True)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: execution.stop())
    execution.run([part for part in chosen if part.name not in ended], ended)
    if len(results) < len(chosen):
        print(f"failover: ended early with {len(chosen) - len(results)} parts left", file=sys.stderr)
        return 130
    *report, count = summary(results, time.monotonic() - start, directory)
    # The slowest tests come first there; these parts have no tests of XCTest.
    print(*report[2:], *times(directory, results), count, sep="\n", flush=True)
    return 0 if all(result.is_green for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
