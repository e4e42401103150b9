"""Writes the test vectors beside this file, with implementations other than the core's.

    pip install argon2-cffi cryptography PyNaCl rbcl && python3 generate.py

Argon2id comes from the reference implementation, Ed25519 and ES256 from OpenSSL (cryptography),
XChaCha20-Poly1305 and sealed boxes from PyNaCl, keyed BLAKE2b from hashlib, and the evaluation of a
PIN from ../Interop/protocol/protocol_oprf.py. Seeds and salts are fixed; sealed boxes and ES256
signatures are random each time, and any of them is correct.
"""

import hashlib
import json
import pathlib
import sys

from argon2.low_level import Type, hash_secret_raw
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nacl.bindings import (
    crypto_aead_xchacha20poly1305_ietf_encrypt as xchacha,
    crypto_box_seal,
    crypto_box_seed_keypair,
)

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "Interop" / "protocol"))
import protocol_oprf as oprf
RAW = (serialization.Encoding.Raw, serialization.PublicFormat.Raw)
INFO = (serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def bytes_of(label, count):
    """`count` fixed bytes that look random."""
    return hashlib.shake_256(label.encode()).digest(count)


def write(name, answers):
    text = json.dumps(answers, indent=2, sort_keys=True) + "\n"
    (HERE / name).write_text(text)


def ed25519(seed, message):
    key = Ed25519PrivateKey.from_private_bytes(seed)
    public = key.public_key()
    return {
        "seed": seed.hex(),
        "public_key": public.public_bytes(*RAW).hex(),
        "subject_public_key_info": public.public_bytes(*INFO).hex(),
        "message": message.hex(),
        "signature": key.sign(message).hex(),
    }


def derived(key, purpose, secret=b""):
    return hashlib.blake2b(purpose + b"\0" + secret, key=key, digest_size=32).digest()


def pin_key(pin, passes, mebibytes):
    salt, share = bytes_of("salt " + pin, 16), bytes_of("share " + pin, 32)
    stretched = hash_secret_raw(
        pin.encode(), salt, time_cost=passes, memory_cost=mebibytes * 1024, parallelism=1,
        hash_len=32, type=Type.ID)
    evaluator, provider, blind = (
        oprf.scalar(bytes_of(f"{name} {pin}", 64)) for name in ("evaluator", "provider", "blind"))
    evaluated = oprf.times(provider, oprf.times(evaluator, oprf.blinded(stretched, blind)))
    output = oprf.finalize(stretched, blind, evaluated)
    wrapping = derived(output, b"wallet_core/2/pin-wrapping")
    return {
        "pin": pin,
        "salt": salt.hex(),
        "passes": passes,
        "memory_bytes": mebibytes * 1024 * 1024,
        "evaluator_half": evaluator.hex(),
        "provider_half": provider.hex(),
        "share": share.hex(),
        "wrapping_key": derived(wrapping, b"wallet_core/2/vault", share).hex(),
        **ed25519(derived(output, b"wallet_core/2/pin-key"), b"signed with a PIN"),
    }


def aead(length):
    key, nonce = bytes_of("key", 32), bytes_of(f"nonce {length}", 24)
    plaintext, associated = bytes_of(f"plaintext {length}", length), b"table and name"
    return {
        "key": key.hex(),
        "associated_data": associated.hex(),
        "plaintext": plaintext.hex(),
        "box": (nonce + xchacha(plaintext, associated, nonce, key)).hex(),
    }


def sealed_box(length):
    public, secret = crypto_box_seed_keypair(bytes_of("recipient", 32))
    plaintext = bytes_of(f"sealed {length}", length)
    return {
        "public_key": public.hex(),
        "secret_key": secret.hex(),
        "plaintext": plaintext.hex(),
        "box": crypto_box_seal(plaintext, public).hex(),
    }


def ecdsa(index):
    key = ec.derive_private_key(
        int.from_bytes(bytes_of(f"p256 {index}", 31), "big"), ec.SECP256R1())
    der = key.sign(b"message", ec.ECDSA(hashes.SHA256()))
    r, s = utils.decode_dss_signature(der)
    return {
        "subject_public_key_info": key.public_key().public_bytes(*INFO).hex(),
        "der": der.hex(),
        "raw": (r.to_bytes(32, "big") + s.to_bytes(32, "big")).hex(),
    }


def small_ecdsa(r, s):
    """Numbers of fewer bytes, which a key store meets once in 128 signatures."""
    der = utils.encode_dss_signature(r, s)
    return {"der": der.hex(), "raw": (r.to_bytes(32, "big") + s.to_bytes(32, "big")).hex()}


write("ed25519.json", [
    ed25519(bytes_of("seed", 32), b""),
    ed25519(bytes_of("another seed", 32), b"message"),
    # RFC 8032 section 7.1, TEST 1.
    ed25519(bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"), b""),
])
write("pin_key.json", [
    pin_key("135246", 3, 64), pin_key("000001", 3, 64), pin_key("135246\n", 4, 65)])
write("aead.json", [aead(0), aead(1), aead(32), aead(1000)])
write("sealed_box.json", [sealed_box(0), sealed_box(32), sealed_box(500)])
write("ecdsa.json", [
    *(ecdsa(index) for index in range(32)),
    small_ecdsa(1, 1), small_ecdsa(0x7F, 0x80), small_ecdsa(1 << 255, (1 << 255) - 1),
    small_ecdsa(1 << 247, 1 << 248),
])
