"""The messages of the wallet provider's protocol, written from its articles protocol.md and messages.md."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import urllib.parse
from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence, TypeVar, cast

import nacl.pwhash.argon2id
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from nacl.exceptions import CryptoError
from nacl.public import Box, PrivateKey, PublicKey, SealedBox

import protocol_oprf as oprf
from protocol_errors import ProtocolError, demand

Json = dict[str, Any]
PublicSignatureKey = ed25519.Ed25519PublicKey | ec.EllipticCurvePublicKey
T = TypeVar("T")
WIRE_VERSION = 2
MAXIMUM_MESSAGE = 262_144
INSTRUCTION, PIN_INSTRUCTION = "wallet-instruction+jwt", "wallet-pin-instruction+jwt"
PIN_INSTRUCTIONS = (
    "register", "check_pin", "begin_pin_change", "prepare_pin_change", "decide_replacement", "authorize_use")
ATTEMPTS = ("check_pin", "begin_pin_change", "decide_replacement", "authorize_use")  # their challenge comes with an evaluation
SEALED = (*PIN_INSTRUCTIONS, "claim_enrolment_code", "submit_evidence", "issue_pid")
OUTCOMES = {  # the kinds that messages.md allows to each instruction, besides the two of any
    "challenge": ("challenge", "blocked", "blocked_permanently"), "prepare_pin_change": ("valid",), "register": ("registered", "already_registered"),
    "confirm_registration": ("confirmed",), "pin_state": ("not_blocked", "blocked", "blocked_permanently"),
    "commit_pin_change": ("pin_change_committed", "unknown_pin_change"),
    "cancel_pin_change": ("pin_change_cancelled", "pin_change_committed"), "delete_wallet": ("deleted",),
    "claim_enrolment_code": ("claimed", "code_refused"), "release_claim": ("released",),
    "submit_evidence": ("proofing",), "proofing_status": ("proofing",), "issue_pid": ("pid", "proofing"),
} | dict.fromkeys(ATTEMPTS, ("valid", "wrong", "blocked", "blocked_permanently")) | {
    "authorize_use": ("authorized", "wrong", "blocked", "blocked_permanently")}


# Bytes and JSON


def encode(data: bytes) -> str:
    """The base64url of bytes, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: object, length: int | None = None) -> bytes:
    """The bytes of a base64url text in its one spelling, of a given length if there is one."""
    demand(isinstance(text, str) and re.fullmatch(r"[A-Za-z0-9_-]*", text), "not base64url")
    text = cast(str, text)
    demand(len(text) % 4 != 1, "not base64url")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    demand(encode(data) == text, "base64url with bits that are not zero at the end")
    demand(length is None or len(data) == length, "wrong number of bytes")
    return data


def sha256(data: bytes | str) -> bytes:
    """The SHA-256 of bytes, or of an ASCII text."""
    return hashlib.sha256(data.encode("ascii") if isinstance(data, str) else data).digest()


