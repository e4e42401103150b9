#!/usr/bin/env python3
"""Plays a scenario with a host in any language, see README.md.

    play.py --player PROGRAM [--trace FILE] [--events FILE] SCENARIO_FILE CONFIGURATION_FILE STATE_DIRECTORY

Prints each instruction after "> ", and each step on one line. The exit code is 0 if the scenario was played to its
end. --trace writes the events of each stream, for comparison with other hosts; --events appends each event as JSON.
"""

import argparse
import base64
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import time

import trace
from party import Party, Refused, check_shown
from player_process import PlayerProcess

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Support"))
from patience import PATIENCE  # noqa: E402

QUIET = 0.15  # seconds in which nothing must come
QR_CODE, PDF417, OTHER = 1, 2, 3
PASSING = ("progress", "system-prompt")


class Failed(Exception):
    pass


def lines_of(path, depth=0):
    """The instructions of a scenario and of the files that it includes."""
    if depth > 8:
        raise Failed(f"{path}: includes itself")
    for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
        line = line.strip()
        if line.startswith("include "):
            yield from lines_of(pathlib.Path(path).with_name(line[8:] + ".part"), depth + 1)
        elif line and not line.startswith("#"):
            yield f"{path}:{number}", line


class Conductor:
    def __init__(self, arguments):
        self.command = [arguments.player, arguments.configuration, arguments.directory]
        self.directory = pathlib.Path(arguments.directory)
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.recorder, self.is_recording = trace.Recorder(), bool(getattr(arguments, "trace", None))
        self.all_events = getattr(arguments, "events", None)
        self.world = {}  # settings that survive a kill of the app
        self.clock = self.calendar = 0
        self.patience = PATIENCE
        self.player, self.party, self.began = None, None, time.monotonic()
        self.began_at = int(time.time())  # the wallet's clock stands still
        self.begin_run()

    # --- runs of the app ------------------------------------------------------------------------

    def begin_run(self):
        self.player, self.is_started, self.is_kill_expected = None, False, False
        self.step, self.expected, self.is_prompting, self.answers = None, 0, False, {}
        self.version_grade, self.passed, self.is_unanswered = "ok", {}, False

    def host(self):
        """Returns the player. Starts it if it does not run, with the settings of the last run."""
        if self.player is None:
            self.player = PlayerProcess(self.command)
            for words in self.world.values():
                self.tell(*words)
            self.tell("stop-clock")
            # Even if they are 0: a wallet keeps the clock and the network that it starts with.
            self.tell("clock", self.clock)
            self.tell("calendar", self.calendar)
        return self.player

    def survive(self):
        """Handles an expected kill of the app: its next run begins at the next instruction."""
        if (status := self.player.end(signal.SIGKILL)) != -signal.SIGKILL:
            raise Failed(f"the player was not killed, but ended with {status}")
        self.recorder.begin_run(was_killed=self.is_kill_expected)
        self.begin_run()

    # --- messages to the player -----------------------------------------------------------------

    def ask(self, *words):
        """Sends an instruction to the player. Returns its answer."""
        host = self.host()
        host.send(*words)
        deadline = time.monotonic() + self.patience
        while (left := deadline - time.monotonic()) > 0:
            message = self.take(left)
            if message is not None and "answer" in message:
                return message["answer"]
        raise Failed(f"the player does not answer to {words[0]}")

    def tell(self, *words):
        answer = self.ask(*words)
        if answer["status"] != "OK":
            raise Failed(f"the answer is {answer['status']}: {answer.get('message', '')}")
        return answer

    def take(self, seconds):
        """Takes one message. Returns None if none came in time."""
        message = self.host().receive(seconds)
        if message is None:
            return None
        if "prompt" in message:
            self.is_prompting = message["prompt"] == "open"
        if "unanswered" in message:
            self.is_unanswered = True
        if "failed" in message:
            raise Failed(f"the player takes no more events: {message['failed']}")
        if "event" in message:
            event = message["event"]
            self.recorder.event(event)
            if self.all_events:
                print(json.dumps(event), file=self.all_events)
            if event["kind"] == "step":
                self.step = event
                print(trace.line_of(event), flush=True)
            elif event["kind"] == "version_state":
                self.version_grade = event["grade"]
            elif event["kind"] == "completion":
                self.answers[event["request"]] = event
        return message

    def drain(self):
        """Takes the events that are still to come, if they are recorded."""
        while self.is_recording and self.is_started and self.take(QUIET) is not None:
            pass

    def wait(self, holds, problem, patience=PATIENCE):
        deadline = time.monotonic() + patience
        while not holds():
            left = deadline - time.monotonic()
            if left <= 0:
                raise Failed(problem)
            self.take(min(left, 0.05))  # not every condition changes with a message

    # --- playing --------------------------------------------------------------------------------

    def play(self, path):
        lines = list(lines_of(path))
        index = 0
        while index < len(lines):
            where, line = lines[index]
            print(f"> {line}", flush=True)
            word, *rest = line.split(" ")
            method = getattr(self, "do_" + word.replace("-", "_"), None)
            try:
                if method is None:
                    raise Failed("unknown instruction")
                method(*rest)
            except EOFError:
                # Killed at a point, at any line up to "killed", which waits for the kill.
                ahead = [n for n in range(index, len(lines)) if lines[n][1] == "killed"]
                if not self.is_kill_expected or not ahead:
                    raise Failed(f"{where}: {line}: the player ended by itself") from None
                index = ahead[0]
                try:
                    self.survive()
                except Failed as problem:
                    raise Failed(f"{where}: {line}: {problem}") from None
            except (Failed, Refused, OSError, TypeError, ValueError, LookupError) as problem:
                raise Failed(f"{where}: {line}: {problem}") from None
            index += 1
        if self.player is not None and self.is_started:
            self.drain()
            self.host().send("quit")
        if self.player is not None and self.player.end() != 0:
            raise Failed("the player ended with an error")
        if self.party is not None:
            self.party.none()

    def do_platform(self, kind):
        self.world["platform"] = ("platform", kind)

    def set(self, *words):
        self.world[words[0]] = words
        if self.player is not None:
            self.tell(*words)

    def do_biometrics(self, what):
        self.set("biometrics", what)

    def do_camera(self, what):
        self.set("camera", what)

    def do_device(self, what):
        self.set("device", what)

    def do_keys(self, what):
        if what == "lost":
            self.tell("keys", "lost")
            self.world.pop("keys", None)
        else:
            self.set("keys", what)

    def do_network(self, fault, count=-1):
        self.set("network", fault, count)
        self.world["network"] = ("network", fault, -1)

    def do_clock(self, milliseconds):
        self.host()
        self.clock += int(milliseconds)
        self.tell("clock", milliseconds)

    def do_calendar(self, seconds):
        self.host()
        self.calendar += int(seconds)
        self.tell("calendar", seconds)

    def do_kill_at(self, point):
        self.tell("kill-at", point)
        self.is_kill_expected = True

    def do_reached(self, point):
        def passes():
            seen = self.tell("passes", point)["passes"]
            return seen if seen > self.passed.get(point, 0) else None

        self.passed[point] = self.poll(passes)

    def do_kill(self):
        if self.player is not None:
            self.drain()
            self.survive()

    def do_killed(self):
        self.wait(lambda: False, "the app was not killed")

    def do_provider(self, *words):
        self.run(os.environ["PHONE_PROVIDER"], *words)

    def do_party(self, what, *words):
        if self.party is None:
            self.party = Party(os.environ["PHONE_PARTY"])
        values = dict(word.split("=", 1) for word in words)
        if what == "request":
            options = {"now": self.began_at + self.clock // 1000, "redirect": "https://localhost/done"}
            options |= {name: json_or_text(value) for name, value in values.items()}
            pathlib.Path(os.environ["PHONE_PICTURES"], "party-link.txt").write_text(self.party.ask(options))
        elif what == "answered":
            self.party.answered(**values)
        elif what == "fetched":
            self.party.fetched()
        elif what == "release":
            self.party.release()
        elif what == "none":
            self.party.none()
        elif what == "shown":
            check_shown(self.step["sharing"], values)
        else:
            raise Failed("expected request, answered, fetched, release, none or shown")

    def do_storage(self, what, name=None):
        path, away = self.directory / "storage", self.directory / "storage.away"
        if what == "missing":
            if path.exists():
                path.rename(away)
            path.touch(mode=0o600)
        elif what == "ok":
            path.unlink()
            if away.exists():
                away.rename(path)
        elif what in ("grown", "failing"):
            self.run(os.environ["PHONE_PROVIDER"], "damage", path, f"--{what}")
        elif what != "damaged":
            raise Failed("expected missing, ok, damaged, grown or failing")
        elif name is None:
            files = [file for file in path.iterdir() if file.is_file()]
            for file in files:
                size = file.stat().st_size
                with open(file, "r+b") as opened:  # its length does not change
                    opened.write((b"this is no wallet".ljust(512, b"\0") * (size // 512 + 1))[:size])
            if not files:
                raise Failed("there is no file to damage")
        else:
            self.run(os.environ["PHONE_PROVIDER"], "damage", path, name)

    def run(self, *command):
        if subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL).returncode != 0:
            raise Failed(f"{command[0]} did not succeed")

    # --- the app --------------------------------------------------------------------------------

    def start(self):
        if not self.is_started:
            self.tell("start")
            self.is_started = True

    def do_open(self, startup, link=None):
        self.start()
        self.tell("open", startup, *([content(link).decode()] if link else []))

    def do_background(self):
        self.tell("lifecycle", "background")

    def do_foreground(self):
        self.tell("lifecycle", "foreground")

    def do_activity(self):
        self.tell("lifecycle", "activity")

    def do_lock(self):
        self.tell("lock")

    def do_unlock(self, digits):
        self.start()
        answer = self.completion(self.ask("unlock", digits))
        if answer.get("pin", {}).get("outcome") != "valid":
            raise Failed(f"the answer is {answer['status_name']}")

    def do_rebind(self):
        self.step = None  # before the new client is given it anew
        self.tell("rebind")

    # --- the user -------------------------------------------------------------------------------

    def serial(self):
        return self.step["serial"] if self.step else 0

    def do_choose(self, action):
        self.tell("choose", self.serial(), action)

    def do_pin(self, digits):
        self.tell("enter", self.serial(), digits)

    def do_choose_option(self, index):
        self.tell("choose-option", self.serial(), index)

    def scanned(self, symbology, data):
        return self.ask("scan", self.serial(), symbology, base64.b64encode(data).decode())

    def do_scan(self, what, text=None):
        if text is not None:
            self.accept(self.scanned({"qr": QR_CODE, "pdf417": PDF417}[what], content(text)))
            return
        wanted = ["--licence"] if self.step["name"] == "scan-licence" else []
        path = pathlib.Path(os.environ["PHONE_PICTURES"], what)
        seen = subprocess.run(
            [os.environ["PHONE_SCANNER"], *wanted, "--raw", path], capture_output=True, check=False)
        if seen.returncode == 0:
            named = subprocess.run(
                [os.environ["PHONE_SCANNER"], *wanted, path], capture_output=True, check=True).stdout
            name = named.split(b",")[0].replace(b" ", b"").upper()
            symbology = {b"QRCODE": QR_CODE, b"PDF417": PDF417}.get(name, OTHER)
            self.accept(self.scanned(symbology, seen.stdout))
        elif seen.returncode == 1 and any(a["name"] == "unreadable" for a in self.step["actions"]):
            self.do_choose("unreadable")
        elif seen.returncode > 2:
            raise Failed(seen.stderr.decode())

    def accept(self, answer, wanted="OK"):
        if answer["status"] != wanted:
            raise Failed(f"the answer is {answer['status']}: {answer.get('message', '')}")

    def do_finger(self, word, times="1"):
        if not word.startswith("late-"):
            self.wait(lambda: self.is_prompting, "no prompt opened")
            self.is_prompting = False
        self.tell("finger", word, times)

    def do_refused(self, *words):
        if words[0] == "pin":
            answer = self.ask("enter", self.serial(), words[1])
        elif words[0] == "scan":
            answer = self.scanned(QR_CODE, content(words[1]))
        else:
            answer = self.ask("choose", self.serial(), words[0])
        self.accept(answer, words[-1])
        self.do_no_step()

    def do_stale(self, action):
        self.accept(self.ask("choose", self.serial() - 1, action), "STALE_STEP")

    # --- expectations ---------------------------------------------------------------------------

    def do_expect(self, use_case, row, name, *conditions):
        deadline = time.monotonic() + PATIENCE
        while True:
            step = self.step
            if step is not None and step["serial"] > self.expected:
                if (step["use_case"], step["row"], step["name"]) == (use_case, row, name):
                    self.expected = step["serial"]
                    self.check(step, list(conditions))
                    return
                if step["step_kind"] not in PASSING:
                    raise Failed("another step came")
            left = deadline - time.monotonic()
            if left <= 0:
                raise Failed("the step did not come")
            self.take(left)

    def check(self, step, conditions):
        notices = [c[1:] for c in conditions if c.startswith("!")]
        if notices != step["notices"] and sorted(notices) != sorted(step["notices"]):
            raise Failed(f"the notices are {step['notices']}")
        while conditions:
            condition = conditions.pop(0)
            if condition == "actions":
                wanted = conditions.pop(0)
                found = ",".join(action["name"] for action in step["actions"]) or "none"
                if found != wanted:
                    raise Failed(f"the actions are {found}")
            elif not condition.startswith("!"):
                if "=" not in condition:
                    raise Failed(f"{condition} is no condition")
                name, _, value = condition.partition("=")
                if not self.fits(name, trace.argument(step, name), value):
                    raise Failed(f"{name} is {trace.argument(step, name)}")

    def fits(self, name, found, wanted):
        """Whether the value is as wanted. A duration may be shorter by the seconds begun in the scenario."""
        if found == wanted or not name.endswith("_ms") or not found:
            return found == wanted or found.replace(" ", "_") == wanted
        age = math.ceil(time.monotonic() - self.began) * 1000
        return int(wanted) - age <= int(found) < int(wanted)

    def do_no_step(self):
        deadline = time.monotonic() + QUIET
        while (left := deadline - time.monotonic()) > 0:
            before = self.serial()
            self.take(left)
            if self.serial() != before and self.step["step_kind"] not in PASSING:
                raise Failed("a step came")

    def do_prompt(self, state):
        self.wait(lambda: self.is_prompting == (state == "open"), "not in time")

    def until(self, word, wanted):
        self.poll(lambda: self.tell(word)["value"] == wanted)

    def poll(self, holds):
        deadline = time.monotonic() + PATIENCE
        while not (found := holds()):
            if time.monotonic() > deadline:
                raise Failed("not in time")
            self.take(0.02)
        return found

    def do_locked(self, what):
        self.until("locked", what == "yes")

    def do_registered(self, what):
        self.until("registered", what == "yes")

    def do_biometric_unlock(self, what):
        self.until("biometric-unlock", what == "on")

    def do_version(self, grade):
        self.wait(lambda: self.version_grade == grade, "not in time")

    def completion(self, answer):
        """The completion of a request, or the status with which it was refused at once."""
        if "request" not in answer:
            return {"status_name": answer["status"]}
        request = answer["request"]
        self.wait(lambda: request in self.answers, "no completion came")
        return self.answers.pop(request)

    def do_card(self, *conditions):
        answer = self.completion(self.ask("cards"))
        if answer["status_name"] != "OK":
            raise Failed(f"the answer is {answer['status_name']}")
        cards = answer.get("cards", [])
        if len(cards) != (0 if conditions == ("none",) else 1):
            raise Failed(f"there are {len(cards)} cards")
        for condition in conditions if cards else ():
            name, _, value = condition.partition("=")
            if trace.claim(cards[0], name).replace(" ", "_") != value:
                raise Failed(f"the card has another value of {name}")

    def do_history(self, *results):
        answer = self.completion(self.ask("activities"))
        found = [activity["result"] for activity in answer.get("activities", [])]
        if answer["status_name"] != "OK" or found != [result for result in results if result != "none"]:
            raise Failed(f"the answer is {answer['status_name']}, the history {found}")

    def do_present(self, claims, digits, wanted="OK"):
        nonce, audience = "n-0S6_WzA2Mj", "https://verifier.example"
        answer = self.completion(self.ask("present", "pid", claims, nonce, audience, digits))
        outcome = answer.get("pin", {}).get("outcome", "valid")
        found = answer["status_name"] if outcome == "valid" else outcome
        if found != wanted or len(answer.get("presentations", [])) != (wanted == "OK"):
            raise Failed(f"the answer is {found}")


def content(word):
    """The bytes that a word means: the word itself, or for "@NAME" the content of that file in PHONE_PICTURES."""
    if not word.startswith("@"):
        return word.encode()
    return pathlib.Path(os.environ["PHONE_PICTURES"], word[1:]).read_bytes()


def json_or_text(word):
    try:
        return json.loads(word)
    except ValueError:
        return word


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--player", required=True)
    parser.add_argument("--trace")
    parser.add_argument("--events", type=argparse.FileType("a"))
    parser.add_argument("scenario")
    parser.add_argument("configuration")
    parser.add_argument("directory")
    arguments = parser.parse_args()
    conductor = Conductor(arguments)
    try:
        conductor.play(arguments.scenario)
    except (Failed, Refused, OSError) as problem:
        print(f"play: {problem}", file=sys.stderr)
        return 1
    finally:
        if conductor.player is not None:
            conductor.player.end(signal.SIGKILL)
        if conductor.party is not None:
            conductor.party.end()
        if arguments.trace:
            pathlib.Path(arguments.trace).write_text(conductor.recorder.text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
