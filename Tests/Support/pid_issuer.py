"""An issuer of PIDs, its certificates and status lists, and a holder, for tests of those who verify.

Needs the package cryptography alone, Debian's as well as that of PyPI.
"""

import base64
import datetime
import hashlib
import json
import secrets
import time
import zlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.x509.oid import NameOID

ISSUER = "https://pid.example"
TYPE = "urn:wallet-provider:pid:1"
LIST = f"{ISSUER}/status-lists/1"
LIST_ENTRIES = 1 << 17
STATUS_SIGNING = x509.ObjectIdentifier("2.999.1.30")
HIDDEN = {
    "family_name": "Rowan", "given_name": "Imogen Elspeth", "birthdate": "1988-03-14",
    "age_equal_or_over": {"16": True, "18": True, "21": True, "65": False},
}
VISIBLE = {
    "date_of_expiry": "2027-02-01", "issuing_authority": "Wallet Provider", "issuing_country": "NL",
    "verification": {"evidence": "driving_permit", "demonstration": True},
}
DAY = 86_400


def shown(paths):
    """The claims that a presentation of these paths shows."""
    claims = VISIBLE | {"age_equal_or_over": {}}
    for *outer, name in paths:
        inside, values = claims, HIDDEN
        for step in outer:
            inside, values = inside[step], values[step]
        inside[name] = values[name]
    return claims


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(value):
    return base64url(json.dumps(value).encode())


def digest(text):
    return base64url(hashlib.sha256(text.encode()).digest())


def new_key():
    return ec.generate_private_key(ec.SECP256R1())


def jwk(key):
    numbers = key.public_key().public_numbers()
    return {"kty": "EC", "crv": "P-256"} | {
        name: base64url(getattr(numbers, name).to_bytes(32, "big")) for name in ("x", "y")}


def signed(key, header, payload):
    """A compact JWS; without a key, one without a signature."""
    text = f"{encoded(header)}.{encoded(payload)}"
    if key is None:
        return f"{text}."
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return f"{text}.{base64url(key.sign(text.encode()))}"
    r, s = decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    return f"{text}.{base64url(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


def altered(token, part, change):
    """A JWS with one part changed and the signature kept."""
    parts = token.split(".")
    parts[part] = change(parts[part])
    return ".".join(parts)


def flipped(text):
    """With another first letter."""
    return ("B" if text[0] == "A" else "A") + text[1:]


# --- certificates ---------------------------------------------------------------------------------------

USAGES = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
          "key_cert_sign", "crl_sign", "encipher_only", "decipher_only")


def usage(*used):
    return x509.KeyUsage(**{name: name in used for name in USAGES})


class Authority:
    """The root of a chain, or with `parent` one below it."""

    def __init__(self, name="Authority", now=None, parent=None):
        self.key, self.now = new_key(), int(time.time() if now is None else now)
        self.begin, self.end = self.now - 30 * DAY, self.now + 365 * DAY
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        by = parent or self
        self.certificate = by.certify(self.key, self.name, (-30, 365), [
            (x509.BasicConstraints(True, None), True), (usage("key_cert_sign", "crl_sign"), True)])

    @property
    def pem(self):
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    def certify(self, key, subject, days, extensions):
        """A certificate for that key, valid from and until so many days from now."""
        begin, end = (datetime.datetime.fromtimestamp(self.now + day * DAY, datetime.timezone.utc) for day in days)
        identifier = x509.SubjectKeyIdentifier.from_public_key(self.key.public_key())
        builder = x509.CertificateBuilder(
            self.name, subject, key.public_key(), x509.random_serial_number(), begin, end)
        for extension, is_critical in extensions:
            builder = builder.add_extension(extension, is_critical)
        builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        builder = builder.add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier), False)
        return builder.sign(self.key, hashes.SHA256())

    def leaf(self, key, *, name="Issuer of PIDs", days=(-1, 30), used=("digital_signature",), issuer=ISSUER,
             purposes=(), is_authority=False):
        subject = x509.Name([
            x509.NameAttribute(NameOID.COUNTRY_NAME, "NL"), x509.NameAttribute(NameOID.ORGANIZATION_NAME, name)])
        extensions = [(x509.BasicConstraints(is_authority, None), True), (usage(*used), True)]
        if issuer:
            extensions.append((x509.SubjectAlternativeName([
                x509.UniformResourceIdentifier(issuer), x509.DNSName(issuer.removeprefix("https://"))]), False))
        if purposes:
            extensions.append((x509.ExtendedKeyUsage(purposes), False))
        return self.certify(key, subject, days, extensions)


