"""The certificates around a relying party: its own, its registrar's and its listener's, and those of impostors."""

import ipaddress
import json
import os
import pathlib
from dataclasses import dataclass

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.x509.oid import NameOID

import pid_issuer
from pid_issuer import new_key, usage

ORGANISATION, IDENTIFIER = "Example Shop", "NTRXX-12345678"
ORGANISATION_IDENTIFIER = x509.ObjectIdentifier("2.5.4.97")
# Hosts whose requests reach the listener, so that a wallet is noticed that answers where it must not.
OTHER_HOST, PRIVATE_HOST = "other.localhost", "10.0.0.1"
# Valid in the year of any clock that a test may set.
BEGIN, DAYS = 1_577_836_800, 29 * 365  # from 2020
FROM, UNTIL = "2020-01-01", "2048-12-01"
ROLES = {"access": "relying-party", "registrar": "registrar", "tls": "tls"}


class Authority(pid_issuer.Authority):
    def __init__(self, name, parent=None):
        super().__init__(name, BEGIN, parent)

    def certify(self, key, subject, _, extensions):
        return super().certify(key, subject, (0, DAYS), extensions)


@dataclass
class Signer:
    """A key, its certificate and what a message has beside that."""
    key: object
    certificate: x509.Certificate
    others: tuple = ()


def named(host):
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def leaf(authority, organisation, names=(), identifier=None, key=None):
    """A certificate of `authority`, or with its own `key` as if it were the authority itself."""
    subject = [x509.NameAttribute(NameOID.COUNTRY_NAME, "NL"),
               x509.NameAttribute(NameOID.ORGANIZATION_NAME, organisation)]
    if identifier:
        subject.append(x509.NameAttribute(ORGANISATION_IDENTIFIER, identifier))
    extensions = [(x509.BasicConstraints(False, None), True), (usage("digital_signature"), True)]
    if names:
        extensions.append((x509.SubjectAlternativeName(names), False))
    key, subject = key or new_key(), x509.Name(subject)
    if key is authority.key:
        authority.name = subject
    return Signer(key, authority.certify(key, subject, None, extensions))


def kept(file, make):
    """The key and certificate beside `file`; those of `make` if there are none yet."""
    secret, certificate = file.with_name(file.name + ".key"), file.with_name(file.name + ".pem")
    if not certificate.exists():
        made = make()
        with open(os.open(secret, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as output:
            output.write(made.key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        certificate.write_bytes(made.certificate.public_bytes(serialization.Encoding.PEM))
    return (serialization.load_pem_private_key(secret.read_bytes(), None),
            x509.load_pem_x509_certificate(certificate.read_bytes()))


class Certificates:
    """Those in a directory. They stay, so that a relying party that is started again is the same."""

    def __init__(self, directory, host):
        self.directory, self.host = pathlib.Path(directory).resolve(), host
        self.directory.mkdir(parents=True, exist_ok=True)
        self.access, registrar, tls = (self._authority(name) for name in ROLES)
        self.party = self._leaf(f"party-{host}", lambda: self.below(self.access))
        self.registrar = self._leaf("register", lambda: leaf(registrar, "Example Register"))
        hosts = dict.fromkeys([host, OTHER_HOST, "localhost", "127.0.0.1"])
        self._leaf(f"listener-{host}", lambda: leaf(tls, ORGANISATION, [named(each) for each in hosts]))
        self.anchors = self.directory / "anchors.json"
        self.anchors.write_text(json.dumps({"anchors": [
            {"name": f"Example {name}", "role": role, "certificate_file": f"{name}.pem", "from": FROM, "until": UNTIL}
            for name, role in ROLES.items()]}))

    def listener(self):
        """The files of the listener's certificate and key."""
        return [self.directory / f"listener-{self.host}.{kind}" for kind in ("pem", "key")]

    def _authority(self, name):
        authority = Authority(f"Example {name} authority")
        authority.key, authority.certificate = kept(self.directory / name, lambda: authority)
        return authority

    def _leaf(self, name, make):
        return Signer(*kept(self.directory / name, make))

    def below(self, authority, more=(), key=None):
        """A certificate of the relying party by any authority."""
        return leaf(authority, ORGANISATION, [named(self.host), *more], IDENTIFIER, key)

    def signer(self, fault):
        """Who signs a request that has this fault."""
        if fault == "other-authority":  # one of the same name
            return self.below(Authority("Example access authority"))
        if fault == "self-signed-leaf":
            own = Authority("Nobody")
            return self.below(own, key=own.key)
        if fault == "private-response":
            return self.below(self.access, [x509.DNSName(PRIVATE_HOST), named(PRIVATE_HOST)])
        if fault == "chain-out-of-order":
            upper = Authority("Example upper authority", self.access)
            lower = Authority("Example lower authority", upper)
            signer = self.below(lower)
            signer.others = (upper.certificate, lower.certificate)
            return signer
        if fault == "anchor-in-x5c":
            return Signer(self.party.key, self.party.certificate, (self.access.certificate,))
        return self.party
