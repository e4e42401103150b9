"""The verifiable oblivious pseudo-random function of RFC 9497 (VOPRF, ristretto255-SHA512), written from the RFC.

The group comes from libsodium by rbcl. Everything above it is here: hashing to the group, proofs and the result.
"""

from __future__ import annotations

import hashlib

import rbcl

from protocol_errors import demand

ORDER = 2**252 + 27742317777372353535851937790883648493
CONTEXT = b"OPRFV1-\x01-ristretto255-SHA512"  # section 3.1: the version, mode 1 and the ciphersuite


def prefixed(data: bytes) -> bytes:
    """The length of bytes in two bytes, and the bytes."""
    return len(data).to_bytes(2, "big") + data


def expand(message: bytes, tag: bytes, length: int = 64) -> bytes:
    """expand_message_xmd with SHA-512 (RFC 9380 section 5.3.1), for at most one block of output."""
    tag += bytes([len(tag)])
    first = hashlib.sha512(bytes(128) + message + length.to_bytes(2, "big") + b"\0" + tag).digest()
    return hashlib.sha512(first + b"\x01" + tag).digest()[:length]


def hash_to_group(message: bytes) -> bytes:
    """The group element of a message (section 4.1, HashToGroup)."""
    return bytes(rbcl.crypto_core_ristretto255_from_hash(expand(message, b"HashToGroup-" + CONTEXT)))


def hash_to_scalar(message: bytes) -> bytes:
    """The scalar of a message (section 4.1, HashToScalar)."""
    number = int.from_bytes(expand(message, b"HashToScalar-" + CONTEXT), "little")
    return (number % ORDER).to_bytes(32, "little")


def scalar(wide: bytes) -> bytes:
    """The number of 64 bytes, little-endian, modulo the order of the group."""
    return (int.from_bytes(wide, "little") % ORDER).to_bytes(32, "little")


def random_scalar() -> bytes:
    """A random scalar other than zero."""
    return bytes(rbcl.crypto_core_ristretto255_scalar_random())


def is_element(data: bytes) -> bool:
    """Whether bytes are the one form of a group element other than the identity."""
    return len(data) == 32 and any(data) and bool(rbcl.crypto_core_ristretto255_is_valid_point(data))


def times(factor: bytes, element: bytes) -> bytes:
    """A group element multiplied by a scalar."""
    demand(is_element(element), "not a group element")
    demand(len(factor) == 32 and 0 < int.from_bytes(factor, "little") < ORDER, "not a scalar")
    return bytes(rbcl.crypto_scalarmult_ristretto255(factor, element))


def public_value(key: bytes) -> bytes:
    """The generator multiplied by a scalar."""
    return bytes(rbcl.crypto_scalarmult_ristretto255_base(key))


def blinded(message: bytes, blind: bytes) -> bytes:
    """The blinded element of a message (section 3.3.2, Blind)."""
    return times(blind, hash_to_group(message))


def finalize(message: bytes, blind: bytes, evaluated: bytes) -> bytes:
    """The 64 bytes of the function (section 3.3.2, Finalize, after the proof was verified)."""
    unblinded = times(bytes(rbcl.crypto_core_ristretto255_scalar_invert(blind)), evaluated)
    return hashlib.sha512(prefixed(message) + prefixed(unblinded) + b"Finalize").digest()


def composites(public: bytes, element: bytes, evaluated: bytes) -> tuple[bytes, bytes]:
    """The two weighted elements of a proof (section 2.2.1, ComputeComposites, for one pair)."""
    seed = hashlib.sha512(prefixed(public) + prefixed(b"Seed-" + CONTEXT)).digest()
    weight = hash_to_scalar(prefixed(seed) + bytes(2) + prefixed(element) + prefixed(evaluated) + b"Composite")
    return times(weight, element), times(weight, evaluated)


def challenge(parts: list[bytes]) -> bytes:
    """The challenge of a proof (section 2.2.1)."""
    return hash_to_scalar(b"".join(map(prefixed, parts)) + b"Challenge")


def prove(key: bytes, element: bytes, evaluated: bytes, nonce: bytes) -> bytes:
    """The 64 bytes of a proof that `evaluated` is `element`, multiplied by the key (section 2.2.1, GenerateProof)."""
    public = public_value(key)
    first, second = composites(public, element, evaluated)
    part = challenge([public, first, second, public_value(nonce), times(nonce, first)])
    numbers = [int.from_bytes(data, "little") for data in (nonce, part, key)]
    return part + ((numbers[0] - numbers[1] * numbers[2]) % ORDER).to_bytes(32, "little")


def check_proof(proof: bytes, public: bytes, element: bytes, evaluated: bytes) -> None:
    """Demands that a proof holds for a public value (section 2.2.2, VerifyProof)."""
    demand(all(map(is_element, (public, element, evaluated))), "not a group element")
    demand(len(proof) == 64, "not a proof")
    part, response = proof[:32], proof[32:]
    for number in (part, response):
        demand(0 < int.from_bytes(number, "little") < ORDER, "not a scalar")
    first, second = composites(public, element, evaluated)
    add = rbcl.crypto_core_ristretto255_add
    commitments = [bytes(add(public_value(response), times(part, public))),
                   bytes(add(times(response, first), times(part, second)))]
    demand(challenge([public, first, second, *commitments]) == part, "a proof does not hold")
