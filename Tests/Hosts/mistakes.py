#!/usr/bin/env python3
"""Makes a host make every mistake of README.md, each in a process of its own: the library must name it.

    mistakes.py --player PROGRAM CONFIGURATION_FILE DIRECTORY

Prints a line per check, in the form that Tests/ABI/run.sh counts.
"""

import argparse
import pathlib
import re
import signal
import types

from play import Conductor, Failed
from report import told

PIN = "471108"
BEFORE_START = {"attach-before-init", "bridge-without-sign", "short-struct", "empty-configuration"}
# The mistake, its status, and a pattern for the message. A reply has only a status.
MISTAKES = (
    ("attach-before-init", "NOT_INITIALIZED", r"wallet_core_init"),
    ("bridge-without-sign", "BRIDGE_INCOMPLETE", r"\bsign\b"),
    ("short-struct", "INVALID_ARGUMENT", r"struct_size"),
    ("empty-configuration", "INVALID_ARGUMENT", r"configuration"),
    ("attach-twice", "BUSY", r"detach|TAKE_OVER"),
    ("never-detach", "BUSY", r"64.*clients|clients.*64"),
    ("use-after-detach", "CLIENT_DETACHED", r"client"),
    ("never-take", "BUSY", r"64 requests .*completions"),
    ("never-free", "BUSY", r"1024 events .*wallet_core_event_free"),
    ("reply-twice", "UNKNOWN_CALL", r""),
    ("wait-in-callback", "REENTRANT", r"inside a callback"),
    ("detach-in-callback", "REENTRANT", r"inside a callback"),
    ("choose-without-step", "STALE_STEP", r"step"),
)


def make(arguments, mistake):
    """Makes a mistake in a new process with a new wallet. Returns the answer and the exit status."""
    conductor = Conductor(types.SimpleNamespace(
        player=arguments.player, configuration=arguments.configuration,
        directory=pathlib.Path(arguments.directory, mistake)))
    try:
        if mistake not in BEFORE_START:
            conductor.tell("start")
        answer = conductor.ask("misuse", mistake)
        if mistake == "never-reply":
            request = conductor.tell("register", PIN)["request"]
            conductor.wait(lambda: conductor.is_unanswered, "sign was not called")
            conductor.tell("clock", 10_000)
            conductor.wait(lambda: request in conductor.answers, "there is no completion")
            completion = conductor.answers[request]
            answer = {
                "status": completion.get("status_name"),
                "message": completion.get("error", {}).get("message", "")}
        # The library must still work after the mistake.
        conductor.tell("locked") if mistake not in BEFORE_START else conductor.tell("start")
        conductor.player.send("quit")
        ended = conductor.player.end()
        return answer, ended
    except (Failed, EOFError) as problem:
        return {"status": "FAILED", "message": f"{type(problem).__name__} {problem}"}, None
    finally:
        if conductor.player is not None:
            conductor.player.end(signal.SIGKILL)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--player", required=True)
    parser.add_argument("configuration")
    parser.add_argument("directory")
    arguments = parser.parse_args()
    for mistake, status, words in MISTAKES + (("never-reply", "BRIDGE_TIMEOUT", r"\bsign\b"),):
        answer, ended = make(arguments, mistake)
        message = answer.get("message") or ""
        holds = answer["status"] == status and re.search(words, message, re.DOTALL) and ended == 0
        told(f"{mistake} is answered with {status} and a message that names the mistake", holds,
             f"{answer['status']}: {message} (the player ended with {ended})")


if __name__ == "__main__":
    main()
