#!/usr/bin/python3
"""Tests the ways in which a Python program can end: it must not crash, and must keep its exit status.

    ends.py CONFIGURATION_FILE DIRECTORY [ROUNDS]

Prints a line per check. Each way to end is tried in separate processes.
"""

import pathlib
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Support"))
from patience import PROGRAM_PATIENCE  # noqa: E402

# The beginning of each program: a wallet with slow bridge functions.
BEGIN = """
import asyncio, sys, threading, time
from wallet_core import Core, WalletCoreError
from wallet_core.keys import SoftwarePlatform

class SlowPlatform(SoftwarePlatform):
    def sign(self, call, identifier, payload):
        time.sleep(0.05)
        super().sign(call, identifier, payload)

class Slow:
    # Makes the end of the interpreter slow, like that of a large program.
    def __del__(self, sleep=time.sleep):
        sleep(0.1)

slow = Slow()

def keep_taking(client):
    try:
        while True:
            client.next_event()
    except WalletCoreError:
        pass  # the client has ended

core = Core()
core.init_platform_support(SlowPlatform(sys.argv[2]))
core.init(open(sys.argv[1], "rb").read(), app_version="1.0.0", app_id="org.example.ends", log=print)
client = core.attach("app")
"""

# A program that is nearly at its end: exit handlers run in the reverse order of their registration, so `late` runs
# after those of the package. What it asks of the library needs the platform, which must no longer be called.
LATE = """
import atexit
atexit.register(lambda: late())
""" + BEGIN + """
seen = []
for name in ("public_key", "sign", "encrypt", "decrypt", "storage_path", "device_secure", "internet_reachable"):
    setattr(SlowPlatform, name, lambda self, call, *rest, name=name: seen.append(name))

def late():
    with_request = core.attach("late")
    with_request.register(bytearray(b"471108"))
    while with_request.next_event()["kind"] != "completion":
        pass
    assert not seen, seen
"""

# The way, its program, and the exit status.
WAYS = (
    ("with the platform no longer called", LATE, 0),
    ("without a detach", "client.next_event()", 0),
    ("while a thread waits for events",
     "threading.Thread(target=keep_taking, args=(client,), daemon=True).start()", 0),
    ("while the platform handles a call", "client.register(bytearray(b'471108'))\ntime.sleep(float(sys.argv[3]))", 0),
    # A thread of the library may call a callback until the process has ended; it must not be freed before.
    ("with its callbacks kept after the modules were cleared",
     "import gc, weakref\nfrom wallet_core import library\n"
     "kinds = (library.SigningKeyBridge, library.EncryptionKeyBridge, library.UtilitiesBridge, library.OnLog)\n"
     "called = [weakref.ref(it) for it in gc.get_objects() if type(it) in kinds]\n"
     "sys.unraisablehook = lambda _: None  # functions of a cleared module find nothing\n"
     "for name in ('bridges', 'core', 'client'): vars(sys.modules['wallet_core.' + name]).clear()\n"
     "gc.collect()\nassert [it() is not None for it in called] == [True] * 4", 0),
    ("by an exception while it takes events",
     "client.register(bytearray(b'471108'))\n"
     "async def run():\n    async for event in client.events():\n        raise SystemExit(3)\nasyncio.run(run())", 3),
    ("after its loop has ended, before its events have",
     "async def run():\n    await anext(client.events())\nasyncio.run(run())", 0),
    ("while a task waits for events",
     "async def run():\n    async for event in client.events(): pass\n"
     "loop = asyncio.new_event_loop()\ntask = loop.create_task(run())\nloop.run_until_complete(asyncio.sleep(0.05))", 0),
    ("by a take-over in the same process",
     "async def run():\n    old = client.events()\n    await anext(old)\n    core.attach('app', take_over=True).detach()\n"
     "    async for _ in old: pass\nasyncio.run(run())", 0),
    ("by SIGINT while it waits",
     # Where the tests run in the background, SIGINT is ignored from the start.
     "import os, signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
     "threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
     "async def run():\n    async for event in client.events(): pass\nasyncio.run(run())", -signal.SIGINT),
)


def main():
    configuration, directory = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    pathlib.Path(directory).mkdir(parents=True, exist_ok=True)
    for name, program, status in WAYS:
        problem = ""
        # `late` waits until the library gives up on the platform.
        for number in range(1 if program == LATE else rounds):
            with tempfile.TemporaryDirectory(dir=directory) as state:
                try:
                    ended = subprocess.run(
                        [sys.executable, "-c", program if program == LATE else BEGIN + program, configuration, state, str(number * 0.06)],
                        capture_output=True, text=True, timeout=PROGRAM_PATIENCE, check=False)
                except subprocess.TimeoutExpired:
                    problem = f"round {number}: it does not end"
                    break
            # asyncio rightly warns about a task that is destroyed while it waits.
            noise = "" if status or "Task was destroyed" in ended.stderr else ended.stderr
            if ended.returncode != status or noise:
                problem = f"round {number}: exit status {ended.returncode}\n{ended.stderr[-1500:]}"
                break
        print(f"{'not ok' if problem else 'ok'} - a program ends {name}", flush=True)
        if problem:
            print("#   " + problem.replace("\n", "\n#   "), flush=True)


if __name__ == "__main__":
    main()
