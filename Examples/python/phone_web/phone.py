# SPDX-License-Identifier: Apache-2.0
"""The phone: starts and kills the app, sends it instructions, receives its messages."""

from __future__ import annotations

import itertools
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import IO, Any

Message = dict[str, Any]
PATIENCE = 120  # seconds that an instruction may take


class Phone:
    """Runs the app. `hear` gets every message of the app, in order, on another thread."""

    def __init__(self, hear: Callable[[Message], None]):
        self._hear = hear
        self._numbers = itertools.count(1)
        self._waiting: dict[int, queue.Queue[Message]] = {}
        self._writing = threading.Lock()
        self._app: subprocess.Popen[bytes] | None = None

    def start_app(self) -> None:
        self._app = subprocess.Popen(
            [sys.executable, "-m", "phone_web.app"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        threading.Thread(target=self._listen, args=(self._app,), daemon=True).start()

    def kill_app(self) -> None:
        """Kills the app as the operating system does, without notice."""
        app, self._app = self._app, None  # messages that still come from it are ignored
        if app is not None:
            app.kill()
            app.wait()
            self._give_up()

    def ask(self, do: str, data: bytearray | None = None, **arguments: Any) -> Message:
        """Sends an instruction and waits for its answer, {"status": "OK"} or another status and a message.
        `data` is overwritten with zeros."""
        number = self._send(do, data, arguments, queue.Queue())
        try:
            return self._waiting[number].get(timeout=PATIENCE)
        except queue.Empty:
            return {"status": "FAILED", "message": "the app does not answer"}
        finally:
            del self._waiting[number]

    def tell(self, do: str, **arguments: Any) -> None:
        """Sends an instruction without waiting for its answer."""
        self._send(do, None, arguments, None)

    def _send(
        self, do: str, data: bytearray | None, arguments: Message, answer: queue.Queue[Message] | None,
    ) -> int:
        number = next(self._numbers)
        if answer is not None:
            self._waiting[number] = answer
        length = {} if data is None else {"bytes": len(data)}
        line = json.dumps({"id": number, "do": do, **length, **arguments}) + "\n"
        try:
            with self._writing:
                app = self._app
                if app is None:
                    raise BrokenPipeError
                write(app.stdin, line.encode())
                write(app.stdin, data or b"")
        except BrokenPipeError:
            if answer is not None:
                answer.put({"status": "FAILED", "message": "the app does not run"})
        finally:
            for index in range(len(data or b"")):
                data[index] = 0
        return number

    def _listen(self, app: subprocess.Popen[bytes]) -> None:
        for line in app.stdout:
            message = json.loads(line)
            if (number := message.pop("answer", None)) is not None:
                if (waiting := self._waiting.get(number)) is not None:
                    waiting.put(message)
            elif app is self._app:
                self._hear(message)
        app.wait()
        if app is self._app:  # it ended by itself, and no other app was started
            self._give_up()
            self._hear({"ended": app.returncode})

    def _give_up(self) -> None:
        """Answers all waiting instructions, because the app no longer can."""
        for answer in list(self._waiting.values()):
            answer.put({"status": "FAILED", "message": "the app has ended"})


def write(pipe: IO[bytes], data: bytes | bytearray) -> None:
    """Writes all of the data; an unbuffered pipe may take only a part at once."""
    with memoryview(data) as rest:
        written = 0
        while written < len(rest):
            written += pipe.write(rest[written:])
