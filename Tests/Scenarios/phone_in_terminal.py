"""The phone in a pseudo-terminal, for its tests."""
import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import termios
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Support"))
from patience import PATIENCE  # noqa: E402


class Phone:
    def __init__(self, *command):
        self.outside, self.inside = pty.openpty()
        self.before = termios.tcgetattr(self.inside)
        self.text = ""
        self.process = subprocess.Popen(
            command, stdin=self.inside, stdout=self.inside, stderr=self.inside, start_new_session=True)

    def read(self):
        if select.select([self.outside], [], [], 0.05)[0]:
            self.text += os.read(self.outside, 65536).decode(errors="replace")

    def screen(self):
        """The last complete drawing."""
        drawings = self.text.split("\x1b[H")
        return re.sub(r"\x1b\[[0-9?]*[A-Za-z]", "", drawings[-2]) if len(drawings) > 2 else ""

    def misfits(self):
        """The drawings that do not fit a terminal of 80 columns and 24 lines."""
        drawings = [re.sub(r"\x1b\[[0-9?]*[A-Za-z]|\r", "", each) for each in self.text.split("\x1b[H")[1:-1]]
        return [each for each in drawings
                if each.count("\n") > 23 or max(map(len, each.split("\n"))) > 80]

    def shows(self, *words):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.read()
            if all(word in self.screen() for word in words):
                return True
        return False

    def press(self, keys):
        os.write(self.outside, keys.encode())

    def choose(self, label):
        """Presses the key of the action with that label, once it is shown. Returns the key."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.read()
            key = re.search(rf"\[(.)\] {re.escape(label)}", self.screen())
            if key:
                self.press(key[1])
                return key[1]
        return ""

    def ends(self):
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            self.read()
        return self.process.poll()

    def is_restored(self):
        return termios.tcgetattr(self.inside) == self.before


def check(name, holds, phone):
    print(f"{'ok' if holds else 'not ok'} - the phone in a terminal: {name}")
    if not holds:
        print(re.sub("^", "#   ", phone.screen(), flags=re.MULTILINE))
