"""Runs parts in parallel, each in a process group of its own."""

import os
import signal
import subprocess
import tempfile
import threading
import time

from results import Result

_LIMIT = 1200  # seconds: a part that takes longer hangs, also beside four busy loops
_ROOM = 4 << 30  # bytes: over twice what the temporary files of a run have taken
_FREE_MEMORY = 8 << 30  # bytes: for these files and for what runs


def memory_directory(path="/dev/shm"):
    """A file system in memory for the temporary files, where a run takes a tenth less time; else None.

    None if TMPDIR names another place, if there is no room, if programs must not run there, or if systemd may delete
    what a user has there at a log-out.
    """
    if "TMPDIR" in os.environ or not os.access(path, os.W_OK):
        return None
    system = os.statvfs(path)
    has_room = system.f_bavail * system.f_frsize >= _ROOM and available_memory() >= _FREE_MEMORY
    is_kept = os.getuid() == 0 or not os.path.exists("/run/systemd/system")
    return path if has_room and is_kept and not system.f_flag & os.ST_NOEXEC else None


def available_memory():
    """The bytes of memory that can be used without swapping."""
    with open("/proc/meminfo", encoding="ascii") as lines:
        return next((int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:")), 0)


class Execution:
    """`run` returns when every part has ended; `on_end` is called with the result of each."""

    def __init__(self, directory, tested, jobs, on_end, is_full=False):
        """`tested` returns what is being tested. If it changes while a part runs, the result counts for neither."""
        self._directory = directory
        self._tested = tested
        self._jobs = jobs
        self._on_end = on_end
        self._limit = _LIMIT * 9 if is_full else _LIMIT
        self._temporary = None if is_full else memory_directory()
        self._change = threading.Condition()
        self._waiting = []
        self._ended = set()
        self._groups = set()
        self._is_stopped = False

    def run(self, parts, ended=()):
        self._waiting = sorted(parts, key=lambda part: -part.cost)
        self._ended |= set(ended)
        threads = [threading.Thread(target=self._run_parts) for _ in range(self._jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def has_ended(self, name):
        """Lets the parts begin that need what `name` stands for."""
        with self._change:
            self._ended.add(name)
            self._change.notify_all()

    def stop(self):
        """Ends all running parts; no further part begins."""
        with self._change:
            self._is_stopped = True
            groups = list(self._groups)
            self._change.notify_all()
        for group in groups:
            try:
                os.killpg(group, signal.SIGTERM)
            except ProcessLookupError:
                pass

    def _next(self):
        """The longest part that may begin, or None when there is none left."""
        with self._change:
            while self._waiting and not self._is_stopped:
                for part in self._waiting:
                    if not set(part.needs) <= self._ended:
                        continue
                    self._waiting.remove(part)
                    return part
                self._change.wait()
            return None

    def _run_parts(self):
        while part := self._next():
            try:
                result = self._run(part)
            except OSError as error:
                result = Result(part.name, part.section, "", failed=[f"{part.name} could not be run: {error}"])
            finally:
                self.has_ended(part.name)
            if not self._is_stopped:
                self._on_end(result)

    def _run(self, part):
        # What a test that was killed has left in the directory for temporary files is deleted with it.
        with tempfile.TemporaryDirectory(prefix="wallet-", dir=self._temporary, ignore_cleanup_errors=True) as scratch:
            # Like that of the system: PostgreSQL, and a provider for other users, run as another user.
            os.chmod(scratch, 0o1777)
            return self._run_in(scratch, part)

    def _run_in(self, scratch, part):
        log = self._directory / f"{part.name}.log"
        result = Result(part.name, part.section, self._tested())
        start = time.monotonic()
        with open(log, "wb") as output:
            process = subprocess.Popen(
                part.command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=os.environ | {"TMPDIR": scratch} | part.environment,
                start_new_session=True,
            )
            with self._change:
                self._groups.add(process.pid)
                if self._is_stopped:
                    os.killpg(process.pid, signal.SIGTERM)
            limit = threading.Timer(self._limit, os.killpg, (process.pid, signal.SIGKILL))
            limit.start()
            _, status, usage = os.wait4(process.pid, 0)
            limit.cancel()
            result.status = process.returncode = os.waitstatus_to_exitcode(status)
            result.cpu_seconds = usage.ru_utime + usage.ru_stime
            with self._change:
                self._groups.discard(process.pid)
        self._end_rest(process.pid)
        if self._tested() != result.tested:
            result.tested = ""
        result.seconds = time.monotonic() - start
        result.read(log)
        result.write(self._directory / f"{part.name}.json")
        return result

    def _end_rest(self, group):
        """Ends processes that a part left running, because they would disturb later parts."""
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            pass
