"""The process of the host `wallet`, and the connection to it."""

import pathlib
import queue
import signal
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Support"))
from patience import PATIENCE  # noqa: E402


class Died(Exception):
    """The process ended by itself: a crash."""


class Hangs(Exception):
    """The process does not answer."""


class Answer:
    def __init__(self, line):
        self.line = line
        words, _, self.message = line.partition(" | ")
        self.status, *self.values = words.split()

    @property
    def was_begun(self):
        """Whether the request had begun: then its status is followed by numbers."""
        return len(self.values) == 4

    def number(self, index):
        return int(self.values[index]) if index < len(self.values) else 0

    @property
    def outcome(self):
        """WALLET_CORE_PIN_... of a request with a PIN."""
        return self.number(0)

    @property
    def attempts_left(self):
        return self.number(1)

    @property
    def cards(self):
        return self.number(2)

    @property
    def has_presentation(self):
        return self.number(3) > 0


class Host:
    def __init__(self, program, configuration, directory, environment=None, descriptors=()):
        self.process = subprocess.Popen(
            [program, configuration, directory], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env=environment, pass_fds=descriptors)
        self.lines = queue.SimpleQueue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def ask(self, *words):
        try:
            self.process.stdin.write(" ".join(words) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended, which the reader finds
        try:
            line = self.lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise Hangs(f"no answer to {words[0]} in {PATIENCE} s") from None
        if line is None:
            raise Died(f"died at {words[0]}: {describe(self.process.wait())}")
        return Answer(line)

    def kill(self):
        """Kills it as the system kills an app; returns how it had ended if it had."""
        ended = self.process.poll()
        self.process.kill()
        self.process.wait()
        self._close()
        return None if ended is None else describe(ended)

    def end(self):
        """Lets it end by itself; None, or how it ended if not successfully."""
        self.process.stdin.close()
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return "it does not exit"
        finally:
            self.reader.join()
            self.process.stdout.close()
        return None if status == 0 else describe(status)

    def _close(self):
        self.reader.join()
        self.process.stdin.close()
        self.process.stdout.close()


def describe(status):
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
