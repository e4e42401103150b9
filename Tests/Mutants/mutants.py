"""The list of mutants, and a copy of the project that contains them all, one of which runs."""

import os
import pathlib
import re
import shutil
import subprocess
import tomllib
from dataclasses import dataclass

VARIABLE = "WALLET_CORE_MUTANT"  # names the mutant that runs

_MODULE_MAP = """module CMutants {
  header "mutants.h"
  export *
}
"""
_HEADER = f"""#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// Whether the mutant with this name runs.
static inline bool isMutant(const char *name) {{
  const char *running = getenv("{VARIABLE}");
  return running != NULL && strcmp(running, name) == 0;
}}
"""


@dataclass
class Mutant:
    name: str
    file: str  # in Sources
    original: str  # an expression, or a statement that is left out
    mutated: str  # empty if the statement is left out
    fault: str  # what goes wrong in the product
    killers: list
    place: str = ""  # a part of the file that has the original once; empty if the file has

    @property
    def module(self):
        return self.file.split("/")[0]

    def chosen(self):
        """Swift that is the original or the mutant."""
        if self.mutated:
            return f'(isMutant("{self.name}") ? ({self.mutated}) : ({self.original}))'
        return f'if isMutant("{self.name}") {{}} else {{ {self.original} }}'

    def range(self, text):
        """Where the file has the original."""
        place = self.place.rstrip("\n") or text
        if text.count(place) != 1:
            raise SystemExit(f"mutants: {self.name}: {self.file} does not have the place exactly once")
        if place.count(self.original) != 1:
            raise SystemExit(f"mutants: {self.name}: {self.file} does not have the original exactly once")
        start = text.index(place) + place.index(self.original)
        return start, start + len(self.original)


def _test_classes(tests):
    """The names of the classes in `tests`, as MODULE.CLASS."""
    return {
        f"{file.relative_to(tests).parts[0]}.{name}"
        for file in tests.glob("*/**/*.swift")
        for name in re.findall(r"\bclass (\w+)", file.read_text())
    }


def read_list(directory):
    mutants, classes = [], _test_classes(directory.parents[1])
    for file in sorted(directory.glob("*.toml")):
        for entry in tomllib.loads(file.read_text())["mutant"]:
            try:
                mutants.append(Mutant(**entry))
            except TypeError as error:
                raise SystemExit(f"mutants: {file.name}: {entry.get('name', entry)}: {error}")
    for mutant in mutants:
        is_expression = (not re.match(r"(let|var|guard|if|return|for|case|throw) ", mutant.original)
                         and mutant.original.count("(") == mutant.original.count(")"))
        if mutant.mutated and not is_expression:
            raise SystemExit(f"mutants: {mutant.name}: the original is no expression, which only what is left out need not be")
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", mutant.name):
            raise SystemExit(f"mutants: {mutant.name} is not of lower-case words and hyphens")
        if not mutant.killers:
            raise SystemExit(f"mutants: {mutant.name} names no tests")
        if unknown := [killer for killer in mutant.killers if killer.partition("/")[0] not in classes]:
            raise SystemExit(f"mutants: {mutant.name}: there is no {', '.join(unknown)}")
    names = [mutant.name for mutant in mutants]
    if repeated := {name for name in names if names.count(name) > 1}:
        raise SystemExit(f"mutants: not only once: {', '.join(sorted(repeated))}")
    return mutants


def mutated_text(text, mutants):
    """A source file that has the original and every mutant."""
    ranges = sorted(((mutant.range(text), mutant) for mutant in mutants), key=lambda entry: entry[0])
    for (former, first), (latter, second) in zip(ranges, ranges[1:]):
        if latter[0] < former[1]:
            raise SystemExit(f"mutants: {first.name} and {second.name} change the same text")
    for (start, end), mutant in reversed(ranges):
        text = text[:start] + mutant.chosen() + text[end:]
    return "internal import CMutants\n" + text


class Copy:
    """A copy of the project, in which each mutant can be chosen when it runs."""

    def __init__(self, root, directory):
        self._root = root
        self.source = directory / "source"
        self._module = directory / "module"

    @property
    def build_options(self):
        return ["-Xswiftc", "-I", "-Xswiftc", str(self._module)]

    def make(self, mutants):
        """Writes only what differs from an earlier copy, so that the next build has little to do."""
        listed = subprocess.run([".ci/files.sh", "."], cwd=self._root, capture_output=True, text=True, check=True)
        files = listed.stdout.splitlines()
        if (self._root / "Package.resolved").exists():
            files.append("Package.resolved")
        by_file = {}
        for mutant in mutants:
            by_file.setdefault(f"Sources/{mutant.file}", []).append(mutant)
        if missing := by_file.keys() - set(files):
            raise SystemExit(f"mutants: there is no {', '.join(sorted(missing))}")
        for file in files:
            content = (self._root / file).read_bytes()
            if file in by_file:
                content = mutated_text(content.decode(), by_file[file]).encode()
            _write(self.source / file, content)
            shutil.copymode(self._root / file, self.source / file)
        self._delete_others(set(files))
        _write(self._module / "module.modulemap", _MODULE_MAP.encode())
        _write(self._module / "mutants.h", _HEADER.encode())

    def _delete_others(self, files):
        for directory, directories, names in os.walk(self.source):
            path = pathlib.Path(directory)
            if path == self.source:
                directories[:] = [name for name in directories if name not in (".build", "build")]
            for name in names:
                if str((path / name).relative_to(self.source)) not in files:
                    (path / name).unlink()


def _write(file, content):
    if file.exists() and file.read_bytes() == content:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
