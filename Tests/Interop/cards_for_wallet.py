#!/usr/bin/env python3
"""Makes cards with the packages sd-jwt and openvc-core for the keys of a wallet, below an authority.

    cards_for_wallet.py OUT.json SEED

OUT.json has `anchor` (PEM) with `not_before` and `not_after`, `type`, `keys` (the wallet's private keys as JWK) and
`cards`: each with `by`, its `copies` and `claims`, what its holder must see; `known`, a card of which every part can be
withheld, for the keys after those of `cards`; `issuer`, its public key; and `untrusted`, a copy by an issuer of the same
name below another authority. The tests of CardTestCase put them into a wallet.
"""

import base64
import datetime
import json
import random
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from jwcrypto.jwk import JWK
from sd_jwt.common import SDObj
from sd_jwt.issuer import SDJWTIssuer

from cards_by_others import ISSUER, NOW, TYPE, by_openvc, by_sd_jwt, report
from cards_spoilt import Issuer

CARDS = 6
COPIES = 2
KNOWN = 3  # the copies of the known card
TERMS = ("iss", "iat", "nbf", "exp", "cnf", "vct", "aka_vcts", "status")
BEGIN = datetime.datetime.fromtimestamp(NOW - 3600, datetime.timezone.utc)
END = BEGIN + datetime.timedelta(30)


def name(attribute, text):
    return x509.Name([x509.NameAttribute(attribute, text)])


class Authority:
    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        subject = name(NameOID.COMMON_NAME, "Authority")
        self.certificate = self.builder(subject, self.key.public_key()).add_extension(
            x509.BasicConstraints(True, None), True).add_extension(self.usage(key_cert_sign=True), True).add_extension(
            self.identifier(), False).sign(self.key, hashes.SHA256())

    @staticmethod
    def usage(**used):
        names = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
                 "key_cert_sign", "crl_sign", "encipher_only", "decipher_only")
        return x509.KeyUsage(**{name: used.get(name, False) for name in names})

    def identifier(self):
        return x509.SubjectKeyIdentifier.from_public_key(self.key.public_key())

    @staticmethod
    def builder(subject, key):
        return x509.CertificateBuilder(
            name(NameOID.COMMON_NAME, "Authority"), subject, key, x509.random_serial_number(), BEGIN, END)

    def certify(self, jwk):
        """The `x5c` of an issuer: its certificate alone."""
        key = serialization.load_pem_private_key(jwk.export_to_pem(private_key=True, password=None), None)
        made = self.builder(name(NameOID.ORGANIZATION_NAME, "Issuer of cards"), key.public_key()).add_extension(
            x509.BasicConstraints(False, None), True).add_extension(
            self.usage(digital_signature=True), True).add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(self.identifier()), False).add_extension(
            x509.SubjectAlternativeName([x509.DNSName(ISSUER.removeprefix("https://"))]), False)
        der = made.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.DER)
        return base64.b64encode(der).decode()


def made(number, seed, issuer, chain, holder):
    # Of one seed, so that the copies of a card state the same. Every third number has a chain.
    draw = random.Random(seed)
    return (by_openvc(draw, 3 * number, issuer, chain, holder) if number % 2
            else by_sd_jwt(draw, 3 * number, issuer.jwk, chain, holder))


def hidden(value):
    """The value with the wrappers of sd-jwt around each of its parts."""
    if isinstance(value, dict):
        return {SDObj(key): hidden(part) for key, part in value.items()}
    if isinstance(value, list):
        return [SDObj(hidden(part)) for part in value]
    return value


def known(issuer, chain, holders):
    """A card whose claims tests name by their paths."""
    claims = {
        "given_name": "Marigold", "family_name": "Vanderbloom", "nationalities": ["NL", "DE"],
        "address": {"street_address": "Rowan Road 7", "locality": "Elmwood", "country": "NL"}}
    stated = {"iss": ISSUER, "vct": TYPE, "iat": NOW, "exp": NOW + 86_400}
    copies = [
        SDJWTIssuer(hidden(claims) | stated, issuer.jwk, holder,
                    extra_header_parameters={"typ": "dc+sd-jwt", "x5c": [chain]}).sd_jwt_issuance
        for holder in holders]
    return {"by": "sd-jwt", "copies": copies, "claims": claims}


def main():
    seed = int(sys.argv[2])
    print(f"# cards for a wallet: seed {seed}")
    issuer, authority = Issuer(ISSUER, TYPE), Authority()
    chain = authority.certify(issuer.jwk)
    keys = [JWK.generate(kty="EC", crv="P-256") for _ in range(CARDS * COPIES + KNOWN)]
    cards = []
    for number in range(CARDS):
        own = keys[number * COPIES:(number + 1) * COPIES]
        copies = [made(number, seed + number, issuer, chain, holder) for holder in own]
        claims = {key: value for key, value in copies[0]["claims"].items() if key not in TERMS}
        cards.append({"by": copies[0]["by"], "copies": [copy["card"] for copy in copies], "claims": claims})
    untrusted = made(0, seed, issuer, Authority().certify(issuer.jwk), keys[0])["card"]
    anchor = authority.certificate.public_bytes(serialization.Encoding.PEM).decode()
    with open(sys.argv[1], "w") as file:
        json.dump({"anchor": anchor, "not_before": int(BEGIN.timestamp()), "not_after": int(END.timestamp()),
                   "type": TYPE, "other_type": "urn:example:card", "cards": cards, "untrusted": untrusted,
                   "known": known(issuer, chain, keys[CARDS * COPIES:]),
                   "issuer": issuer.jwk.export_public(as_dict=True),
                   "keys": [key.export(private_key=True, as_dict=True) for key in keys]}, file, indent=1)
    report({card["by"] for card in cards} == {"sd-jwt", "openvc-core"}, f"cards for a wallet: {CARDS} of both packages")


if __name__ == "__main__":
    main()