def write_json(value: object) -> bytes:
    """JSON with sorted members and without white space."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def read_json(data: bytes) -> Any:
    """Reads JSON strictly, as the section JSON of messages.md demands."""

    def members(pairs: list[tuple[str, Any]]) -> Json:
        demand(len({name for name, _ in pairs}) == len(pairs), "two members of one name")
        return dict(pairs)

    def number(text: str) -> int:
        demand(text != "-0" and len(text) < 21 and -(2**63) <= int(text) < 2**63, "not a number of 64 bits")
        return int(text)

    def refuse(text: str) -> Any:
        raise ProtocolError(f"not a whole number: {text}")

    def check(value: Any, depth: int) -> None:
        if isinstance(value, str):
            value.encode()  # refuses a lone surrogate
        elif isinstance(value, (dict, list)):
            demand(depth < 8, "nested too deep")
            for item in [*value, *value.values()] if isinstance(value, dict) else value:
                check(item, depth + 1)

    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=members, parse_int=number,
                           parse_float=refuse, parse_constant=refuse)
        check(value, 0)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"not JSON: {error}") from error
    return value


def read_object(data: bytes) -> Json:
    """Reads a JSON object strictly."""
    value = read_json(data)
    demand(isinstance(value, dict), "not a JSON object")
    return cast(Json, value)


def member(values: Mapping[str, Any], name: str, kind: type[T]) -> T:
    """A member that must be there and have the type."""
    value = values.get(name)
    demand(type(value) is kind, f"{name} is missing or has another type")
    return cast(T, value)


# Keys and signatures


class SigningKey:
    """A private key for signatures: Ed25519 or P-256."""

    def __init__(self, key: ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey) -> None:
        self.key, self.public = key, key.public_key()
        self.algorithm = "EdDSA" if isinstance(key, ed25519.Ed25519PrivateKey) else "ES256"

    @classmethod
    def ed25519(cls, seed: bytes | None = None) -> SigningKey:
        """The Ed25519 key of a seed, or a random one."""
        return cls(ed25519.Ed25519PrivateKey.from_private_bytes(seed or os.urandom(32)))

    @classmethod
    def p256(cls) -> SigningKey:
        """A random P-256 key."""
        return cls(ec.generate_private_key(ec.SECP256R1()))

    def sign(self, data: bytes) -> bytes:
        """The 64 bytes of a signature; of ES256 these are r and s."""
        if isinstance(self.key, ed25519.Ed25519PrivateKey):
            return self.key.sign(data)
        r, s = decode_dss_signature(self.key.sign(data, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def subject_public_key_info(key: PublicSignatureKey) -> bytes:
    """The DER SubjectPublicKeyInfo of a key."""
    return key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def raw(key: SigningKey) -> bytes:
    """The 32 bytes of an Ed25519 public key."""
    return cast(ed25519.Ed25519PublicKey, key.public).public_bytes_raw()


def sign(key: SigningKey, typ: str, content: Json, kid: str | None = None) -> str:
    """A compact JWS."""
    header = {"alg": key.algorithm, "typ": typ} | ({"kid": kid} if kid else {})
    text = encode(write_json(header)) + "." + encode(write_json(content))
    return text + "." + encode(key.sign(text.encode()))


def verify(jws: object, typ: str, keys: PublicSignatureKey | Mapping[str, bytes]) -> Json:
    """The content of a compact JWS that the key, or the Ed25519 key that `kid` names, has signed."""
    demand(isinstance(jws, str) and len(jws) <= MAXIMUM_MESSAGE and jws.count(".") == 2, "not a compact JWS")
    head, content, signature = cast(str, jws).split(".")
    header = read_object(decode(head))
    if isinstance(keys, Mapping):
        demand(set(header) == {"alg", "typ", "kid"}, "another header")
        demand(isinstance(header["kid"], str) and header["kid"] in keys, "signed by an unknown key")
        key: PublicSignatureKey = ed25519.Ed25519PublicKey.from_public_bytes(keys[header["kid"]])
    else:
        demand(set(header) == {"alg", "typ"}, "another header")
        key = keys
    demand(header["typ"] == typ, "another typ")
    check_signature(key, header["alg"], decode(signature, 64), f"{head}.{content}".encode())
    return read_object(decode(content))


def check_signature(key: PublicSignatureKey, algorithm: object, raw: bytes, signed: bytes) -> None:
    """Demands that the key, whose algorithm is the named one, has signed the bytes."""
    try:
        if isinstance(key, ed25519.Ed25519PublicKey):
            demand(algorithm == "EdDSA", "another algorithm")
            key.verify(raw, signed)
        else:
            demand(algorithm == "ES256", "another algorithm")
            der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
            key.verify(der, signed, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature as error:
        raise ProtocolError("the signature does not verify") from error


def seal(data: bytes, recipient: bytes, ephemeral: PrivateKey | None = None) -> bytes:
    """Seals bytes to an X25519 key, with a new ephemeral key unless one is given."""
    ephemeral = ephemeral or PrivateKey.generate()
    public = bytes(ephemeral.public_key)
    nonce = hashlib.blake2b(public + recipient, digest_size=24).digest()
    return public + Box(ephemeral, PublicKey(recipient)).encrypt(data, nonce).ciphertext


def unseal(data: bytes, recipient: PrivateKey) -> bytes:
    """Opens bytes that are sealed to a key."""
    try:
        return SealedBox(recipient).decrypt(data)
    except CryptoError as error:
        raise ProtocolError("a sealed box does not open") from error


# The PIN


def stretch(pin: str, salt: bytes, passes: int = 3, memory: int = 67_108_864) -> bytes:
    """Stretches a PIN with the work that a configuration sets, within the wallet's limits."""
    demand(re.fullmatch(r"[0-9]{6}", pin) and len(salt) == 16, "not a PIN of six digits, or not a salt")
    passes, memory = min(max(passes, 3), 10), min(max(memory, 67_108_864), 268_435_456)
    return nacl.pwhash.argon2id.kdf(32, pin.encode(), salt, opslimit=passes, memlimit=memory)


