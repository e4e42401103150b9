#!/usr/bin/python3
"""Tests the relying party for tests: what it sends, that it notices the mistakes of wallets, and each of its faults.

Prints a line per check, in the form that Tests/ABI/run.sh counts.
"""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "relying_party")]

MODULES = ("request_tests", "answer_tests", "fault_tests", "process_tests")


class Lines(unittest.TestResult):
    """Prints a line per test, with the reason of a failure."""

    def stopTest(self, test):
        mine = [reason for failed, reason in self.failures + self.errors
                if test in (failed, getattr(failed, "test_case", None))]
        name = test.id().split(".test_")[-1].replace("_", " ")
        print(f"{'not ok' if mine else 'ok'} - relying party: {name}")
        for line in "".join(mine).splitlines():
            print(f"#   {line}")
        sys.stdout.flush()
        super().stopTest(test)


if __name__ == "__main__":
    result = Lines()
    unittest.defaultTestLoader.loadTestsFromNames(MODULES).run(result)
    broken = [reason for test, reason in result.errors if not isinstance(test, unittest.TestCase)]
    for reason in broken:
        print("not ok - relying party: set-up\n#   " + "\n#   ".join(reason.splitlines()))
    sys.exit(not result.wasSuccessful())
