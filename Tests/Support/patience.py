"""How long a test waits for an event. See test_patience.h."""

import pathlib
import re
import time

_HEADER = pathlib.Path(__file__).with_name("test_patience.h").read_text()
PATIENCE = int(re.search(r"^#define TEST_PATIENCE_MS (\d+)$", _HEADER, re.M)[1]) / 1000  # seconds
# For a whole program that waits for many events, each with the deadline above.
PROGRAM_PATIENCE = 10 * PATIENCE


def eventually(holds, pause=0.01):
    """Polls until `holds()` is true; returns its last value."""
    end = time.monotonic() + PATIENCE
    while not (found := holds()) and time.monotonic() < end:
        time.sleep(pause)
    return found
