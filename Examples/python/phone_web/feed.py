# SPDX-License-Identifier: Apache-2.0
"""The feed of the page. Its entries are kept, so that a page that is opened late or loaded again gets all of them."""

from __future__ import annotations

import itertools
import threading
from collections import deque
from typing import Any

Entry = tuple[int, str, Any]
LENGTH = 2000  # lines of the wire that are kept


class Feed:
    """Entries have rising numbers. Of each state only the latest is kept, of the wire the latest LENGTH lines."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._changed = threading.Condition()
        self._states: dict[str, Entry] = {}
        self._wire: deque[Entry] = deque(maxlen=LENGTH)
        self._is_open = True

    def publish_state(self, name: str, value: Any) -> None:
        with self._changed:
            self._states[name] = (next(self._numbers), name, value)
            self._changed.notify_all()

    def publish_wire(self, line: Any) -> None:
        """Publishes a line. It replaces an earlier line with the same "key" on the page."""
        with self._changed:
            self._wire.append((next(self._numbers), "wire", line))
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._is_open = False
            self._changed.notify_all()

    def wait(self, number: int, seconds: float) -> list[Entry] | None:
        """Returns the entries after that number, in order; none if the time passed, None once the feed is closed."""
        with self._changed:
            self._changed.wait_for(lambda: not self._is_open or self._newest() > number, seconds)
            if not self._is_open:
                return None
            known = itertools.chain(self._states.values(), self._wire)
            return sorted((entry for entry in known if entry[0] > number), key=lambda entry: entry[0])

    def _newest(self) -> int:
        numbers = [entry[0] for entry in self._states.values()]
        return max([*numbers, self._wire[-1][0] if self._wire else 0], default=0)
