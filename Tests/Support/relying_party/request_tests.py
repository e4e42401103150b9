"""What a relying party for tests asks when it is well-behaved, and which mistakes in a fetch it notices."""

import json
import pathlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from certificate_checks import certificates, is_issued
from party_jose import agreed, decrypted, public_key, verified
from pid_issuer import base64url, decoded, jwk, new_key
from testing_program import Case

NESTED = [["age_equal_or_over", "18"]]


class RequestTests(Case):
    def test_the_vector_of_the_agreement_of_keys(self):
        # RFC 7518 appendix C.
        own = {"kty": "EC", "crv": "P-256", "x": "gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0",
               "y": "SLW_xSffzlPWrHEVI30DHM_4egVwt3NQqeUD7nMFpps"}
        secret = decoded("0_NxaRPUMQoAJt50Gz8YiTr8gRTwyEaCumd-MToTmIo")
        key = ec.EllipticCurvePrivateNumbers(
            int.from_bytes(secret, "big"), public_key(own).public_numbers()).private_key()
        other = {"kty": "EC", "crv": "P-256", "x": "weNJy2HscCSM6AEDTDg04biOvhFhyyWvOHQfeF_PxMQ",
                 "y": "e8lnCO-AlStT-NJVX-crhB7QRYhiix03illJOVAOyck"}
        header = {"enc": "A128GCM", "apu": "QWxpY2U", "apv": "Qm9i"}
        self.assertEqual(base64url(agreed(key, public_key(other), header)), "VqqN6vgjbSBcIijNcacQGg")

    def test_the_object_is_signed_by_a_chain_to_the_anchor(self):
        asked, told = self.fetched()
        self.assertEqual((asked.status, asked.type), (200, "application/oauth-authz-req+jwt"))
        [leaf] = certificates(asked.header)
        self.assertTrue(is_issued(leaf, self.access))
        verified(asked.text, "oauth-authz-req+jwt", lambda *_: leaf.public_key())
        self.assertEqual(asked["client_id"], "x509_hash:" + base64url(leaf.fingerprint(hashes.SHA256())))
        names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        self.assertEqual(names.get_values_for_type(x509.DNSName), ["shop.localhost"])
        subject = {each.oid.dotted_string: each.value for each in leaf.subject}
        self.assertEqual((subject["2.5.4.10"], subject["2.5.4.97"]), ("Example Shop", "NTRXX-12345678"))
        self.assertEqual(asked["wallet_nonce"], self.wallet.nonce)
        self.assertEqual(asked["aud"], "https://self-issued.me/v2")
        self.assertEqual(told["method"], "POST")
        self.assertEqual(told["form"].keys(), {"wallet_nonce", "wallet_metadata"})

    def test_the_anchors_are_those_of_a_setting(self):
        listed = json.loads(pathlib.Path(self.program.ready["anchors"]).read_text())["anchors"]
        self.assertEqual([each["role"] for each in listed], ["relying-party", "registrar", "tls"])
        for each in listed:
            pem = pathlib.Path(self.scratch.name, each["certificate_file"]).read_bytes()
            certificate = x509.load_pem_x509_certificate(pem)
            usage = certificate.extensions.get_extension_for_class(x509.KeyUsage).value
            self.assertTrue(usage.key_cert_sign)
            self.assertTrue(is_issued(certificate, certificate))

    def test_options_change_link_and_object(self):
        asked, told = self.fetched(method="get", client="x509_san_dns", state="s", vct="urn:a", claims=NESTED)
        self.assertEqual(asked["client_id"], "x509_san_dns:shop.localhost")
        self.assertEqual((told["method"], asked["state"], "wallet_nonce" in asked.members), ("GET", "s", False))
        [query] = asked["dcql_query"]["credentials"]
        self.assertEqual((query["meta"], query["claims"]), ({"vct_values": ["urn:a"]}, [{"path": NESTED[0]}]))
        asked, _ = self.fetched(
            method="", state=None, enc=["A256GCM"], expires_in=5, now=1_800_000_000, query={"credentials": []},
            transaction_data=[{"type": "t"}, "e30"], verifier_info=[{"format": "f"}], header={"typ": "JWT"},
            members={"nonce": None, "scope": "s", "client_metadata": {"jwks": None}})
        self.assertEqual((asked["iat"], asked["exp"], asked["scope"]), (1_800_000_000, 1_800_000_005, "s"))
        self.assertEqual(asked["client_metadata"].keys(), {
            "vp_formats_supported", "encrypted_response_enc_values_supported"})
        self.assertEqual(asked["client_metadata"]["encrypted_response_enc_values_supported"], ["A256GCM"])
        self.assertFalse({"nonce", "state"} & asked.members.keys())
        self.assertEqual(json.loads(decoded(asked["transaction_data"][0])), {"type": "t"})
        self.assertEqual((asked["transaction_data"][1], asked["verifier_info"]), ("e30", [{"format": "f"}]))
        self.assertEqual((asked.header["typ"], asked["dcql_query"]), ("JWT", {"credentials": []}))
        link = self.program.ask(scheme="https://wallet.example/sharing", method="POST", client="origin:a")["link"]
        self.assertTrue(link.startswith("https://wallet.example/sharing?client_id=origin%3Aa&request_uri=https"))
        self.assertTrue(link.endswith("&request_uri_method=POST"))

    def test_the_object_is_encrypted_for_a_wallet_that_offers_a_key(self):
        key = new_key()
        offer = {"jwks": {"keys": [jwk(key) | {"kid": "w1", "alg": "ECDH-ES", "use": "enc"}]},
                 "request_object_encryption_enc_values_supported": ["A128GCM"]}
        asked, _ = self.fetched(metadata=offer, encrypt_request=True)
        self.assertEqual(asked.header["cty"], "JWT")
        inside = decrypted(asked.text, key, ["A128GCM"], "w1").decode()
        self.assertEqual(inside.count("."), 2)
        plain, _ = self.fetched(encrypt_request=True)
        self.assertEqual(plain["wallet_nonce"], self.wallet.nonce)

    def test_the_registrar_confirms_the_query(self):
        asked, _ = self.fetched(register=[{"credential_ids": ["card"]}, {"credential_ids": ["other"]}])
        entries = asked["verifier_info"]
        self.assertEqual([each["credential_ids"] for each in entries], [["card"], ["other"]])
        asked, _ = self.fetched(register={"purpose": None, "privacy_policy": "https://a.example/"})
        [entry] = asked["verifier_info"]
        root = x509.load_pem_x509_certificate(pathlib.Path(self.scratch.name, "registrar.pem").read_bytes())

        def key(header, _):
            [leaf] = certificates(header)
            self.assertTrue(is_issued(leaf, root))
            return leaf.public_key()

        _, payload = verified(entry["data"], "rc-wrp+jwt", key)
        self.assertEqual((entry["format"], payload["sub"]), ("registration_cert", "NTRXX-12345678"))
        self.assertEqual(payload["credentials"][0]["claim"], [{"path": ["given_name"]}])
        self.assertEqual((payload["privacy_policy"], "purpose" in payload), ("https://a.example/", False))

    def test_what_it_cannot_ask_is_an_error(self):
        for line in ('{"request": {"fault": "none"}}', '{"request": {"colour": 1}}', '{"ask": {}}', "[]", "{"):
            self.program.say(line)
            self.assertIn("error", self.program.line(), line)

    def test_mistakes_in_a_fetch_are_noticed(self):
        asked = self.program.ask()
        uri = f"https://shop.localhost:{self.program.ready['port']}/request/{asked['id']}"
        for method, body, problem in (
            ("GET", None, "fetched by another method"), ("POST", "a=1", "members that a fetch does not have"),
            ("POST", "wallet_metadata={}", "wallet_metadata lacks vp_formats_supported"),
            ("POST", "wallet_metadata=1", "wallet_metadata is no object"), ("POST", "", None),
        ):
            self.wallet.send(method, uri, body)
            self.assertEqual(self.program.told("fetched")["problem"], problem)
        link = self.program.ask(method="POST")["link"]
        self.wallet.fetch(link)
        self.assertEqual(self.program.told("fetched")["problem"], "a request by an unknown method was fetched")
        self.assertEqual(self.wallet.send("GET", uri.replace("/request/", "/done/"))[0], 404)
        self.assertEqual(self.program.told("visited")["method"], "GET")