def derive(key: bytes, purpose: str, secret: bytes = b"") -> bytes:
    """32 bytes for one purpose: keyed BLAKE2b of the purpose, a zero byte and a further secret."""
    return hashlib.blake2b(purpose.encode() + b"\0" + secret, key=key, digest_size=32).digest()


@dataclass(frozen=True)
class PinSecrets:
    """What an evaluated PIN becomes."""

    output: bytes

    @property
    def key(self) -> SigningKey:
        """The PIN key."""
        return SigningKey.ed25519(derive(self.output, "wallet_core/2/pin-key"))

    def wrapping_key(self, share: bytes) -> bytes:
        """The key that wraps the vault key."""
        return derive(derive(self.output, "wallet_core/2/pin-wrapping"), "wallet_core/2/vault", share)


@dataclass(frozen=True)
class PinKey:
    """What a wallet knows of a PIN key without the PIN."""

    id: str
    evaluator_value: bytes
    provider_value: bytes
    grant_key: bytes = field(default=b"", compare=False)  # the public key that signed the grant


@dataclass(frozen=True)
class BlindedPin:
    """A stretched PIN, blinded for one evaluation."""

    stretched: bytes
    blind: bytes

    @classmethod
    def random(cls, stretched: bytes) -> BlindedPin:
        """Blinds with a random scalar."""
        return cls(stretched, oprf.random_scalar())

    @property
    def element(self) -> bytes:
        """The element that is sent."""
        return oprf.blinded(self.stretched, self.blind)

    def open(self, evaluation: Json, key: PinKey) -> PinSecrets:
        """Checks both proofs of an evaluation by this PIN key, and finishes it."""
        half = member(evaluation, "evaluator", dict)
        demand(half.get("key") == key.id, "the evaluation of another PIN key")
        member(half, "evaluation", str)
        once, last = decode(half.get("element"), 32), decode(evaluation.get("element"), 32)
        oprf.check_proof(decode(half.get("proof"), 64), key.evaluator_value, self.element, once)
        oprf.check_proof(decode(evaluation.get("proof"), 64), key.provider_value, once, last)
        return PinSecrets(oprf.finalize(self.stretched, self.blind, last))


def new_pin_key(evaluation: Json, hardware: PublicSignatureKey, evaluator_keys: Mapping[str, bytes],
                former: PinKey | None = None) -> PinKey:
    """The PIN key that the evaluator grants to a hardware key in its first evaluation.

    In a change of the PIN, the key that granted the former PIN key must have signed the grant too.
    """
    half, typ = member(evaluation, "evaluator", dict), "wallet-evaluator-grant+jwt"
    grant = verify(half.get("grant"), typ, evaluator_keys)
    texts = [half["grant"], *half.get("other_grants", [])]
    signer = next(key for key in evaluator_keys.values() if is_signed(texts[0], typ, key, grant))
    demand(former is None or any(is_signed(text, typ, former.grant_key, grant) for text in texts),
           "a grant of another evaluator")
    demand(grant.get("version") == WIRE_VERSION and grant.get("key") == half.get("key"), "the grant of another key")
    demand(grant.get("replaces") == (former.id if former else None), "the grant in the place of another key")
    demand(decode(grant.get("grant_key"), 32) == signer, "a grant that somebody else signed again")
    demand(grant.get("hardware_key_hash") == encode(sha256(subject_public_key_info(hardware))),
           "the grant of another hardware key")
    return PinKey(member(grant, "key", str), decode(grant.get("public_value"), 32), decode(evaluation.get("public_value"), 32),
                  signer)


def is_signed(text: str, typ: str, key: bytes, content: Json) -> bool:
    """Whether this key signed this content, by whatever name."""
    try:
        return verify(text, typ, {member(read_object(decode(text.split(".")[0])), "kid", str): key}) == content
    except ProtocolError:
        return False


def check_receipt(receipt: str, key: PinKey, commitment: str) -> None:
    """Checks that the evaluator says that it has adopted this PIN key, with the wallet's commitment."""
    typ, name = "wallet-evaluator-receipt+jwt", member(read_object(decode(receipt.split(".")[0])), "kid", str)
    content = verify(receipt, typ, {name: key.grant_key})
    demand(content.get("version") == WIRE_VERSION and content.get("key") == key.id, "the receipt of another key")
    demand(content.get("pin_key_commitment") == commitment, "the receipt of another adoption")


