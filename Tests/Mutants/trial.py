"""Runs a class of tests while a mutant runs, until the first test fails."""

import os
import re
import signal
import subprocess
import threading
import time
from dataclasses import dataclass

from mutants import VARIABLE

_FAILED = re.compile(r"^Test Case '(.+)' failed ")
_PASSED = re.compile(r"^Test Case '.+' passed ")


@dataclass
class Outcome:
    failure: str  # the test that failed, or how the process ended; empty if every test passed
    is_late: bool
    seconds: float


class Trials:
    def __init__(self, directory, source):
        self._directory = directory
        self._source = source
        self._lock = threading.Lock()
        self._groups = set()
        self._is_stopped = False

    def stop(self):
        with self._lock:
            self._is_stopped = True
            groups = list(self._groups)
        for group in groups:
            _end(group)

    def run(self, part, mutant=None, limit=None):
        """Runs a part of the tests. It counts as late if it takes longer than `limit` seconds."""
        log = self._directory / f"{mutant.name + '.' if mutant else ''}{part.name}.log"
        environment = os.environ | part.environment
        environment.pop(VARIABLE, None)
        if mutant:
            environment[VARIABLE] = mutant.name
        start = time.monotonic()
        process = subprocess.Popen(
            part.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", cwd=self._source, env=environment, start_new_session=True,
        )
        with self._lock:
            self._groups.add(process.pid)
            if self._is_stopped:
                _end(process.pid)
        late = threading.Event()

        def end_late():
            late.set()
            _end(process.pid)

        timer = threading.Timer(limit, end_late) if limit else None
        if timer:
            timer.start()
        failure, passed = self._read(process, log)
        process.wait()
        if timer:
            timer.cancel()
        # Programs that a test left running would disturb later ones.
        _end(process.pid)
        with self._lock:
            self._groups.discard(process.pid)
        if not failure and process.returncode:
            failure = "no end in time" if late.is_set() else f"ended with status {process.returncode}"
        elif not failure and not passed:
            failure = "ran no test"
        return Outcome(failure, late.is_set(), time.monotonic() - start)

    def _read(self, process, log):
        """The first test that failed, after which the others are not waited for, and how many passed."""
        passed = 0
        with open(log, "w") as output:
            for line in process.stdout:
                output.write(line)
                passed += bool(_PASSED.match(line))
                if match := _FAILED.match(line):
                    _end(process.pid)
                    return match[1], passed
        return "", passed


def _end(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass
