"""Prints the lines that Tests/ABI/run.sh counts."""


def told(name, holds, reason=""):
    print(f"{'ok' if holds else 'not ok'} - {name}", flush=True)
    if not holds and reason:
        print("#   " + str(reason).replace("\n", "\n#   ")[:2000], flush=True)


def about(subject):
    """Returns told() for checks of one subject."""
    return lambda name, holds, reason="": told(f"{subject}: {name}", holds, reason)


class Report:
    """Tells checks, of one subject if it is named, and remembers whether one has failed."""

    def __init__(self, subject=""):
        self.prefix, self.failed = f"{subject}: " if subject else "", False

    def __call__(self, holds, name, reason=""):
        self.failed |= not holds
        told(self.prefix + name, holds, reason)
