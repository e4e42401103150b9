"""Keys and reporting for the tests of the phone in the browser."""

import base64
import json

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from phone_web.signatures import KnownKeys

from report import about

told = about("the phone in the browser")


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def as_der(key):
    """The public part in the format of a registration."""
    return base64url(key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))


class Key:
    """A signing key: Ed25519, or P-256 if `is_hardware`."""

    def __init__(self, is_hardware=False):
        self.key = ec.generate_private_key(ec.SECP256R1()) if is_hardware else ed25519.Ed25519PrivateKey.generate()
        self.is_hardware = is_hardware

    def published(self):
        return base64url(self.key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))

    def sign(self, header, claims):
        text = ".".join(base64url(json.dumps(part).encode()) for part in (header, claims))
        if not self.is_hardware:
            return f"{text}.{base64url(self.key.sign(text.encode()))}"
        r, s = decode_dss_signature(self.key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{text}.{base64url(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


PROVIDER = Key()


def known_keys():
    """The keys that a configuration of PROVIDER publishes."""
    keys = [{"id": "a", "key": PROVIDER.published()}]
    configuration = PROVIDER.sign({}, {name: keys for name in ("result_keys", "certificate_keys")})
    return KnownKeys(json.dumps({"configuration": configuration, "configuration_signing_keys": keys}).encode())
