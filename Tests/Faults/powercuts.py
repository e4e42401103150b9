#!/usr/bin/env python3
"""Simulates a power cut at every change of the disk, and checks the wallet's next start.

    powercuts.py [--states NUMBER | --only NUMBER] [--dishonest] HOST PRELOADED_LIBRARY SCRATCH...

Each SCRATCH is one of Tests/Scenarios/provider.sh with a provider that runs, all with the same keys. A
wallet's life is recorded with the first, and what may be left of it opened with all of them. Without a
number every state is opened. --dishonest has a disk that never syncs, which must be found out.
"""

import argparse
import hashlib
import os
import pathlib
import queue
import random
import shutil
import sys
import threading

from chapters import CHAPTERS, App, play
from disk import Disk, read_record
from host import Answer, Died, Hangs, Host
from ledger import Broken, Ledger
from verdict import Verdict
from world import World

SEED = 8
CHANGES = ("create", "write", "truncate", "rename", "unlink")


class Recording:
    """A run from the first start to the wipe: all changes of the disk, and the provider at each answer."""

    def __init__(self, program, library, world):
        self.path = world.scratch / "record"
        self.path.unlink(missing_ok=True)
        world.begin()
        self.provider_states = [world.provider_state()]
        ledger = Ledger()
        for chapter in CHAPTERS:
            self.play(chapter, program, library, world, ledger)

    def play(self, chapter, program, library, world, ledger):
        asked, ask = os.pipe()
        answer, answered = os.pipe()
        environment = dict(
            os.environ, LD_PRELOAD=library, FAULTS_RECORD=str(self.path),
            FAULTS_STORAGE=str(world.storage), FAULTS_ANSWERED=f"{ask} {answer}")
        copier = threading.Thread(target=self.copy_provider, args=(world, asked, answered))
        copier.start()
        host = Host(
            program, world.configuration, str(world.device), environment, (ask, answer))
        try:
            play(chapter, App(host, world, ledger))
        except (Broken, Died, Hangs) as problem:
            raise SystemExit(f"{chapter}, without a power cut: {problem}") from None
        finally:
            host.kill()
            os.close(ask)
            copier.join()
            for descriptor in (asked, answer, answered):
                os.close(descriptor)

    def copy_provider(self, world, asked, answered):
        while os.read(asked, 1):
            self.provider_states.append(world.provider_state())
            os.write(answered, b"a")


class State:
    """A state that a power cut may leave, and what had been acknowledged before."""

    def __init__(self, number, name, image, provider, ledger):
        self.number, self.name, self.image = number, name, image
        self.provider, self.ledger = provider, ledger

    def digest(self):
        sums = [(name, hashlib.sha256(content).digest()) for name, content in sorted(self.image.items())]
        return hashlib.sha256(repr((sums, self.provider, vars(self.ledger))).encode()).digest()


def states_of(events, honest):
    """Every state, in order, without those that are the same."""
    disk, ledger, asked, provider = Disk(honest), Ledger(), None, 0
    chance, seen, number = random.Random(SEED), set(), 0

    def new_states(provider):
        nonlocal number
        for name, image in disk.images(chance):
            state = State(number, name, image, provider, ledger.copy())
            number += 1
            digest = state.digest()
            if digest not in seen:
                seen.add(digest)
                yield state

    yield from new_states(provider)
    for words, payload in events:
        if words[0] == "answered":
            # The provider has done it, and the power fails before the answer arrives.
            provider += 1
        elif words[0] == "mark" and words[1] == ">":
            asked = words[2:]
            ledger.begin(asked)
        elif words[0] == "mark":
            ledger.end(asked, Answer(" ".join(words[2:])))
        elif not disk.apply(words, payload):
            raise ValueError(f"not a line of a record: {words}")
        yield from new_states(provider)


def spread(states, number):
    """So many, or more: one of each kind of state, and of the record in equal parts one of each, by chance,
    always the same."""
    chance = random.Random(SEED)
    kinds = {}
    for state in states:
        kinds.setdefault(state.name, []).append(state)
    chosen = [chance.choice(group) for group in kinds.values()]
    parts = max(0, min(number, len(states)) - len(chosen))
    chosen += [
        states[chance.randrange(len(states) * part // parts, len(states) * (part + 1) // parts)]
        for part in range(parts)]
    return sorted(set(chosen), key=lambda state: state.number)


class Opening:
    """Opens states, each with a host that has nothing else."""

    def __init__(self, program, recording):
        self.program, self.recording = program, recording
        self.lock, self.waiting = threading.Lock(), queue.SimpleQueue()
        self.opened, self.lost = 0, []

    def problem(self, world, state, log=lambda text: None):
        world.set_device(state.image)
        world.set_provider(self.recording.provider_states[state.provider])
        return Verdict(self.program, world, state.ledger.copy(), log).problem()

    def work(self, world):
        while True:
            try:
                state = self.waiting.get_nowait()
            except queue.Empty:
                return
            problem = self.problem(world, state)
            with self.lock:
                self.opened += 1
                if problem:
                    self.lost.append(state)
                    print(f"lost: state {state.number} ({state.name}): {problem}", flush=True)
                if self.opened % 100 == 0:
                    print(f"{self.opened} opened, {len(self.lost)} lost", flush=True)

    def open(self, worlds, states):
        for state in states:
            self.waiting.put(state)
        threads = [threading.Thread(target=self.work, args=(world,)) for world in worlds]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self.waiting.empty()


def show(opening, world, state):
    for name, content in sorted(state.image.items()):
        print(f"{name}: {len(content)} bytes")
    print(f"acknowledged: {vars(state.ledger)}")
    problem = opening.problem(world, state, print)
    print(f"state {state.number} ({state.name}): {problem or 'as promised'}")
    return 1 if problem else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--states", type=int)
    parser.add_argument("--only", type=int)
    parser.add_argument("--dishonest", action="store_true")
    parser.add_argument("host")
    parser.add_argument("library")
    parser.add_argument("scratch", nargs="+")
    arguments = parser.parse_args()
    worlds = [World(scratch) for scratch in arguments.scratch]
    recording = Recording(arguments.host, str(pathlib.Path(arguments.library).resolve()), worlds[0])
    events = read_record(recording.path)
    states = list(states_of(events, not arguments.dishonest))
    opening = Opening(arguments.host, recording)
    if arguments.only is not None:
        return show(opening, worlds[0], next(s for s in states if s.number == arguments.only))
    chosen = spread(states, arguments.states) if arguments.states else states
    if arguments.states:
        print(f"sample: {len(chosen)} of {len(states)} states by seed {SEED}")
    is_done = opening.open(worlds, chosen)
    for state in () if arguments.dishonest else opening.lost:
        print(f"to repeat: CUT={state.number} Tests/Faults/run.sh PROVIDER_DIRECTORY BUILD_DIRECTORY")
    changes = sum(words[0] in CHANGES for words, _ in events)
    print(f"changes of the disk {changes}, distinct states {len(states)}, opened {opening.opened},"
          f" lost {len(opening.lost)}")
    if arguments.dishonest:
        return 0 if is_done and opening.lost else 1
    return 0 if is_done and opening.opened > 0 and not opening.lost else 1


if __name__ == "__main__":
    sys.exit(main())
