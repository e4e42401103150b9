#!/usr/bin/python3
"""Tests the test runner: no failure is lost, whatever a part does, and held ports stay reserved; and .ci/quiet.sh.

Prints a line per check. The parts are made here; what runs them is .ci/tests.
"""

import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / ".ci" / "tests"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Support"))
from execution import Execution, memory_directory  # noqa: E402
from parts import PROVIDER, Part, shell_command, withhold_provider  # noqa: E402
from patience import PATIENCE, eventually  # noqa: E402
from results import Result, summary  # noqa: E402
from run import await_provider, passed_before  # noqa: E402

PASSED = "echo 'ok - a check'"


def shell(name, script, **more):
    return Part(name, name, ["bash", "-c", script], **more)


def run(directory, *parts, tested=lambda: "commit", end=lambda execution: None):
    results = {}
    execution = Execution(directory, tested, 4, lambda result: results.__setitem__(result.part, result))
    threading.Thread(target=end, args=(execution,), daemon=True).start()
    execution.run(parts)
    return results


def holds(name, is_so):
    print(f"{'ok' if is_so else 'not ok'} - {name}")


def last_line(*results):
    return summary(results, 1, pathlib.Path("/nowhere"))[-1]


def main(directory):
    green = run(directory, shell("green", PASSED))["green"]
    holds("a part whose checks pass is green", green.is_green and green.passed == 1)
    holds("its result is read back as it was", Result.of(directory / "green.json") == green)

    for name, script, failure in (
        ("red", PASSED + "; echo 'not ok - another'; echo '# the reason'", "another"),
        ("lost status", PASSED + "; exit 3", "status 3"),
        ("nothing tried", "true", "ran no test"),
        ("trap", PASSED + "; kill -ILL $$", "status -4"),
        ("skipped", PASSED + """; echo "Test Case 'A.testB' skipped (0.1 seconds)" """, "skipped"),
    ):
        result = run(directory, shell(name, script))[name]
        holds(f"{name}: it is a failure, and says which", not result.is_green and failure in str(result.failed))
        holds(f"{name}: the last line counts it", not last_line(green, result).endswith(" 0 failed"))
    comments = "for n in $(seq 40); do echo \"# line $n\"; done"
    reasons = "\n".join(run(directory, shell(
        "red", f"echo 'not ok - another'; {comments}; echo '# the reason'; for n in $(seq 40); do echo ok - $n; done",
    ))["red"].reasons(directory))
    holds("the reason is shown, the end of a long one", "the reason" in reasons and "line 20" not in reasons)

    gone = Part("gone", "gone", [str(directory / "nothing")])
    both = run(directory, gone, shell("behind", PASSED, needs=("gone",)))
    holds("a part that cannot be started is a failure", not both["gone"].is_green)
    holds("and what needs it is not waited for without end", both["behind"].is_green)

    order = directory / "order"
    run(directory, shell("second", f"echo second >>{order}; {PASSED}", needs=("first",), cost=9),
        shell("first", f"sleep 0.2; echo first >>{order}; {PASSED}", cost=1))
    holds("a part waits for what it needs", order.read_text() == "first\nsecond\n")

    alive = directory / "alive"
    left = run(directory, shell("left", f"(sleep 600; touch {alive}) & echo $! >{directory}/pid; {PASSED}"))["left"]
    pid = int((directory / "pid").read_text())
    holds("what a part leaves running is ended", left.is_green and is_ended(pid))

    made = directory / "made"
    run(directory, shell("scratch", f"mktemp -d >{made}; {PASSED}"))
    holds("what a part leaves among the temporary files is deleted",
          made.read_text() and not pathlib.Path(made.read_text().strip()).exists())

    kept = os.environ.pop("TMPDIR", None)
    holds("without a directory in memory the temporary files are elsewhere",
          memory_directory(str(directory / "nothing")) is None)
    os.environ["TMPDIR"] = kept or tempfile.gettempdir()
    holds("and where TMPDIR says", memory_directory() is None)

    commits = iter(("one", "two"))
    changed = run(directory, shell("changed", PASSED), tested=lambda: next(commits))["changed"]
    holds("a tree that changed meanwhile was not tested", changed.is_green and changed.tested == "")

    building(directory)
    resumed(directory)
    quiet(directory)
    held(directory / "port")
    started = directory / "started"

    def stop(execution):
        while not started.exists():
            time.sleep(0.01)
        execution.stop()

    stopped = run(
        directory, shell("long", f"touch {started}; sleep 600"), shell("later", PASSED, needs=("long",)), end=stop)
    holds("a signal ends what runs, and nothing new begins", stopped == {})


