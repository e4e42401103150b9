"""The relying party of a scenario: Tests/Support/relying_party.py, as a process that only this scenario has."""

import json
import pathlib
import subprocess
import sys
import threading
import time

import trace

SUPPORT = pathlib.Path(__file__).resolve().parents[1] / "Support"
sys.path.insert(0, str(SUPPORT))
from patience import PATIENCE  # noqa: E402


class Refused(Exception):
    pass


class Party:
    def __init__(self, directory):
        # Every HTTP stack finds this name; README.md of the relying party says which names do not do.
        self.process = subprocess.Popen(
            [SUPPORT / "relying_party.py", directory, "--host", "localhost"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines, self.changed = [], threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()
        self.take("ready")

    def _read(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(json.loads(line))
                self.changed.notify_all()

    def _say(self, line):
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()

    def take(self, *names):
        """Waits for the first line with one of these members, and removes it."""
        deadline = time.monotonic() + PATIENCE
        with self.changed:
            while True:
                for line in self.lines:
                    if any(name in line for name in names):
                        self.lines.remove(line)
                        return line
                if (left := deadline - time.monotonic()) <= 0:
                    raise Refused(f"the relying party has nothing {names[0]}")
                self.changed.wait(left)

    def ask(self, options):
        """Makes a request. What the relying party printed before the reply has come by then too."""
        self._say({"request": options})
        reply = self.take("link", "error")
        if "link" not in reply:
            raise Refused(f"the relying party makes no such request: {reply['error']}")
        return reply["link"]

    def check(self):
        """Raises if the wallet has made a mistake, or is where nobody sent it."""
        with self.changed:
            for line in self.lines:
                if line.get("problem"):
                    raise Refused(f"the relying party says: {line['problem']}")
                if "visited" in line:
                    raise Refused(f"somebody was at {line['visited']}")

    def answered(self, error=None):
        """Waits for an answer: the only one to its request, right, and with this error or none."""
        line = self.take("answered")
        if line["problem"]:
            raise Refused(f"the relying party says: {line['problem']}")
        if line["posts"] != 1:
            raise Refused("the request was answered before")
        if line["error"] != error:
            raise Refused(f"the answer's error is {line['error']}")

    def release(self):
        """Lets replies go that are held."""
        self._say({"release": True})
        self.take("released")

    def fetched(self):
        line = self.take("fetched")
        if line["problem"]:
            raise Refused(f"the relying party says: {line['problem']}")

    def none(self):
        """Raises if an answer came that no instruction has taken."""
        self.ask({})
        self.check()
        with self.changed:
            if any("answered" in line for line in self.lines):
                raise Refused("an answer came")

    def end(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE)


def check_shown(request, values):
    """Compares what a step tells of a request."""
    options = request["options"]
    chosen = [str(index) for index, option in enumerate(options) if option["is_chosen"]]
    known = {
        "options": str(len(options)), "chosen": ",".join(chosen) or "none",
        "missing": str(len(request["missing"])), "warnings": ",".join(request["warnings"]) or "none"}
    for name, value in values.items():
        found = known.get(name, trace.steady(name, request.get(name, ""))).replace(" ", "_")
        if found != value:
            raise Refused(f"{name} is {found}")
