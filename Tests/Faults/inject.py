#!/usr/bin/env python3
"""Makes system calls of the wallet fail, one in each run of a host, and checks the wallet afterwards.

    inject.py [--faults NUMBER] [--only "CHAPTER CALL NUMBER HOW"] HOST PRELOADED_LIBRARY SCRATCH...

Without a number every call of every chapter fails in each way; with one, each call that is made in each of
its ways at least once. Each SCRATCH is one of Tests/Scenarios/provider.sh with a provider that runs, all with
the same keys; the faults are shared out among them.
"""

import argparse
import errno
import itertools
import os
import pathlib
import queue
import random
import sys
import threading
from collections import Counter

from chapters import CHAPTERS, App, play
from host import Died, Hangs, Host
from ledger import Broken, Ledger
from verdict import Verdict
from world import World

SEED = 8
# The ways in which each call fails, the likeliest first.
WAYS = {
    "open": ("EIO", "ENOSPC", "EMFILE", "ENOMEM"),
    "openat": ("EIO", "ENOSPC", "EMFILE", "ENOMEM"),
    "close": ("EIO", "EINTR"),
    "fcntl": ("EMFILE", "EIO"),
    "flock": ("EIO", "EINTR", "ENOLCK"),
    "stat": ("EIO", "ENOMEM"),
    "read": ("EIO", "EINTR", "short"),
    "pread": ("EIO", "EINTR", "short"),
    "write": ("ENOSPC", "EIO", "EINTR", "short"),
    "pwrite": ("ENOSPC", "EIO", "EINTR", "short"),
    "fsync": ("EIO", "ENOSPC"),
    "fdatasync": ("EIO", "ENOSPC"),
    "ftruncate": ("EIO", "EINTR"),
    "rename": ("EIO", "ENOSPC"),
    "unlink": ("EIO",),
    "mkdir": ("ENOSPC",),
    "mmap": ("ENOMEM",),
    "mlock": ("ENOMEM",),
    "socket": ("EMFILE", "ENOMEM"),
    "socketpair": ("EMFILE",),
    "connect": ("ETIMEDOUT", "ECONNREFUSED", "ENETUNREACH"),
    "send": ("ECONNRESET", "EINTR", "short"),
    "recv": ("ECONNRESET", "ETIMEDOUT", "EINTR", "short"),
    "poll": ("EINTR", "ENOMEM"),
    "getrandom": ("EINTR",),
    "thread": ("EAGAIN",),
}


# Faults that once caused a loss, with the numbers that the calls have now.
FOUND = (
    "register openat 1 ENOSPC", "register pread 7 EIO", "wrong mmap 10 ENOMEM", "wipe read 6 EIO",
    "wipe read 7 EIO", "wipe read 8 EIO", "biometrics mmap 22 ENOMEM", "proofing thread 4 EAGAIN")


class Fault:
    def __init__(self, chapter, call, number, way):
        self.chapter, self.call, self.number, self.way = chapter, call, int(number), way

    def __str__(self):
        return f"{self.chapter} {self.call} {self.number} {self.way}"

    def wish(self):
        how = "short" if self.way == "short" else str(getattr(errno, self.way))
        return f"{self.call} {self.number} {how}"


class Chapters:
    """The beginning of each chapter, to which a world can be reset, and the calls in it."""

    def __init__(self, program, library, world):
        self.program, self.library = program, library
        self.moments, self.ledgers, self.counts = {}, {}, {}
        world.begin()
        ledger = Ledger()
        for chapter in CHAPTERS:
            self.moments[chapter] = world.moment()
            self.ledgers[chapter] = ledger.copy()
            self.counts[chapter] = self.count(world, chapter, ledger)

    def host(self, world, **settings):
        environment = dict(os.environ, LD_PRELOAD=self.library, **settings)
        return Host(self.program, world.configuration, str(world.device), environment)

    def count(self, world, chapter, ledger):
        """Plays the chapter without a fault; how often each call is made."""
        path = world.scratch / "counts"
        host = self.host(world, FAULTS_COUNTS=str(path))
        try:
            play(chapter, App(host, world, ledger))
        except (Broken, Died, Hangs) as problem:
            host.kill()
            raise SystemExit(f"{chapter}, without any fault: {problem}") from None
        ended = host.end()
        if ended:
            raise SystemExit(f"{chapter}, without any fault: {ended}")
        return {call: int(count) for call, count in map(str.split, path.read_text().splitlines())}

    def suffer(self, world, fault, log=lambda text: None):
        """Whether the fault struck, and the problem where there is one."""
        struck = world.scratch / "struck"
        struck.unlink(missing_ok=True)
        world.go_back(self.moments[fault.chapter])
        ledger = self.ledgers[fault.chapter].copy()
        host = self.host(world, FAULTS_FAIL=fault.wish(), FAULTS_STRUCK=str(struck))
        problem = None
        try:
            play(fault.chapter, App(host, world, ledger, log))
        except (Broken, Died, Hangs) as reason:
            problem = str(reason)
        problem = host.kill() or problem
        afterwards = Verdict(self.program, world, ledger, log).problem()
        problems = [text for text in (problem, afterwards) if text]
        return struck.exists(), "; afterwards: ".join(problems)


