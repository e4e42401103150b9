# SPDX-License-Identifier: Apache-2.0
"""Certificate chains in the header of a JWS, below a trusted authority: OpenSSL judges the path."""

from __future__ import annotations

import base64
import datetime
import re
from enum import Enum
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtensionOID
from OpenSSL import crypto

from .signatures import PublicKey

MOST_CERTIFICATES = 4
STATUS_SIGNING = x509.ObjectIdentifier("2.999.1.30")
CERTIFICATE = re.compile("-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL)


class Role(Enum):
    """What the signer at the beginning of a chain signs."""

    ISSUER = "PIDs"
    STATUS = "status lists"


class Anchors:
    """The authorities that a verifier trusts, from a text of certificates in PEM."""

    def __init__(self, pem: str):
        self._certificates = [
            crypto.load_certificate(crypto.FILETYPE_PEM, text.encode()) for text in CERTIFICATE.findall(pem)]

    def key(self, x5c: Any, role: Role, now: float, issuer: str | None = None) -> PublicKey | None:
        """The key of the signer if the chain leads to one of the anchors at `now`; None if not. If there is an issuer,
        the signer's certificate has to name it."""
        if not isinstance(x5c, list) or not 1 <= len(x5c) <= MOST_CERTIFICATES:
            return None
        try:
            # Standard base64, unlike everything else in a JWS.
            chain = [x509.load_der_x509_certificate(base64.b64decode(text, validate=True)) for text in x5c]
            # Trust never comes from the message: an anchor in it is refused.
            if any(certificate.issuer == certificate.subject for certificate in chain):
                return None
            if not self._lead_to(chain, now) or not may_sign(chain[0], role):
                return None
            if issuer is not None and not names(chain[0], issuer):
                return None
            return as_p256(chain[0].public_key())
        except (ValueError, TypeError, crypto.Error):
            return None

    def _lead_to(self, chain: list[x509.Certificate], now: float) -> bool:
        """Whether there is a path with each certificate that was sent and no other."""
        store = crypto.X509Store()
        for certificate in self._certificates:
            store.add_cert(certificate)
        # An anchor need not have signed itself.
        store.set_flags(crypto.X509StoreFlags.X509_STRICT | crypto.X509StoreFlags.PARTIAL_CHAIN)
        store.set_time(datetime.datetime.fromtimestamp(now, datetime.timezone.utc).replace(tzinfo=None))
        signer, *others = map(crypto.X509.from_cryptography, chain)
        try:
            path = crypto.X509StoreContext(store, signer, others).get_verified_chain()
        except crypto.X509StoreContextError:
            return False
        return len(path) == len(chain) + 1


def extension(certificate: x509.Certificate, oid: x509.ObjectIdentifier) -> Any:
    try:
        return certificate.extensions.get_extension_for_oid(oid).value
    except x509.ExtensionNotFound:
        return None


def may_sign(signer: x509.Certificate, role: Role) -> bool:
    """A signer of PIDs states no purpose, a signer of status lists has that one."""
    constraints = extension(signer, ExtensionOID.BASIC_CONSTRAINTS)
    usage = extension(signer, ExtensionOID.KEY_USAGE)
    purposes = extension(signer, ExtensionOID.EXTENDED_KEY_USAGE)
    if (constraints is not None and constraints.ca) or usage is None or not usage.digital_signature:
        return False
    return purposes is None if role is Role.ISSUER else purposes is not None and STATUS_SIGNING in purposes


def names(signer: x509.Certificate, issuer: str) -> bool:
    """Whether the issuer is among the addresses that the certificate names or, where it names none, an https address
    at one of its hosts."""
    alternatives = extension(signer, ExtensionOID.SUBJECT_ALTERNATIVE_NAME) or ()
    addresses = [name.value for name in alternatives if isinstance(name, x509.UniformResourceIdentifier)]
    if addresses:
        return issuer in addresses
    host = re.fullmatch(r"https://([a-z0-9.-]+)(:[0-9]+)?(/[^@\\]*)?", issuer)
    return host is not None and host[1] in [name.value for name in alternatives if isinstance(name, x509.DNSName)]


def as_p256(key: Any) -> PublicKey | None:
    is_p256 = isinstance(key, ec.EllipticCurvePublicKey) and isinstance(key.curve, ec.SECP256R1)
    return key if is_p256 else None

