"""The host under test: starts its command and hands it requests, see README.md."""

import base64
import json
import os
import shlex
import subprocess
import sys
import tempfile
import threading

sys.path[:0] = [os.path.join(os.path.dirname(__file__), "..", "Support")]
from patience import PATIENCE  # noqa: E402

ANSWERED, NO_NETWORK, NOT_CONNECTED, TIMED_OUT, TLS_REFUSED, INCOMPLETE, TOO_LARGE, ADDRESS_REFUSED = range(8)
NAMES = (
    "ANSWERED", "NO_NETWORK", "NOT_CONNECTED", "TIMED_OUT", "TLS_REFUSED", "INCOMPLETE", "TOO_LARGE",
    "ADDRESS_REFUSED",
)


def encoded(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Reply:
    """What the host reported, or why it did not."""

    def __init__(self, line):
        self.failure = line.get("failure")
        self.outcome = line.get("outcome")
        self.was_sent = line.get("was_sent")
        self.status = line.get("status")
        self.headers = [tuple(header) for header in line.get("headers") or ()]
        body = line.get("body") or ""
        self.body = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
        self.url, self.address = line.get("url"), line.get("address")
        self.message = line.get("message") or ""

    @property
    def is_answer(self):
        return self.outcome == ANSWERED

    def header(self, name):
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def __str__(self):
        if self.failure:
            return f"no reply: {self.failure}"
        told = f" ({self.message})" if self.message else ""
        answer = f" {self.status} {self.url} of {self.address}" if self.is_answer else ""
        return f"{NAMES[self.outcome]}{answer}, sent: {self.was_sent}{told}"


class Bridge:
    """Use it in a `with` statement: the host ends at its end."""

    def __init__(self, command, environment):
        self._directory = tempfile.TemporaryDirectory(prefix="http-check-")
        for name in ("requests", "results"):
            os.mkfifo(os.path.join(self._directory.name, name))
        self._condition = threading.Condition()
        self._replies, self._count, self._is_gone = {}, 0, False
        environment = os.environ | environment | {"WALLET_CORE_HTTP_CHECK": self._directory.name}
        try:
            self.process = subprocess.Popen(shlex.split(command), env=environment)
        except OSError as error:
            raise SystemExit(f"check-http-bridge: {command}: {error.strerror}") from None
        # For both directions: opening one end alone waits for the other, which never comes if the host ends at once.
        self._requests = os.fdopen(os.open(os.path.join(self._directory.name, "requests"), os.O_RDWR), "wb", buffering=0)
        self._results = os.fdopen(os.open(os.path.join(self._directory.name, "results"), os.O_RDWR), "rb", buffering=0)
        threading.Thread(target=self._wait_for_end, daemon=True).start()
        threading.Thread(target=self._read, daemon=True).start()

    def _wait_for_end(self):
        self.process.wait()
        with self._condition:
            self._is_gone = True
            self._condition.notify_all()

    def _read(self):
        for line in self._results:
            reply = json.loads(line)
            with self._condition:
                self._replies[reply["id"]] = Reply(reply)
                self._condition.notify_all()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._requests.close()
        except OSError:  # the host has gone
            pass
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self._directory.cleanup()

    def begin(self, url, method="GET", headers=(("accept", "text/plain"),), body=b"", **limits):
        """Hands a request over, and returns its number."""
        with self._condition:
            self._count += 1
            number = self._count
        self._requests.write(json.dumps({
            "id": number, "url": url, "method": method, "headers": [list(header) for header in headers],
            "body": encoded(body), **limits}).encode() + b"\n")
        return number

    def cancel(self, number):
        self._requests.write(json.dumps({"cancel": number}).encode() + b"\n")

    def end(self, number):
        """Waits for the reply to a request."""
        with self._condition:
            self._condition.wait_for(lambda: number in self._replies or self._is_gone, PATIENCE)
            if number not in self._replies and self._is_gone:
                raise SystemExit(f"check-http-bridge: the host has ended with status {self.process.returncode}")
            return self._replies.pop(number, None) or Reply({"failure": "the host is silent"})

    def ask(self, url, **request):
        return self.end(self.begin(url, **request))