def all_faults(counts):
    return [
        Fault(chapter, call, number, way)
        for chapter, calls in counts.items() for call, ways in WAYS.items()
        for number in range(1, calls[call] + 1) for way in ways]


def spread(faults, number):
    """So many of them, or more: first what was found once; then every call in each way, and further ones, in
    chapters and at places by chance, always the same."""
    chance = random.Random(SEED)
    by_way = {}
    former = [Fault(*text.split()) for text in FOUND]
    for fault in faults:
        if str(fault) not in FOUND:
            by_way.setdefault((fault.call, fault.way), []).append(fault)
    for group in by_way.values():
        chance.shuffle(group)
    rounds = itertools.zip_longest(*by_way.values())
    others = [fault for group in rounds for fault in group if fault is not None]
    return (former + others)[:max(number, len(former) + len(by_way))]


class Tally:
    def __init__(self):
        self.lock = threading.Lock()
        self.injected, self.missed, self.lost = Counter(), 0, []

    def add(self, fault, has_struck, problem):
        with self.lock:
            if has_struck:
                self.injected[fault.call] += 1
            else:
                self.missed += 1
            if problem:
                self.lost.append(fault)
                print(f"lost: {fault}: {problem}", flush=True)
            tried = sum(self.injected.values()) + self.missed
            if tried % 500 == 0:
                print(f"{tried} tried, {len(self.lost)} lost", flush=True)

    def report(self):
        injected = sum(self.injected.values())
        calls = ", ".join(f"{call} {count}" for call, count in sorted(self.injected.items()))
        print(f"by call: {calls}")
        if self.missed:
            print(f"calls that did not come this time: {self.missed}")
        for fault in self.lost:
            print(f"to repeat: FAULT='{fault}' Tests/Faults/run.sh PROVIDER_DIRECTORY BUILD_DIRECTORY")
        print(f"faults injected {injected}, survived {injected - len(self.lost)}, lost {len(self.lost)}")
        return injected > 0 and not self.lost


def work(chapters, world, faults, tally):
    while True:
        try:
            fault = faults.get_nowait()
        except queue.Empty:
            return
        tally.add(fault, *chapters.suffer(world, fault))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--faults", type=int)
    parser.add_argument("--only")
    parser.add_argument("host")
    parser.add_argument("library")
    parser.add_argument("scratch", nargs="+")
    arguments = parser.parse_args()
    library = str(pathlib.Path(arguments.library).resolve())
    worlds = [World(scratch) for scratch in arguments.scratch]
    chapters = Chapters(arguments.host, library, worlds[0])
    if arguments.only:
        has_struck, problem = chapters.suffer(worlds[0], Fault(*arguments.only.split()), print)
        print("the fault struck" if has_struck else "the call did not come", problem or "survived", sep=": ")
        return 1 if problem else 0
    faults = all_faults(chapters.counts)
    calls = sum(sum(counts.values()) for counts in chapters.counts.values())
    print(f"calls that can fail {calls}, ways in which they can {len(faults)}", flush=True)
    waiting = queue.SimpleQueue()
    chosen = spread(faults, arguments.faults) if arguments.faults else faults
    if arguments.faults:
        print(f"sample: {len(chosen)} of {len(faults)} faults by seed {SEED}")
    for fault in chosen:
        waiting.put(fault)
    tally = Tally()
    threads = [
        threading.Thread(target=work, args=(chapters, world, waiting, tally)) for world in worlds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return 0 if tally.report() and waiting.empty() else 1


if __name__ == "__main__":
    sys.exit(main())