def chain(*certificates):
    """An `x5c`: standard base64, unlike everything else in a JWS."""
    return [base64.b64encode(certificate.public_bytes(serialization.Encoding.DER)).decode()
            for certificate in certificates]


# --- issuer and holder ----------------------------------------------------------------------------------

class Issuer:
    """An authority, a signer of PIDs below it and one of status lists, whose list is at `list`."""

    def __init__(self, now=None, list=LIST, type=TYPE):
        self.now, self.list, self.type = int(time.time() if now is None else now), list, type
        self.authority = Authority(now=self.now)
        self.key, self.status_key = new_key(), new_key()
        self.certificate = self.authority.leaf(self.key)
        self.status_certificate = self.authority.leaf(
            self.status_key, name="Status lists", issuer=None, purposes=[STATUS_SIGNING])

    def draft(self, holder=None):
        return Draft(self, holder or new_key())


class Draft:
    """A PID, its presentation and its status list before they are signed; each part can be changed."""

    def __init__(self, issuer, holder):
        self.issuer, self.holder = issuer, holder
        self.key, self.binding_key, self.status_key = issuer.key, holder, issuer.status_key
        self.index = secrets.randbelow(LIST_ENTRIES)
        self.disclosures = {}
        hour = issuer.now - issuer.now % 3600
        self.header = {"alg": "ES256", "typ": "dc+sd-jwt", "x5c": chain(issuer.certificate)}
        self.payload = {
            **VISIBLE, **self._hidden(HIDDEN, ()), "iss": ISSUER, "vct": issuer.type, "iat": hour, "exp": hour + 90 * DAY,
            "cnf": {"jwk": jwk(holder)}, "_sd_alg": "sha-256",
            "status": {"status_list": {"idx": self.index, "uri": issuer.list}}}
        self.shown = []
        self.binding_header = {"alg": "ES256", "typ": "kb+jwt"}
        self.binding = {"iat": issuer.now}
        # The neighbours are revoked, so that who reads another entry notices.
        self.bits, self.statuses = 1, {self.index ^ 1: 1, (self.index + 8) % LIST_ENTRIES: 1}
        self.status_header = {
            "alg": "ES256", "typ": "statuslist+jwt", "x5c": chain(issuer.status_certificate)}
        self.status = {"sub": issuer.list, "iat": issuer.now - 60, "exp": issuer.now + DAY, "ttl": 900}
        self.status_bytes = LIST_ENTRIES // 8

    def _hidden(self, claims, path):
        """An object of claims of which each is hidden by itself."""
        visible, hidden = {}, []
        for name, value in claims.items():
            if isinstance(value, dict):
                visible[name] = self._hidden(value, (*path, name))
                continue
            self.disclosures[(*path, name)] = encoded([base64url(secrets.token_bytes(16)), name, value])
            hidden.append(digest(self.disclosures[(*path, name)]))
        return visible | {"_sd": sorted(hidden)}

    def showing(self, paths, audience, nonce):
        self.shown = [self.disclosures[tuple(path)] for path in paths]
        self.binding |= {"aud": audience, "nonce": nonce}
        return self

    def card(self):
        """What the issuer hands to the holder."""
        return "~".join([signed(self.key, self.header, self.payload), *self.disclosures.values(), ""])

    def presentation(self):
        bound = "~".join([signed(self.key, self.header, self.payload), *self.shown, ""])
        if self.binding_header is None:
            return bound
        return bound + signed(self.binding_key, self.binding_header, {"sd_hash": digest(bound), **self.binding})

    def status_list(self):
        entries = bytearray(self.status_bytes * self.bits)
        for index, value in self.statuses.items():
            position, place = divmod(index * self.bits, 8)
            if position < len(entries):
                entries[position] |= value << place
        inside = {"bits": self.bits, "lst": base64url(zlib.compress(bytes(entries), 9))}
        return signed(self.status_key, self.status_header, {"status_list": inside, **self.status})
