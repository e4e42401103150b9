#!/usr/bin/env python3
"""A host that rebinds many times, with a provider that answers slowly.

    stress.py --player PROGRAM [--rounds N] CONFIGURATION_FILE DIRECTORY

In each round a new client takes over and requests an unlock, which the next round abandons. Afterwards the wallet
must work. Prints a line per check. PHONE_PROVIDER is as for play.py.
"""

import argparse
import os
import pathlib
import signal
import subprocess
import sys
import types

from play import Conductor, Failed
from report import told

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Support"))
from patience import PROGRAM_PATIENCE  # noqa: E402

PIN, WRONG_PIN = "471108", "471109"
# As long as the longest block of the standard policy.
BLOCK_MILLISECONDS = 3_600_000
SLOWLY = '{"kind":"delay","delay_ms":300,"count":1000000}'


def provider(*words):
    subprocess.run([os.environ["PHONE_PROVIDER"], *words], check=True, stdin=subprocess.DEVNULL)


def threads_of(process):
    return len(list(pathlib.Path(f"/proc/{process.pid}/task").iterdir()))


def completed(conductor, *words):
    return conductor.completion(conductor.tell(*words))


def run_rounds(conductor, rounds):
    conductor.tell("start")
    told("a wallet is registered", completed(conductor, "register", PIN)["status_name"] == "OK")
    conductor.tell("rebind")
    before = threads_of(conductor.player.process)
    provider("fault", SLOWLY)
    answer = conductor.ask("stress", rounds, PIN)
    provider("fault")
    told(f"{rounds} engines take over, one after the other, while the provider answers slowly",
         answer == {"status": "OK", "rounds": rounds}, answer)
    # The library carries out one request after the other: once this is answered, the abandoned ones have ended.
    barrier = completed(conductor, "unlock", WRONG_PIN)
    told("the wallet ends locked, whatever was running", conductor.tell("locked")["value"] is True)
    # An unlock that was abandoned between the evaluation and the check of its PIN has cost an attempt.
    provider("clock", str(BLOCK_MILLISECONDS))
    right = completed(conductor, "unlock", PIN)
    told("the last engine unlocks", right.get("pin", {}).get("outcome") == "valid", [barrier, right])
    wrong = completed(conductor, "unlock", WRONG_PIN)
    left = wrong.get("pin", {}).get("attempts_left")
    told("after a right PIN only the wrong one of this test is counted", left == 3, wrong)
    conductor.wait(lambda: threads_of(conductor.player.process) <= before + 8, "threads were left")
    told("no thread of a dead engine is left", True)
    conductor.player.send("quit")
    told("the host ends without an error", conductor.player.end() == 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--player", required=True)
    parser.add_argument("--rounds", type=int, default=1_000)
    parser.add_argument("configuration")
    parser.add_argument("directory")
    arguments = parser.parse_args()
    conductor = Conductor(types.SimpleNamespace(
        player=arguments.player, configuration=arguments.configuration, directory=arguments.directory))
    # The player answers only when all rounds have ended.
    conductor.patience = PROGRAM_PATIENCE
    try:
        run_rounds(conductor, arguments.rounds)
    except (Failed, EOFError) as problem:
        told("the stress run passes", False, f"{type(problem).__name__} {problem}")
    finally:
        provider("fault")
        if conductor.player is not None:
            conductor.player.end(signal.SIGKILL)


if __name__ == "__main__":
    main()