def building(directory):
    """Parts that run the provider wait until it is built; others do not."""
    built = directory / "built"

    def results(status):
        build = subprocess.Popen(["bash", "-c", f"until [[ -e {directory}/free ]]; do sleep 0.01; done; touch {built}; exit {status}"])
        return run(
            directory, shell("free", f"[[ ! -e {built} ]] && touch {directory}/free; {PASSED}"),
            shell("served", f"[[ -e {built} ]] && {PASSED}", needs=(PROVIDER,)),
            end=lambda execution: await_provider(build.pid, execution))

    both = results(0)
    holds("a part that needs the provider waits until it is built", both["served"].is_green)
    holds("one that does not begins before that", both["free"].is_green)
    for file in (built, directory / "free"):
        file.unlink()
    holds("without a provider none begins that needs it", "served" not in results(1))
    parts = [Part(name, name, shell_command("/providers", "/build", name)) for name in ("header", "schema")]
    withhold_provider(parts, "/providers")
    withheld, given = parts
    holds("a part that is said to need none is not told where it is",
          "/providers" not in withheld.command and "TEST_PROVIDER" in withheld.environment)
    holds("others are", "/providers" in given.command and not given.environment)


def resumed(directory):
    """`make test-full` runs a part again unless it passed for the same commit."""
    parts = [shell(name, script) for name, script in (
        ("passing", PASSED), ("failing", "echo 'not ok - a check'"), ("ending", PASSED + "; exit 1"))]
    directory = directory / "resumed"
    directory.mkdir()
    run(directory, *parts, tested=lambda: "one")

    def names(*arguments):
        return [result.part for result in passed_before(*arguments)]

    holds("a part that passed for this commit is not run again", names(parts, directory, "one") == ["passing"])
    holds("it is run again for another commit", names(parts, directory, "two") == [])
    holds("and for a tree with changes", names(parts, directory, "") == [])
    run(directory, parts[0], tested=lambda: "")
    holds("one that passed in a tree with changes is run again", names(parts, directory, "") == []
          and names(parts, directory, "one") == [])
    holds("so is one that was never run", names([shell("new", PASSED)], directory, "one") == [])
    run(directory, parts[0], tested=lambda: "two")
    holds("the last result counts", names(parts, directory, "two") == ["passing"]
          and names(parts, directory, "one") == [])


def quiet(directory):
    """.ci/quiet.sh hides the output of what succeeds, and nothing of what matters when it fails."""
    program = str(pathlib.Path(__file__).resolve().parents[2] / ".ci" / "quiet.sh")
    log = directory / "logs" / "command.log"

    def command(script):
        return [program, str(log), "Working", "bash", "-c", script]

    def output(script):
        ended = subprocess.run(command(script), capture_output=True, text=True)
        return ended.returncode, ended.stdout, ended.stderr

    status, out, errors = output("echo [1/2] compiling; echo done >&2")
    holds("quiet: a command that succeeds has two lines", status == 0 and errors == ""
          and len(out.splitlines()) == 2 and "compiling" not in out and "Working: done in" in out)
    holds("quiet: the first names the log", str(log) in out.splitlines()[0])
    holds("quiet: the log has everything", log.read_text() == "[1/2] compiling\ndone\n")

    status, out, errors = output(
        "echo 'a.swift:1: error: the first reason'; for n in $(seq 100); do echo line $n; done; exit 7")
    holds("quiet: the status is the command's", status == 7)
    holds("quiet: a failure names the log", f"Working: failed with status 7; errors and the end of {log}:" in errors)
    holds("quiet: it shows the errors", "a.swift:1: error: the first reason" in errors)
    holds("quiet: and the end of the log, not all of it",
          errors.splitlines()[-1] == "line 100" and "line 1\n" not in errors)
    holds("quiet: nothing says that it is done", "done" not in out)

    (directory / "quiet-pid").unlink(missing_ok=True)
    with subprocess.Popen(
            command(f"sleep 600 & echo $$ >{directory}/quiet-pid.new; "
                    f"mv {directory}/quiet-pid.new {directory}/quiet-pid; wait"),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as process:
        eventually((directory / "quiet-pid").exists)
        pid = int((directory / "quiet-pid").read_text())
        process.send_signal(signal.SIGTERM)
        holds("quiet: TERM ends it with the status that shells give it", process.wait(PATIENCE) == 143)
        holds("quiet: and the command with it", is_ended(pid))
        os.killpg(process.pid, signal.SIGKILL)  # the sleep, which was started before the file was there


def held(file):
    """A port that a script holds stays free for its server, and for no other process."""
    support = pathlib.Path(__file__).resolve().parents[1] / "Support"
    with subprocess.Popen([support / "hold_port.py", file]) as holder:
        eventually(file.exists)
        address = ("127.0.0.1", int(file.read_text()))
        with socket.socket() as other:
            holds("a port that is held is taken", not can_bind(other, address))
        served = 0
        for _ in range(2):
            with socket.create_server(address) as server, socket.create_connection(address):
                server.accept()[0].close()
                served += 1
        holds("a server listens on it, again and again", served == 2)
        file.unlink()
        holds("it is given back with its file", holder.wait(PATIENCE) == 0)


def can_bind(asking, address):
    try:
        asking.bind(address)
    except OSError:
        return False
    return True


def is_ended(pid):
    """Whether the process has ended; it may be a zombie until it is waited for."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
            if stat.rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.01)
    return False


with tempfile.TemporaryDirectory() as scratch:
    main(pathlib.Path(scratch))
