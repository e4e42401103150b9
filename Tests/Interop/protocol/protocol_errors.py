"""What every part of the client refuses by."""

from __future__ import annotations


class ProtocolError(Exception):
    """A message that is not as the articles define it, or not bound to its request."""


def demand(condition: object, what: str) -> None:
    """Raises a ProtocolError unless the condition holds."""
    if not condition:
        raise ProtocolError(what)
