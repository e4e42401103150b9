"""The parts of `make test` and `make test-full`: one list."""

import subprocess
from dataclasses import dataclass, field


@dataclass
class Part:
    name: str
    section: str
    command: list
    cost: float = 10  # seconds on an idle machine, so that the longest begins first
    needs: tuple = ()
    is_alone: bool = False
    environment: dict = field(default_factory=dict)


# Test classes that run apart from the others of their module because they wait long, with the seconds they take.
SLOW_CLASSES = {
}


# Sections of Tests/ABI/run.sh, with their seconds and what has to have run before.
SECTIONS = {
    "phone": (15, ()),
    "header": (20, ()),
    "abi": (20, ()),
    "library": (20, ()),
    "package": (30, ()),
    "programs": (60, ()),
    "schema": (20, ()),
    "readme": (20, ("phone",)),
    "threat-model": (10, ()),
    "first-hosts": (60, ()),
    "scanning": (60, ()),
    "interop": (20, ("swift-exchanges",)),
    "openapi": (60, ()),
    "cluster": (120, ()),
    "fuzz": (30, ()),
    "instructions": (60, ()),
    "scenarios": (200, ("phone",)),
    "hosts": (150, ("phone",)),
    "enrol": (40, ("phone",)),
    "phone-web": (100, ("phone",)),
    "faults": (100, ()),
}

# They write what the section `interop` judges.
EXCHANGES = ("SDJWTExchangeTests", "IssuedExchangeTests", "PresentationExchangeTests")


def swift_parts(bundle):
    """The Swift tests: a part for each slow class, one for the rest of each module."""
    listed = subprocess.run([bundle, "--list-tests"], capture_output=True, text=True, check=True).stdout
    classes = sorted({line.split("/")[0] for line in listed.splitlines() if "/" in line and "." in line})
    unknown = set(SLOW_CLASSES) - {name.split(".")[1] for name in classes}
    if unknown:
        raise SystemExit(f"tests: no such test class: {', '.join(sorted(unknown))}")
    modules = {}
    for name in classes:
        module, test_class = name.split(".")
        if test_class in EXCHANGES:
            part = "swift-exchanges"
        elif test_class in SLOW_CLASSES:
            part = f"swift-{test_class}"
        else:
            part = f"swift-{module}"
        modules.setdefault(part, (module, []))[1].append(name)
    return [
        Part(name, module, [bundle, ",".join(names)], SLOW_CLASSES.get(name.removeprefix("swift-"), 30))
        for name, (module, names) in modules.items()
    ]


def shell_parts(providers, build):
    return [
        Part(name, name, ["Tests/ABI/run.sh", providers, build, name], cost, needs)
        for name, (cost, needs) in SECTIONS.items()
    ]
