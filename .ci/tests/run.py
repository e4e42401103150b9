#!/usr/bin/python3
"""Runs every test on what was built, in parallel, and counts.

    .ci/tests/run.py [--full] [--jobs N] [--building PID] PROVIDER_DIRECTORY BUILD_DIRECTORY [PART...]

PROVIDER_DIRECTORY holds wallet-provider and wallet-provider-testing. The Swift tests were built before;
wallet_core is found by pkg-config. Without PARTs all of them; --list names them. Each writes
BUILD_DIRECTORY/test/PART.log and PART.json. --full also runs the exhaustive tests; a part that passed for
this commit is not run again. --building names the child process that still builds the provider: parts that need it
begin when that has succeeded. The last line is "N passed, M failed"; the exit code is not zero if
anything failed.
"""

import argparse
import hashlib
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
import parts as known  # noqa: E402
from execution import Execution  # noqa: E402
from results import Result, summary  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--jobs", type=int, default=4 * (os.cpu_count() or 2))
    parser.add_argument("--building", type=int, metavar="PID")
    parser.add_argument("providers", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("parts", nargs="*")
    return parser.parse_args()


def git(*words):
    return subprocess.run(["git", *words], capture_output=True, text=True).stdout.strip()


def tested():
    """The commit that is tested, and the settings; empty if the tree has changes."""
    if git("status", "--porcelain"):
        return ""
    settings = sorted(item for item in os.environ.items() if item[0].startswith(("WALLET_", "SCENARIOS", "ROUNDS")))
    return git("rev-parse", "HEAD") + " " + hashlib.sha256(repr(settings).encode()).hexdigest()[:16]


def debian_python(directory):
    """Puts Debian's `python3` first on the PATH: it is the one whose packages were installed."""
    python = pathlib.Path("/usr/bin/python3")
    if python.exists():
        directory.mkdir(exist_ok=True)
        (directory / "python3").unlink(missing_ok=True)
        (directory / "python3").symlink_to(python)
        os.environ["PATH"] = f"{directory}:{os.environ['PATH']}"


def chosen(every, names):
    """The parts with these names and those that they need."""
    by_name = {part.name: part for part in every}
    wanted, found = list(names), {}
    while wanted:
        name = wanted.pop()
        if name not in by_name:
            raise SystemExit(f"tests: there is no part {name}; --list names them")
        found[name] = by_name[name]
        wanted += by_name[name].needs
    return list(found.values())


def passed_before(parts, directory, now):
    """The results of the parts that passed for what is tested `now`; none if that is empty."""
    files = [directory / f"{part.name}.json" for part in parts if now]
    results = [Result.of(file) for file in files if file.exists()]
    return [result for result in results if result.is_green and result.tested == now]


def await_provider(process, execution):
    """Lets the parts that need the provider begin once the child `process` has built it, or none if it fails."""
    _, status = os.waitpid(process, 0)
    if status == 0:
        execution.has_ended(known.PROVIDER)
    else:
        print("tests: the provider was not built", file=sys.stderr, flush=True)
        execution.stop()


def stop(execution, building):
    execution.stop()
    if building:
        try:
            os.kill(building, signal.SIGTERM)
        except ProcessLookupError:
            pass


def main():
    options = arguments()
    if subprocess.run(["pkg-config", "--exists", "wallet_core"]).returncode:
        raise SystemExit("tests: pkg-config finds no wallet_core; `make test` says where it is")
    providers, build = str(options.providers.resolve()), options.build.resolve()
    os.environ |= {
        "WALLET_PROVIDER": f"{providers}/wallet-provider",
        "TEST_PROVIDER": f"{providers}/wallet-provider-testing",
        "WALLET_CORE_LIBRARY": f"{build}/lib/libwallet_core.so",
        "WALLET_CORE_TESTING_LIBRARY": f"{build}/lib/libwallet_core_testing.so",
        "WALLET_CORE_EXCHANGES": f"{build}/exchanges.json",  # for Tests/Interop
        "WALLET_CORE_CARDS_BY_OTHERS": f"{build}/cards_by_others.json",  # from there
        "WALLET_CORE_PID_REQUESTS": f"{build}/pid_requests.json",
        "WALLET_CORE_CARDS_FOR_WALLET": f"{build}/cards_for_wallet.json",
        "WALLET_CORE_CHAINS_BY_OPENSSL": f"{build}/chains_by_openssl.json",
        "WALLET_CORE_REGISTRATIONS": f"{build}/registrations.json",
        "WALLET_CORE_JUDGES": str(build),  # where their packages are
    }
    bundle = str(pathlib.Path(".build/debug/wallet_corePackageTests.xctest").resolve())
    every = known.swift_parts(bundle, options.full) + known.shell_parts(providers, str(build))
    known.withhold_provider(every, providers)
    directory = build / ("test-full" if options.full else "test")
    directory.mkdir(parents=True, exist_ok=True)
    known.use_debug_provider(
        every, str(build), known.DEBUG_PROVIDER_FULL if options.full else known.DEBUG_PROVIDER
    )
    if options.full:
        every = known.full_parts(every, providers, str(build), tested())
    else:
        known.spare_work(every, directory)
    if options.list:
        print(*(part.name for part in every), sep="\n")
        return 0
    run = chosen(every, options.parts) if options.parts else every

    results = passed_before(run, directory, tested()) if options.full else []
    if results:
        print(f"{len(results)} parts have passed for this commit before and are not run again")
    ended = {result.part for result in results}
    start, total = time.monotonic(), len(run)

    def on_end(result):
        results.append(result)
        minutes, seconds = divmod(int(time.monotonic() - start), 60)
        clock = f"{minutes:02}:{seconds:02}"
        print(
            f"[{len(results)}/{total}] {clock} {'ok' if result.is_green else 'NOT OK'}: {result.part}, "
            f"{result.passed} passed, {len(result.failed)} failed in {result.seconds:.0f} s",
            flush=True,
        )
        if not result.is_green:
            print(f"  the log is {os.path.relpath(directory)}/{result.part}.log")
            print(*result.reasons(directory), sep="\n", flush=True)

    debian_python(directory / "bin")
    execution = Execution(directory, tested, options.jobs, on_end, options.full)
    stopping = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup ignores it
        stopping.append(signal.SIGHUP)
    for number in stopping:
        signal.signal(number, lambda *_: stop(execution, options.building))
    for part in run:
        for name in known.WRITTEN.get(part.name, ()) if part.name not in ended else ():
            (build / name).unlink(missing_ok=True)
    if options.building:
        for part in run:
            if not known.is_free_of_provider(part):
                part.needs += (known.PROVIDER,)
        threading.Thread(target=await_provider, args=(options.building, execution)).start()
    execution.run([part for part in run if part.name not in ended], ended)
    if len(results) < total:
        print(f"tests: ended early with {total - len(results)} parts left", file=sys.stderr)
        return 130
    print(*summary(results, time.monotonic() - start, directory), sep="\n", flush=True)
    return 0 if all(result.is_green for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