# Requests and answers


@dataclass(frozen=True)
class Request:
    """A request that was made: its instruction, its claims and the bytes that are sent."""

    claims: Json
    signature: str
    body: bytes

    @property
    def instruction(self) -> str:
        """The name of the instruction."""
        return cast(str, self.claims["instruction"])


def make_request(hardware: SigningKey, claims: Json, payload: bytes) -> Request:
    """Signs the claims with the hash of the payload."""
    claims = claims | {"payload_hash": encode(sha256(payload))}
    signature = sign(hardware, INSTRUCTION, claims)
    return Request(claims, signature, write_json({"signature": signature, "payload": encode(payload)}))


def commitment(key: SigningKey, opening: bytes) -> str:
    """What the outer claims have of a PIN key."""
    return encode(sha256(opening + raw(key)))


def make_pin_message(pin: SigningKey, claims: Json, hardware: PublicSignatureKey, payload: bytes,
                     evaluation: Json = {}, opening: bytes | None = None) -> bytes:
    """The inner message of a PIN instruction; of `register` it has the PIN key.

    `evaluation` has the members `evaluation`, `blinded` and `new_blinded` of an attempt or a registration; `opening` is
    that of the commitment in `register` and `prepare_pin_change`.
    """
    spki = encode(subject_public_key_info(hardware))
    claims = claims | evaluation | {"payload_hash": encode(sha256(payload)), "hardware_key": spki}
    message = {"signature": sign(pin, PIN_INSTRUCTION, claims), "payload": encode(payload)}
    message |= {} if opening is None else {"pin_key_opening": encode(opening)}
    return write_json(message | ({"pin_public_key": encode(raw(pin))} if claims["instruction"] == "register" else {}))


@dataclass(frozen=True)
class Answer:
    """A verified result."""

    kind: str
    outcome: Json
    replacement: Json | None = None


def read_answer(body: bytes, request: Request, result_keys: Mapping[str, bytes]) -> Answer:
    """Verifies a result and that it answers this request."""
    result = verify(read_object(body).get("result"), "wallet-instruction-result+jwt", result_keys)
    claims = request.claims
    expected = {name: claims.get(name) for name in ("version", "wallet", "instruction", "challenge", "sequence")}
    expected |= {"issuer": claims["audience"], "request_hash": encode(sha256(request.signature))}
    for name, value in expected.items():
        demand(type(result.get(name)) is type(value) and result.get(name) == value, f"the answer has another {name}")
    outcome = member(result, "outcome", dict)
    kind = member(outcome, "kind", str)
    allowed = (*OUTCOMES[request.instruction], "sequence_refused", "unknown_wallet")
    demand(kind in allowed, f"{kind} is no answer to {request.instruction}")
    return Answer(kind, outcome, result.get("replacement"))


def open_share(answer: Answer, recipient: PrivateKey) -> bytes | None:
    """The 32 bytes of the share of an answer that has one."""
    if answer.kind not in ("registered", "valid"):
        return None
    share = unseal(decode(answer.outcome.get("share")), recipient)
    demand(len(share) == 32, "not a share")
    return share


def slot_key_message(wallet: str, copy: bytes, key: bytes) -> bytes:
    """What a wallet seals to a use key for a copy of a card."""
    return b"\x01" + sha256(wallet) + copy + key


def open_slots(answer: Answer, recipient: PrivateKey) -> list[bytes | str]:
    """For each slot of an answer its key, or why there is none."""
    keys = unseal(decode(answer.outcome.get("keys")), recipient)
    slots = member(answer.outcome, "slots", list)
    demand(len(keys) == 32 * slots.count("opened"), "another number of keys")
    demand(set(slots) <= {"opened", "unknown_key", "does_not_open"}, "an unknown verdict")
    parts = iter([keys[start:start + 32] for start in range(0, len(keys), 32)])
    return [next(parts) if verdict == "opened" else verdict for verdict in slots]


def enrolment_secret(link: str, hosts: Sequence[str]) -> bytes:
    """The secret of an enrolment link on one of the proofing hosts."""
    parts = urllib.parse.urlsplit(link)
    demand(parts.scheme == "https" and parts.path == "/b" and parts.netloc in hosts, "not an enrolment link")
    fields = dict(urllib.parse.parse_qsl(parts.fragment, strict_parsing=True))
    demand(fields.get("v") == "1", "another version of the link")
    secret = decode(fields.get("n"))
    demand(16 <= len(secret) <= 32, "not a secret")
    return secret
