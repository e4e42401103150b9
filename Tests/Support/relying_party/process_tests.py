"""The process of a relying party for tests: its start, its restart and its end."""

import socket
import tempfile
import unittest

from patience import PATIENCE
from testing_program import Program
from throwaway_wallet import Wallet


class ProcessTests(unittest.TestCase):
    def test_a_restart_keeps_its_certificates_and_ends_with_its_input(self):
        with tempfile.TemporaryDirectory() as directory, socket.socket() as held:
            # Bound but never listening, so that no other process gets the port between the end and the restart.
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            held.bind(("127.0.0.1", 0))
            port = held.getsockname()[1]
            first = Program(directory, "--host", "127.0.0.1", "--port", str(port))
            known = first.ask()["client_id"]
            # A wallet that hangs does not keep it.
            with socket.create_connection(("127.0.0.1", port)):
                self.assertEqual(first.end(), 0)
            second = Program(directory, "--host", "127.0.0.1", "--port", str(port))
            self.assertEqual(second.ready["port"], port)
            asked = second.ask()
            self.assertEqual(asked["client_id"], known)
            wallet = Wallet(f"{directory}/tls.pem", PATIENCE)
            self.assertEqual(wallet.fetch(asked["link"]).status, 200)
            second.told("fetched")
            for listens in (False, True):
                second.say(f'{{"listen": {"true" if listens else "false"}}}')
                self.assertEqual(second.told("listens"), {"listens": listens})
                if listens:
                    self.assertEqual(wallet.fetch(asked["link"]).status, 200)
                else:
                    with self.assertRaises(ConnectionRefusedError):
                        socket.create_connection(("127.0.0.1", port)).close()
            second.say('{"stop": true}')
            self.assertEqual(second.process.wait(PATIENCE), 0)
            second.end()
            with self.assertRaises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port)).close()
