#!/usr/bin/python3
"""Tries whether the tests notice mistakes: each mutant of the sources has to fail one of its tests.

    Tests/Mutants/run.py [--list] [--jobs N] [--directory DIRECTORY] [MUTANT...]

Without MUTANTs all of them; --list names them, and finds each in the sources. DIRECTORY, build/mutants if it is not
given, gets a copy of the project, its build, a log of each trial and results.json. The last line is "N killed, M
survived"; the exit code is 1 if a mutant survived, and 2 if a test fails without any mutant, because then the run is
of no value.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ci/tests"))
import parts as known  # noqa: E402
from mutants import Copy, mutated_text, read_list  # noqa: E402
from trial import Trials  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--directory", type=pathlib.Path, default=ROOT / "build/mutants")
    parser.add_argument("mutants", nargs="*")
    return parser.parse_args()


def chosen(mutants, names):
    by_name = {mutant.name: mutant for mutant in mutants}
    for name in names:
        if name not in by_name:
            raise SystemExit(f"mutants: there is no {name}; --list names them")
    return [by_name[name] for name in names] if names else mutants


def build(copy, directory):
    """Builds the tests and the programs that they start, with every mutant in them."""
    subprocess.run(
        [ROOT / ".ci/quiet.sh", directory / "build.log", "Building all mutants", os.environ.get("SWIFT", "swift"),
         "build", "--package-path", copy.source, "--build-tests", *copy.build_options],
        check=True,
    )
    products = copy.source / ".build/debug"
    os.environ |= {
        "WALLET_PROVIDER": f"{products}/wallet-provider",
        "TEST_PROVIDER": f"{products}/wallet-provider-testing",
    }
    return str(products / "wallet_corePackageTests.xctest")


def killing_parts(mutants, bundle, directory):
    """The classes of tests that the mutants name, as parts of `make test`."""
    listed = subprocess.run([bundle, "--list-tests"], capture_output=True, text=True, check=True).stdout
    classes = {line.split("/")[0] for line in listed.splitlines() if "/" in line}
    parts = {}
    for mutant in mutants:
        for killer in mutant.killers:
            if killer not in classes:
                raise SystemExit(f"mutants: {mutant.name} names {killer}, which is no class of tests")
            module, name = killer.split(".")
            # The name of the part in `make test`, by which it is known whether PINs need the real Argon2id.
            part_name = f"swift-{name}" if module in known.APART else f"swift-{module}.{name}"
            parts[killer] = known.Part(part_name, module, [bundle, killer])
    os.chdir(ROOT)
    known.spare_work(parts.values(), directory)
    return parts


def try_mutant(trials, mutant, parts, unmutated):
    """Runs its tests one after the other, until one of them fails."""
    seconds = 0
    for killer in mutant.killers:
        # A mutant may slow a test down, but one that takes several times as long hangs.
        limit = 30 + 4 * unmutated[killer].seconds
        outcome = trials.run(parts[killer], mutant, limit)
        seconds += outcome.seconds
        if outcome.failure:
            return {
                "name": mutant.name, "file": mutant.file, "result": "late" if outcome.is_late else "killed",
                "killer": killer, "failure": outcome.failure, "seconds": round(seconds, 1),
            }
    return {"name": mutant.name, "file": mutant.file, "result": "survived", "seconds": round(seconds, 1)}


def line(result):
    if result["result"] == "survived":
        return f"SURVIVED {result['name']} in {result['seconds']:.0f} s"
    return f"{result['result']} {result['name']} in {result['seconds']:.0f} s: {result['killer']}: {result['failure']}"


def main():
    options = arguments()
    mutants = chosen(every := read_list(pathlib.Path(__file__).parent / "list"), options.mutants)
    if options.list:
        for file in {mutant.file for mutant in every}:
            mutated_text((ROOT / "Sources" / file).read_text(), [mutant for mutant in every if mutant.file == file])
        for mutant in mutants:
            print(f"{mutant.name} ({mutant.file}): {mutant.fault}")
        return 0
    directory = options.directory.resolve()
    logs = directory / "log"
    logs.mkdir(parents=True, exist_ok=True)
    copy = Copy(ROOT, directory)
    copy.make(every)  # also if only some are tried, so that one build serves all
    bundle = build(copy, directory)
    parts = killing_parts(mutants, bundle, directory)

    trials = Trials(logs, copy.source)
    stopped = threading.Event()

    def stop(*_):
        stopped.set()
        trials.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        unmutated = dict(zip(parts, pool.map(lambda killer: trials.run(parts[killer]), parts)))
        failed = {killer: outcome for killer, outcome in unmutated.items() if outcome.failure}
        if stopped.is_set():
            return 130
        for killer, outcome in failed.items():
            print(f"fails without a mutant: {killer}: {outcome.failure}")
        if failed:
            return 2
        print(f"{len(parts)} classes of tests pass without a mutant", flush=True)
        results = []
        waiting = [pool.submit(try_mutant, trials, mutant, parts, unmutated) for mutant in mutants]
        for done in concurrent.futures.as_completed(waiting):
            if stopped.is_set():
                pool.shutdown(cancel_futures=True)
                return 130
            results.append(done.result())
            print(line(results[-1]), flush=True)
    results.sort(key=lambda result: result["name"])
    (directory / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    survivors = [result for result in results if result["result"] == "survived"]
    for result in survivors:
        mutant = next(mutant for mutant in mutants if mutant.name == result["name"])
        print(f"survived: {mutant.name} ({mutant.file}): {mutant.fault}")
    print(f"{len(results) - len(survivors)} killed, {len(survivors)} survived")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
