"""JWS with ES256 and JWE with ECDH-ES (RFC 7515 to 7518), as a strict reader takes them."""

import json
import secrets

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.concatkdf import ConcatKDFHash

from pid_issuer import base64url, decoded, encoded, jwk, new_key

# The ciphers and the lengths of their keys.
CIPHERS = {"A128GCM": 16, "A256GCM": 32}


class Malformed(Exception):
    """What was received breaks a rule; the text says which."""


def demand(holds, problem):
    if not holds:
        raise Malformed(problem)


def octets(text):
    """The bytes of base64url. Only the one text without padding counts."""
    try:
        data = decoded(text)
    except ValueError as error:
        raise Malformed("not base64url") from error
    demand(base64url(data) == text, "base64url is not in its one form")
    return data


def parsed(text):
    """JSON in which no member appears twice, because two readers could take different ones."""
    def members(pairs):
        demand(len(dict(pairs)) == len(pairs), "a member appears twice")
        return dict(pairs)
    try:
        return json.loads(text, object_pairs_hook=members)
    except (ValueError, RecursionError) as error:
        raise Malformed("not JSON") from error


def public_key(members):
    demand(members.get("kty") == "EC" and members.get("crv") == "P-256", "a key that is not of P-256")
    demand("d" not in members, "a key with its private part")
    numbers = [octets(members[name]) for name in ("x", "y")]
    demand(all(len(number) == 32 for number in numbers), "a coordinate that has not 32 bytes")
    try:
        return ec.EllipticCurvePublicNumbers(
            *(int.from_bytes(number, "big") for number in numbers), ec.SECP256R1()).public_key()
    except ValueError as error:
        raise Malformed("a key that is not on its curve") from error


def verified(token, type, key_of):
    """Header and payload of a compact JWS; `key_of` finds the key by both."""
    parts = token.split(".")
    demand(len(parts) == 3, f"{type}: no compact JWS")
    header, payload = (parsed(octets(part)) for part in parts[:2])
    demand(header.get("typ") == type, f"{type}: typ is {header.get('typ')}")
    demand(header.get("alg") == "ES256", f"{type}: alg is {header.get('alg')}")
    demand("crit" not in header, f"{type}: crit")
    signature = octets(parts[2])
    demand(len(signature) == 64, f"{type}: a signature that has not 64 bytes")
    r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
    try:
        key_of(header, payload).verify(
            encode_dss_signature(r, s), token.rpartition(".")[0].encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature as error:
        raise Malformed(f"{type}: the signature is wrong") from error
    return header, payload


def agreed(own, other, header):
    """The key of the content (RFC 7518 section 4.6.2)."""
    size = CIPHERS[header["enc"]]
    known = (header["enc"].encode(), octets(header.get("apu", "")), octets(header.get("apv", "")))
    info = b"".join(len(part).to_bytes(4, "big") + part for part in known) + (8 * size).to_bytes(4, "big")
    return ConcatKDFHash(hashes.SHA256(), size, info).derive(own.exchange(ec.ECDH(), other))


def encrypted(text, recipient, enc, **header):
    """A compact JWE for the key `recipient`, a public one."""
    ephemeral, nonce = new_key(), secrets.token_bytes(12)
    header = {"alg": "ECDH-ES", "enc": enc, "epk": jwk(ephemeral), **header}
    protected = encoded(header)
    sealed = AESGCM(agreed(ephemeral, recipient, header)).encrypt(nonce, text.encode(), protected.encode())
    return ".".join([protected, "", base64url(nonce), base64url(sealed[:-16]), base64url(sealed[-16:])])


def header_of(token):
    return parsed(octets(token.partition(".")[0]))


def decrypted(token, key, ciphers, kid):
    """The content of a compact JWE with one of `ciphers`."""
    parts = token.split(".")
    demand(len(parts) == 5, "no compact JWE")
    header = header_of(token)
    demand(header.get("alg") == "ECDH-ES", f"the answer's alg is {header.get('alg')}")
    demand(header.get("enc") in ciphers, f"the answer's enc is {header.get('enc')}")
    demand(header.get("kid") == kid, f"the answer's kid is {header.get('kid')}")
    demand(not header.keys() & {"zip", "crit"}, "the answer has zip or crit")
    _, wrapped, nonce, sealed, tag = map(octets, parts)
    demand(not wrapped and len(nonce) == 12 and len(tag) == 16, "a part of the answer has another length")
    try:
        return AESGCM(agreed(key, public_key(header["epk"]), header)).decrypt(nonce, sealed + tag, parts[0].encode())
    except InvalidTag as error:
        raise Malformed("the answer cannot be decrypted") from error
