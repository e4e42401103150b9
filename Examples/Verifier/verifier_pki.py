# SPDX-License-Identifier: Apache-2.0
"""The authorities and certificates of a verifier for trials, and the entries by which wallets trust them.

There are two authorities, because a wallet knows them in two roles: one certifies who may ask, the other one hosts for
TLS. They are made once, so that a wallet's configuration stays right; the certificates below them at each start.
"""

import dataclasses
import datetime
import ipaddress
import json
import os
import pathlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

ORGANIZATION = "Example Verifier"
# ETSI EN 319 412-1 section 5.1.4: a number of the trade register of the Netherlands, which nobody has.
ORGANIZATION_IDENTIFIER = "NTRNL-00000000"
AUTHORITY_DAYS = 5 * 365
LEAF_DAYS = 90
USAGES = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
          "key_cert_sign", "crl_sign", "encipher_only", "decipher_only")


@dataclasses.dataclass(frozen=True)
class PKI:
    """Where the files are; each key is beside its certificate."""

    directory: pathlib.Path

    def certificate(self, name):
        return self.directory / f"{name}.pem"

    def key(self, name):
        return self.directory / f"{name}.key"

    @property
    def trust_anchors(self):
        return self.directory / "trust-anchors.json"


def made(directory, host):
    """Makes what is missing in the directory, and new certificates for the verifier at that host: `access` signs its
    requests, `tls` is that of its listener; `access-authority` and `tls-authority` are what wallets have to know."""
    pki = PKI(pathlib.Path(directory).resolve())
    pki.directory.mkdir(parents=True, exist_ok=True)
    access, tls = (_authority(pki, name, title) for name, title in (
        ("access-authority", "Example Access Authority"), ("tls-authority", "Example TLS Authority")))
    _leaf(pki, "access", access, [
        x509.NameAttribute(NameOID.COUNTRY_NAME, "NL"),
        x509.NameAttribute(NameOID.ORGANIZATION_NAME, ORGANIZATION),
        x509.NameAttribute(NameOID.ORGANIZATION_IDENTIFIER, ORGANIZATION_IDENTIFIER),
        x509.NameAttribute(NameOID.COMMON_NAME, ORGANIZATION),
    ], [x509.DNSName(host)])
    _leaf(pki, "tls", tls, [x509.NameAttribute(NameOID.COMMON_NAME, host)],
          [x509.DNSName(host), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))],
          x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]))
    entries = [_entry(pki, "access-authority", "relying-party", access), _entry(pki, "tls-authority", "tls", tls)]
    pki.trust_anchors.write_text(json.dumps({"anchors": entries}, indent=2) + "\n")
    return pki


def _entry(pki, name, role, authority):
    """An entry of the file that the provider's setting `trust-anchors` names."""
    certificate, _ = authority
    [title] = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    return {
        "name": title.value, "role": role,
        "certificate_file": pki.certificate(name).name,
        "from": certificate.not_valid_before_utc.date().isoformat(),
        "until": certificate.not_valid_after_utc.date().isoformat()}


def _authority(pki, name, title):
    kept = _kept(pki, name)
    if kept is not None:
        return kept
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, title)])
    certificate = _builder(subject, subject, key, AUTHORITY_DAYS).add_extension(
        x509.BasicConstraints(ca=True, path_length=0), critical=True
    ).add_extension(_usage("key_cert_sign", "crl_sign"), critical=True).sign(key, hashes.SHA256())
    _write(pki, name, certificate, key)
    return certificate, key


def _kept(pki, name):
    """The authority of an earlier start, if it outlives what it certifies now."""
    try:
        certificate = x509.load_pem_x509_certificate(pki.certificate(name).read_bytes())
        key = serialization.load_pem_private_key(pki.key(name).read_bytes(), None)
    except (FileNotFoundError, ValueError):
        return None
    return (certificate, key) if certificate.not_valid_after_utc > _day(LEAF_DAYS) else None


def _leaf(pki, name, authority, subject, alternatives, *extensions):
    issuer, issuer_key = authority
    key = ec.generate_private_key(ec.SECP256R1())
    builder = _builder(x509.Name(subject), issuer.subject, key, LEAF_DAYS).add_extension(
        x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(
            issuer.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value), critical=False
    ).add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True
    ).add_extension(_usage("digital_signature"), critical=True
    ).add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
    for extension in extensions:
        builder = builder.add_extension(extension, critical=False)
    _write(pki, name, builder.sign(issuer_key, hashes.SHA256()), key)


def _builder(subject, issuer, key, days):
    return x509.CertificateBuilder(
        issuer, subject, key.public_key(), x509.random_serial_number(), _day(-1), _day(days)
    ).add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)


def _day(days):
    return datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=days)


def _usage(*used):
    return x509.KeyUsage(**{name: name in used for name in USAGES})


def _write(pki, name, certificate, key):
    # The key first: a certificate without its key would be taken for an authority of an earlier start.
    text = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    with open(os.open(pki.key(name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(text)
    pki.certificate(name).write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
