"""A device and its provider, both of which can be reset to an earlier state.

The provider keeps everything in its database: several of them can serve one, so none keeps more. Its
process therefore goes on while the database is exchanged beneath it. Its evaluator would notice that
older rows were put back, so its record is exchanged too, and it is told to open its files anew.
"""

import pathlib
import shutil
import sqlite3
import sys
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Support"))
from patience import PATIENCE  # noqa: E402


class Moment:
    """The device's files and the provider's state as they were."""

    def __init__(self, files, provider):
        self.files, self.provider = files, provider


class ProviderState:
    """Copies of both databases, and the content of the evaluator's record."""

    def __init__(self, provider, evaluator, record):
        self.provider, self.evaluator, self.record = provider, evaluator, record


class World:
    """`scratch` is SCENARIO_SCRATCH of Tests/Scenarios/provider.sh, whose provider runs."""

    def __init__(self, scratch):
        self.scratch = pathlib.Path(scratch)
        self.configuration = str(self.scratch / "configuration.json")
        self.device = self.scratch / "device"
        self.storage = self.device / "storage"
        self.code = str(self.scratch / "pictures" / "enrolment-code.txt")
        self.licence = str(self.scratch / "pictures" / "applicant.aamva")
        self.provider = self.scratch / "provider" / "wallet-provider.sqlite"
        evaluator = self.scratch / "provider" / "evaluator"
        self.evaluator, self.record = evaluator / "evaluator.sqlite", evaluator / "evaluator.record"
        # Worlds that are made later for the same directory begin with the same state.
        self.unused = self.scratch / "unused"

    def begin(self):
        """Resets to the state without any wallet, in which this world was first used."""
        if not self.unused.exists():
            state = self.provider_state()
            making = self.scratch / "unused.new"
            making.mkdir(exist_ok=True)
            for name in ("provider", "evaluator"):
                write(getattr(state, name), making / name)
            (making / "record").write_bytes(state.record)
            making.rename(self.unused)
        self.set_provider(ProviderState(
            read(self.unused / "provider"), read(self.unused / "evaluator"),
            (self.unused / "record").read_bytes()))
        self.set_device({})

    def set_device(self, files):
        """`files`: the content of each, by its path below the device."""
        shutil.rmtree(self.device, ignore_errors=True)
        self.storage.mkdir(mode=0o700, parents=True)
        for name, content in files.items():
            (self.device / name).write_bytes(content)

    def device_files(self):
        return {
            str(path.relative_to(self.device)): path.read_bytes()
            for path in self.device.rglob("*") if path.is_file()}

    def provider_state(self):
        return ProviderState(read(self.provider), read(self.evaluator), self.record.read_bytes())

    def moment(self):
        return Moment(self.device_files(), self.provider_state())

    def go_back(self, moment):
        self.set_device(moment.files)
        self.set_provider(moment.provider)

    def set_provider(self, state):
        write(state.provider, self.provider)
        write(state.evaluator, self.evaluator)
        self.record.write_bytes(state.record)
        control = (self.scratch / "control").read_text().strip()
        urllib.request.urlopen(f"{control}/evaluator/reopen", b"{}", PATIENCE).close()

    def wallets_at_provider(self):
        database = connect(self.provider)
        (count,) = database.execute("SELECT count(*) FROM wallet").fetchone()
        database.close()
        return count


def connect(path):
    return sqlite3.connect(path, timeout=PATIENCE)


def read(path):
    """A copy of a database that may be in use."""
    copy = sqlite3.connect(":memory:", check_same_thread=False)
    database = connect(path)
    database.backup(copy)
    database.close()
    return copy


def write(copy, path):
    database = connect(path)
    copy.backup(database)
    database.close()
