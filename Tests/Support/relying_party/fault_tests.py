"""The faults of a relying party for tests: each is there, and nothing else is wrong."""

import pathlib
from urllib.parse import urlencode

from cryptography import x509
from cryptography.hazmat.primitives import hashes

from certificate_checks import certificates, is_issued
from party_jose import Malformed, verified
from party_requests import FAULTS
from pid_issuer import base64url
from testing_program import Case


class FaultTests(Case):
    def fault(self, name, **options):
        return self.fetched(fault=name, **options)[0]

    def assert_no_trust(self, asked):
        self.assertEqual(self.answered(asked)[3]["problem"], "the wallet answers a request that it cannot trust")

    def test_each_fault_has_a_test(self):
        text = pathlib.Path(__file__).read_text()
        for name in sorted(FAULTS):
            self.assertIn(f'"{name}"', text)

    def test_signature_and_chain(self):
        asked = self.fault("wrong-signature")
        [leaf] = certificates(asked.header)
        with self.assertRaises(Malformed):
            verified(asked.text, "oauth-authz-req+jwt", lambda *_: leaf.public_key())
        self.assert_no_trust(asked)
        chains = {}
        for name in ("other-authority", "self-signed-leaf", "anchor-in-x5c", "chain-out-of-order"):
            asked = self.fault(name)
            leaf, *others = chains[name] = certificates(asked.header)
            # Nothing else is wrong.
            verified(asked.text, "oauth-authz-req+jwt", lambda *_: leaf.public_key())
            self.assertEqual(asked["client_id"], "x509_hash:" + base64url(leaf.fingerprint(hashes.SHA256())))
            self.assert_no_trust(asked)
        [stranger] = chains["other-authority"]
        self.assertEqual(stranger.issuer, self.access.subject)
        self.assertFalse(is_issued(stranger, self.access))
        [own] = chains["self-signed-leaf"]
        self.assertTrue(is_issued(own, own))
        leaf, anchor = chains["anchor-in-x5c"]
        self.assertEqual(anchor, self.access)
        self.assertTrue(is_issued(leaf, anchor))
        leaf, upper, lower = chains["chain-out-of-order"]
        self.assertTrue(is_issued(leaf, lower) and is_issued(lower, upper) and is_issued(upper, self.access))
        [text] = self.fault("x5c-base64url").header["x5c"]
        self.assertTrue(set("-_") & set(text) and not set("+/=") & set(text))

    def test_names_and_nonces(self):
        asked = self.fault("other-response-host")
        self.assertIn("//other.localhost:", asked["response_uri"])
        self.assert_no_trust(asked)
        asked = self.fault("private-response")
        self.assertTrue(asked["response_uri"].startswith("https://10.0.0.1/"))
        names = certificates(asked.header)[0].extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        self.assertIn("10.0.0.1", names.get_values_for_type(x509.DNSName))
        asked = self.fault("other-client-id")
        self.assertEqual(asked["client_id"], "x509_san_dns:shop.localhost")
        self.assert_no_trust(asked)
        asked = self.fault("no-wallet-nonce")
        self.assertNotIn("wallet_nonce", asked.members)
        self.assert_no_trust(asked)
        asked = self.fault("wrong-wallet-nonce")
        self.assertNotIn(asked["wallet_nonce"], (self.wallet.nonce, None))
        self.assert_no_trust(asked)
        asked, _ = self.fetched()
        self.wallet.nonce = base64url(b"another nonce")
        again = self.fault("replay")
        self.assertEqual(again.text, asked.text)

    def test_replies_to_a_fetch(self):
        for name, status in (("not-found", 404), ("server-error", 500)):
            self.assertEqual(self.fault(name).status, status)
        asked = self.program.ask(fault="gone-after-fetch")
        for number, status in ((1, 200), (2, 404)):
            self.assertEqual(self.wallet.fetch(asked["link"]).status, status)
            self.assertEqual(self.program.told("fetched")["fetches"], number)
        moved = self.fault("redirect-request")
        self.assertEqual(moved.status, 302)
        self.wallet.send("GET", moved.location)
        self.assertEqual(self.program.told("visited")["visited"], "/moved/" + moved.location.rpartition("/")[2])
        self.assertEqual(self.fault("text-plain").type, "text/plain")

    def test_long_objects(self):
        asked = self.fault("huge-object")
        self.assertGreater(len(asked.text), 10_000_000)
        asked = self.fault("many-claims")
        self.assertEqual(len(asked["dcql_query"]["credentials"][0]["claims"]), 10_000)
        problem = "the wallet answers a request that is too long for it"
        self.assertEqual(self.answered(asked)[3]["problem"], problem)

    def test_objects_that_do_not_come(self):
        for name, first in (("slow-object", "e"), ("silent", "")):
            asked = self.program.ask(fault=name)
            with self.wallet.opened("GET", asked["link"]) as received:
                self.program.told("fetched")
                if first:
                    self.assertEqual(received(1), first.encode())
            if not first:  # it has waited until the wallet hung up
                self.assertEqual(self.program.told("closed")["closed"], asked["id"])

    def test_replies_to_an_answer(self):
        asked = self.fault("redirect-response")
        status, _, location, told = self.answered(asked)
        self.assertEqual((status, told["problem"]), (302, None))
        self.assertIn("/moved/", location)
        status, reply, _, told = self.answered(self.fault("refuse-answer"))
        self.assertEqual((status, reply, told["problem"]), (400, {"error": "invalid_request"}, None))
        for name, type, text in (("text-answer", "text/html", "<p>Thank you"), ("empty-answer", None, "")):
            asked = self.fault(name)
            form = self.wallet.sealed(asked, {"vp_token": {"card": [self.presented(asked)]}, "state": asked["state"]})
            reply = self.wallet.send("POST", asked["response_uri"], urlencode(form))
            self.assertEqual(reply, (200, type, None, text))
            self.assertIsNone(self.program.told("answered")["problem"])
        asked = self.fault("close-response")
        with self.assertRaises(ConnectionError):
            self.answered(asked)
        self.assertIsNone(self.program.told("answered")["problem"])
        asked = self.fault("silent-response")
        form = self.wallet.sealed(asked, {"vp_token": {"card": [self.presented(asked)]}, "state": asked["state"]})
        with self.wallet.opened("POST", asked["response_uri"], form):
            self.assertIsNone(self.program.told("answered")["problem"])
        self.program.told("closed")

    def test_a_reply_that_is_held(self):
        asked = self.fault("held-response")
        form = self.wallet.sealed(asked, {"vp_token": {"card": [self.presented(asked)]}, "state": asked["state"]})
        with self.wallet.opened("POST", asked["response_uri"], form) as received:
            self.assertIsNone(self.program.told("answered")["problem"])
            self.program.say('{"release": true}')
            self.assertEqual(self.program.line(), {"released": True})
            self.assertEqual(received(1), b"{")

    def test_next_pages_that_must_not_be_opened(self):
        for name, scheme in (
            ("javascript-redirect", "javascript:"), ("http-redirect", "http:"), ("wallet-redirect", "openid4vp:"),
        ):
            _, reply, _, _ = self.answered(self.fault(name))
            self.assertTrue(reply["redirect_uri"].startswith(scheme))
