"""The relying party as a process, for the tests of itself."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from cryptography import x509

from patience import PATIENCE
from pid_issuer import Issuer
from throwaway_wallet import Wallet

PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "relying_party.py"


class Program:
    def __init__(self, directory, *options):
        self.process = subprocess.Popen(
            [sys.executable, PROGRAM, directory, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ready = self.line()

    def line(self):
        return json.loads(self.process.stdout.readline())

    def told(self, name):
        """The next line, which has to be of this kind."""
        line = self.line()
        if name not in line:
            raise AssertionError(f"no line {name}: {line}")
        return line

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, **options):
        self.say(json.dumps({"request": options}))
        return self.line()

    def end(self):
        """Closes its input, and returns its status when it has ended."""
        self.process.stdin.close()
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        return status


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.program = Program(cls.scratch.name)
        cls.wallet = Wallet(f"{cls.scratch.name}/tls.pem", PATIENCE)
        cls.issuer = Issuer()
        cls.access = x509.load_pem_x509_certificate(pathlib.Path(cls.scratch.name, "access.pem").read_bytes())

    @classmethod
    def tearDownClass(cls):
        cls.program.end()
        cls.scratch.cleanup()

    def fetched(self, problem=None, metadata=None, **options):
        """The object of a new request, and what the relying party says of the fetch."""
        asked = self.program.ask(**options)
        found = self.wallet.fetch(asked["link"], metadata)
        told = self.program.told("fetched")
        self.assertEqual((told["fetched"], told["problem"]), (asked["id"], problem))
        return found, told

    def presented(self, asked, paths=(("given_name",),), change=None):
        draft = self.issuer.draft().showing(paths, asked["client_id"], asked["nonce"])
        if change:
            change(draft)
        return draft.presentation()

    def answered(self, asked, *presentations, **content):
        """Posts an answer; returns the reply and what the relying party says of it."""
        token = {"card": list(presentations or [self.presented(asked)])}
        content = {"vp_token": token, "state": asked.members.get("state"), **content}
        reply = self.wallet.post(asked, self.wallet.sealed(asked, content))
        return *reply, self.program.told("answered")
