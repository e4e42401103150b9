"""The result of a part of the tests, read from its output."""

import json
import re
from dataclasses import asdict, dataclass, field, fields

# XCTest's lines, and those of Tests/ABI/report.sh.
_XCTEST = re.compile(r"^Test Case '(.+)' (passed|failed|skipped) \((\d+\.\d+) seconds\)")
_ERROR = re.compile(r"^(?:\S*/)?(\S+:\d+): error: (\S+) : (.*)")
_CHECK = re.compile(r"^(not )?ok - (.*)")


@dataclass
class Result:
    part: str
    section: str
    tested: str  # commit and settings; empty if they changed or the tree has changes
    seconds: float = 0
    cpu_seconds: float = 0  # of the processes that the part waited for
    status: int = 0
    passed: int = 0
    failed: list = field(default_factory=list)
    tests: list = field(default_factory=list)  # of XCTest: [name, seconds]
    errors: dict = field(default_factory=dict)  # of XCTest: the first error of each test that failed

    @property
    def is_green(self):
        return self.status == 0 and not self.failed and self.passed > 0

    def read(self, log):
        """Counts the lines of `log`. A part that ended with an error status, or without a test, is a failure too."""
        with open(log, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                self._read_line(line)
        if self.status != 0 and not self.failed:
            self.failed.append(f"{self.part} ended with status {self.status} before it had run every test")
        elif not self.passed and not self.failed:
            self.failed.append(f"{self.part} ran no test")

    def _read_line(self, line):
        if match := _XCTEST.match(line):
            name, end, seconds = match.groups()
            self.tests.append([name, float(seconds)])
            if end == "passed":
                self.passed += 1
            else:
                # Everything a test needs is installed, so a skipped test is a failure.
                self.failed.append(name if end == "failed" else f"{name} was skipped")
        elif match := _ERROR.match(line):
            self.errors.setdefault(match[2], f"{match[1]}: {match[3][:300]}")
        elif match := _CHECK.match(line):
            if match[1]:
                self.failed.append(match[2])
            else:
                self.passed += 1

    def reasons(self, directory, limit=120):
        """The part's output about its failures: at most `limit` lines of its log in `directory`."""
        log = directory / f"{self.part}.log"
        lines = log.read_text(errors="replace").splitlines() if log.exists() else []
        shown = [
            number
            for number, line in enumerate(lines)
            if ": error: " in line or line.startswith("not ok - ") or "Fatal error" in line
        ]
        near = {near for number in shown for near in _near(lines, number)}
        end = set(range(max(0, len(lines) - 15), len(lines))) if self.status else set()
        return [f"  | {lines[number]}" for number in sorted(near | end)[:limit]]

    def write(self, file):
        file.write_text(json.dumps(asdict(self), indent=1) + "\n")

    @staticmethod
    def of(file):
        known = {known.name for known in fields(Result)}  # an older version may have written the file
        return Result(**{"tested": ""} | {name: value for name, value in json.loads(file.read_text()).items() if name in known})


def _near(lines, number):
    """The lines that give the reason of the failure in line `number`. Of comments, the last say why."""
    end = number + 1
    while end < len(lines) and lines[end].startswith("#"):
        end += 1
    if end == number + 1:
        return range(number, min(number + 12, len(lines)))
    return {*range(number, min(number + 4, end)), *range(max(number, end - 8), end)}


def summary(results, elapsed, directory):
    """The end of a run: the slowest tests, the time of each section, failures, and the count as the last line."""
    tests = sorted(
        ((seconds, name) for result in results for name, seconds in result.tests), reverse=True
    )
    lines = ["", "The ten slowest Swift tests:"]
    lines += [f"  {seconds:7.1f} s  {name}" for seconds, name in tests[:10]]
    sections = {}
    for result in results:
        count, seconds, cpu, parts = sections.get(result.section, (0, 0, 0, 0))
        sections[result.section] = (
            count + result.passed + len(result.failed), seconds + result.seconds,
            cpu + result.cpu_seconds, parts + 1,
        )
    lines.append("The time of each section, summed over parallel parts, and its processor time:")
    for section, (count, seconds, cpu, parts) in sorted(sections.items(), key=lambda entry: -entry[1][1]):
        part = "part" if parts == 1 else "parts"
        lines.append(f"  {seconds:7.1f} s {cpu:7.1f} s  {section}: {count} tests in {parts} {part}")
    total = sum(result.cpu_seconds for result in results)
    lines.append(f"{elapsed:.0f} s in all, {total:.0f} s of the processor")
    failed = [(result.part, name) for result in results for name in result.failed]
    # Last, and with the reason, so that it is seen if only the end of the output is kept.
    for result in results:
        if not result.is_green:
            lines += ["", f"{result.part} failed:", *result.reasons(directory, 40)]
    errors = {name: error for result in results for name, error in result.errors.items()}
    for part, name in failed:
        lines.append(f"not ok - {part}: {name}")
        if name in errors:
            lines.append(f"  {errors[name]}")
    passed = sum(result.passed for result in results)
    lines.append(f"{passed} passed, {len(failed)} failed")
    return lines
