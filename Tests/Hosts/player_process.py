"""The process of a player, and its input and output."""

import json
import pathlib
import queue
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Support"))
from patience import PATIENCE  # noqa: E402


class PlayerProcess:
    def __init__(self, command):
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.messages = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.messages.put(json.loads(line))
        self.messages.put(None)

    def send(self, *words):
        try:
            self.process.stdin.write(" ".join(str(word) for word in words) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the process has ended, which receive() reports

    def receive(self, seconds):
        """Returns the next message, or None if none came in time. Raises EOFError once the process has ended."""
        try:
            message = self.messages.get(timeout=seconds)
        except queue.Empty:
            return None
        if message is None:
            self.messages.put(None)
            raise EOFError
        return message

    def end(self, signal=None):
        """Sends the signal, if given, and waits for the end. Returns the exit status."""
        if signal is not None and self.process.poll() is None:
            self.process.send_signal(signal)
        self.process.stdin.close()
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()
