"""A device and its provider, both of which can be reset to an earlier state.

The provider keeps everything in its database: several of them can serve one, so none keeps more. Its
process therefore goes on while the database is exchanged beneath it.
"""

import pathlib
import shutil
import sqlite3
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Support"))
from patience import PATIENCE  # noqa: E402


class Moment:
    """The device's files and the provider's database as they were."""

    def __init__(self, files, database):
        self.files, self.database = files, database


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

    def begin(self):
        """Resets to the state without any wallet, in which this world was first used."""
        unused = connect(self.scratch / "unused.sqlite")
        if unused.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,):
            self.provider_state().backup(unused)
        self.set_provider(unused)
        unused.close()
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
        copy = sqlite3.connect(":memory:", check_same_thread=False)
        with connect(self.provider) as database:
            database.backup(copy)
        database.close()
        return copy

    def moment(self):
        return Moment(self.device_files(), self.provider_state())

    def go_back(self, moment):
        self.set_device(moment.files)
        self.set_provider(moment.database)

    def set_provider(self, state):
        database = connect(self.provider)
        state.backup(database)
        database.close()

    def wallets_at_provider(self):
        database = connect(self.provider)
        (count,) = database.execute("SELECT count(*) FROM wallet").fetchone()
        database.close()
        return count


def connect(path):
    return sqlite3.connect(path, timeout=PATIENCE)
