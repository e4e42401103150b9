"""A client of the wallet provider's protocol: the provider that it trusts, and a wallet."""

from __future__ import annotations

import base64
import http.client
import os
import ssl
import time
import urllib.parse
from dataclasses import dataclass, field
from typing import Callable, Mapping, Sequence, cast

from nacl.public import PrivateKey

from protocol_errors import demand
from protocol_messages import (
    MAXIMUM_MESSAGE, SEALED, WIRE_VERSION, Answer, BlindedPin, Json, PinKey, PinSecrets, Request, SigningKey, check_receipt,
    commitment, decode, encode, enrolment_secret, make_pin_message, make_request, member, new_pin_key, open_share, open_slots, raw,
    read_answer, read_object, seal, sha256, sign, slot_key_message, stretch, subject_public_key_info, unseal, verify, write_json,
)
from protocol_pid import Trust, read_copies

NAMED_PROBLEM = "urn:wallet-provider:problem:"


class Problem(Exception):
    """A refusal without a signature. It changes nothing in the wallet."""

    def __init__(self, status: int, name: str, title: str) -> None:
        super().__init__(f"{status} {name}: {title}")
        self.status, self.name = status, name


# Configuration and update policy


def key_list(value: object, at_least: int = 1) -> dict[str, bytes]:
    """The keys of an array of objects with `id` and `key`; each id must be that of its key."""
    demand(isinstance(value, list) and at_least <= len(value) <= 16, "not 1 to 16 keys")
    keys = {member(entry, "id", str): decode(entry.get("key"), 32) for entry in cast(list[Json], value)}
    demand(all(encode(sha256(key)[:9]) == name for name, key in keys.items()), "the id of a key is not its hash")
    return keys


def anchor_list(value: object) -> list[Json]:
    """The trust anchors of a configuration; their certificates are not judged here."""
    demand(isinstance(value, list) and len(value) <= 256, "not at most 256 trust anchors")
    for entry in cast(list[Json], value):
        demand(1 <= len(member(entry, "name", str).encode()) <= 128, "no name of a trust anchor")
        types = member(entry, "types", list)
        demand((member(entry, "role", str) == "issuer") == bool(types) and len(types) <= 64, "types of another role")
        base64.b64decode(member(entry, "certificate", str), validate=True)
        demand(member(entry, "not_before", int) <= member(entry, "not_after", int), "a trust anchor that never counts")
    return cast(list[Json], value)


class Configuration:
    """A verified configuration."""

    def __init__(self, jws: str, signing_keys: Mapping[str, bytes]) -> None:
        self.claims, self.hash = verify(jws, "wallet-configuration+jwt", signing_keys), encode(sha256(jws))
        demand(self.claims.get("version") == WIRE_VERSION, "another wire version")
        demand(1 <= len(member(self.claims, "provider_id", str).encode()) <= 128, "no provider id")
        self.version = member(self.claims, "configuration_version", int)
        self.valid_until = member(self.claims, "valid_until", int) if "valid_until" in self.claims else None
        self.result_keys, self.certificate_keys, self.encryption_keys, self.evaluator_keys = (
            key_list(self.claims.get(f"{name}_keys")) for name in ("result", "certificate", "encryption", "evaluator"))
        self.use_keys = key_list(self.claims.get("use_keys"))
        self.trust_anchors = anchor_list(self.claims.get("trust_anchors"))
        self.trust = Trust(member(self.claims, "pid_type", str), self.trust_anchors)


@dataclass
class Provider:
    """A provider that an app trusts by the document of `wallet-provider client-configuration`."""

    document: bytes
    timeout: float
    configuration: Configuration = field(init=False)
    policy: Json | None = field(init=False, default=None)
    fetches: int = field(init=False, default=0)
    told: tuple[int, float] = field(init=False, default=(0, 0.0))  # the provider's time, and the clock then

    def __post_init__(self) -> None:
        document = read_object(self.document)
        demand(document.get("schema") == 1, "another schema")
        self.signing_keys = key_list(document.get("configuration_signing_keys"), at_least=2)
        self.configuration = Configuration(member(document, "configuration", str), self.signing_keys)
        self.id: str = self.configuration.claims["provider_id"]
        self.url = urllib.parse.urlsplit(member(document, "provider_url", str))
        loopback = self.url.hostname in ("127.0.0.1", "::1") and document.get("allow_loopback_http") is True
        demand(self.url.scheme == "https" or (self.url.scheme == "http" and loopback), "a URL that may not be used")
        self.tls = ssl.create_default_context(cadata=document.get("certificate_authority"))

    def exchange(self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None,
                 content_type: str = "application/json") -> bytes:
        """Sends one request and returns the body of a success. A problem is raised as Problem."""
        host, port = cast(str, self.url.hostname), self.url.port
        connection = (http.client.HTTPSConnection(host, port, timeout=self.timeout, context=self.tls)
                      if self.url.scheme == "https" else http.client.HTTPConnection(host, port, timeout=self.timeout))
        sent = ({"Content-Type": "application/json"} if body is not None else {}) | dict(headers or {})
        try:
            connection.request(method, self.url.path + path, body, sent)
            answer = connection.getresponse()
            data, received = answer.read(MAXIMUM_MESSAGE * 2), answer.headers.get_content_type()
        finally:
            connection.close()
        if answer.status != 200:
            demand(received == "application/problem+json", f"status {answer.status} without a problem")
            problem = read_object(data)
            name = member(problem, "type", str).removeprefix(NAMED_PROBLEM)
            demand(problem.get("status") == answer.status, "a problem with another status")
            raise Problem(answer.status, name, member(problem, "title", str))
        demand(received == content_type, f"the content type is {received}")
        return data

    def now(self) -> int:
        """The time of the last policy that answered this process, continued by the clock that includes sleep."""
        if self.told[0]:
            return self.told[0] + int(time.clock_gettime(time.CLOCK_BOOTTIME) - self.told[1])
        return int(time.time())

    def accept_policy(self, jws: str, nonce: bytes) -> None:
        """Verifies a policy that answers a nonce, and takes over its time."""
        policy = verify(jws, "wallet-update-policy+jwt", self.signing_keys)
        demand(policy.get("version") == WIRE_VERSION and policy.get("provider_id") == self.id, "another provider's policy")
        demand(policy.get("nonce") == encode(nonce), "a policy without the nonce of the request")
        demand(len(member(policy, "rules", list)) <= 256, "too many rules")
        time_told = member(policy, "iat", int)
        demand(time_told >= self.told[0], "the provider's time goes back")
        self.policy, self.told = policy, (time_told, time.clock_gettime(time.CLOCK_BOOTTIME))

    def accept_configuration(self, jws: str) -> None:
        """Verifies a configuration: signed, of this provider and not older than one that was seen."""
        configuration = Configuration(jws, self.signing_keys)
        demand(configuration.claims["provider_id"] == self.id, "the configuration of another provider")
        demand(configuration.version >= self.configuration.version, "an older configuration")
        self.configuration = configuration

    def may_seal(self) -> bool:
        """Whether something may be sealed under the configuration now."""
        if self.policy is None or self.configuration.valid_until is None:
            return False
        named = self.policy.get("configuration_version"), self.policy.get("configuration_hash")
        until = self.policy.get("valid_until")
        fresh = type(until) is int and self.now() < until and self.now() < self.configuration.valid_until
        newer = type(named[0]) is int and named[0] < self.configuration.version
        return fresh and (newer or named == (self.configuration.version, self.configuration.hash))

    def refresh(self) -> Configuration:
        """The configuration to seal under. Fetches it and the policy if they are not current, at most twice."""
        for _ in range(2):
            if self.may_seal():
                return self.configuration
            nonce = os.urandom(16)
            self.fetches += 1
            policy = self.exchange("GET", "/v2/update-policy", headers={"wallet-nonce": encode(nonce)},
                                   content_type="application/jwt")
            self.accept_policy(policy.decode("ascii"), nonce)
            jws = self.exchange("GET", "/v2/configuration", content_type="application/jwt")
            self.accept_configuration(jws.decode("ascii"))
        demand(self.may_seal(), "the configuration is not current")
        return self.configuration


# The wallet


@dataclass(frozen=True)
class Pin:
    """A PIN in force, or one that a change prepares: its salt and its key."""

    salt: bytes
    key: PinKey


@dataclass(frozen=True)
class Attempt:
    """An evaluation of a PIN that waits for its instruction."""

    challenge: bytes
    secrets: PinSecrets
    evaluation: str
    blinded: bytes
    state: str | None = None  # of a registration

    @property
    def claims(self) -> Json:
        """What the inner claims say of it."""
        return {"evaluation": self.evaluation, "blinded": encode(self.blinded)}


@dataclass(frozen=True)
class NewPin:
    """A new PIN that was evaluated, on its way to being prepared."""

    change: bytes
    pin: Pin
    secrets: PinSecrets
    evaluation: str
    blinded: bytes
    former: SigningKey  # the key of the PIN in force, which signs the preparation


@dataclass
class Wallet:
    """A wallet with an Ed25519 or a P-256 hardware key. Its state is only in memory."""

    provider: Provider
    hardware: SigningKey
    id: str = field(default_factory=lambda: encode(os.urandom(16)))
    sequence: int = 0
    pin: Pin | None = None
    change: tuple[bytes, Pin, Pin] | None = None  # its id, the former and the new PIN
    certificate: Json | None = None

    def claims(self, instruction: str, challenge: bytes | None) -> Json:
        """The claims that both messages have, with the next sequence number."""
        self.sequence += 1
        claims: Json = {"version": WIRE_VERSION, "audience": self.provider.id, "wallet": self.id,
                        "instruction": instruction, "sequence": self.sequence}
        return claims | ({"challenge": encode(challenge)} if challenge is not None else {})

    def make(self, instruction: str, payload: Json, challenge: bytes | None, pin: SigningKey | None = None,
             evaluation: Json = {}, new_key: SigningKey | None = None) -> Request:
        """Makes the request of an instruction: signed, and sealed if its payload is a secret.

        `new_key` is the key of the new PIN in a change.
        """
        claims, data, outer = self.claims(instruction, challenge), write_json(payload), cast(Json, {})
        if pin is not None:
            committed = pin if instruction == "register" else new_key
            opening = os.urandom(32) if committed else None
            if committed and opening:
                outer["pin_key_commitment"] = commitment(committed, opening)
            data = make_pin_message(pin, claims, self.hardware.public, data, evaluation, opening)
        if instruction == "register" or payload.get("instruction") == "register":
            outer["hardware_key"] = encode(subject_public_key_info(self.hardware.public))
        if instruction in SEALED:
            outer["encryption_key"], key = next(iter(self.provider.refresh().encryption_keys.items()))
            data = seal(data, key)
        return make_request(self.hardware, claims | outer, data)

    def send(self, request: Request, path: str | None = None) -> Answer:
        """Sends a request; sends the same bytes once more if the answer is lost or the provider is unavailable."""
        path = path or ("/v2/registrations" if request.instruction == "register" else f"/v2/instructions/{request.instruction}")
        try:
            body = self.provider.exchange("POST", path, request.body)
        except (Problem, OSError, http.client.HTTPException) as error:
            if isinstance(error, Problem) and error.status not in (500, 502, 503, 504):
                raise
            body = self.provider.exchange("POST", path, request.body)
        answer = read_answer(body, request, self.provider.configuration.result_keys)
        if answer.kind == "sequence_refused":
            current = member(answer.outcome, "current", int)
            sent = cast(int, request.claims["sequence"])
            demand(sent <= current < 2**53 - 2**24 or sent - current > 2**24, "a sequence number that cannot be followed")
            self.sequence = max(self.sequence, current) if sent <= current else current
        return answer

    def fetch_challenge(self, instruction: str) -> bytes:
        """Asks for a challenge for an instruction that is no attempt. A refused sequence number is corrected once."""
        result = self.send(self.make("challenge", {"instruction": instruction}, None))
        if result.kind == "sequence_refused":
            result = self.send(self.make("challenge", {"instruction": instruction}, None))
        demand(result.kind == "challenge" and "evaluation" not in result.outcome, result.kind)
        return decode(result.outcome.get("challenge"), 32)

    def challenge_payload(self, instruction: str, blinded: BlindedPin, pin: Pin | None = None) -> Json:
        """The payload of `challenge` for an attempt, with a PIN key of this wallet."""
        key = cast(Pin, pin or self.pin).key
        return {"instruction": instruction, "key": key.id, "blinded": encode(blinded.element)}

    def begin(self, instruction: str, stretched: bytes, pin: Pin | None = None) -> Attempt | Answer:
        """Begins an attempt at the PIN. Returns the answer if none is allowed."""
        blinded = BlindedPin.random(stretched)
        payload = self.challenge_payload(instruction, blinded, pin)
        answer = self.send(self.make("challenge", payload, None))
        if answer.kind == "sequence_refused":
            answer = self.send(self.make("challenge", payload, None))
        return answer if answer.kind != "challenge" else self.opened(answer, blinded, cast(Pin, pin or self.pin).key)

    def opened(self, answer: Answer, blinded: BlindedPin, key: PinKey) -> Attempt:
        """The attempt of an answer with an evaluation, whose proofs are checked."""
        evaluation = member(answer.outcome, "evaluation", dict)
        name = member(evaluation["evaluator"], "evaluation", str) if isinstance(evaluation.get("evaluator"), dict) else ""
        return Attempt(decode(answer.outcome.get("challenge"), 32), blinded.open(evaluation, key), name, blinded.element,
                       answer.outcome.get("registration_state"))

    def answer(self, attempt: Attempt, instruction: str, more: Json = {}, evaluation: Json = {},
               pin: SigningKey | None = None) -> tuple[Request, PrivateKey]:
        """Makes the instruction of an attempt, with the payload `more` besides the recipient of the share."""
        recipient = PrivateKey.generate()
        payload = {"share_recipient": encode(bytes(recipient.public_key))} | more
        request = self.make(instruction, payload, attempt.challenge, pin or attempt.secrets.key, attempt.claims | evaluation)
        return request, recipient

    def attempt(self, instruction: str, stretched: bytes, more: Json = {}, evaluation: Json = {},
                pin: Pin | None = None) -> tuple[Answer, bytes | None, Attempt | None]:
        """Carries out an instruction that is an attempt at the PIN."""
        attempt = self.begin(instruction, stretched, pin)
        if isinstance(attempt, Answer):
            return attempt, None, None
        request, recipient = self.answer(attempt, instruction, more, evaluation)
        answer = self.send(request)
        return answer, open_share(answer, recipient), attempt

    def instruct(self, instruction: str, make_payload: Json | Callable[[bytes], Json], pin: SigningKey | None = None) -> Answer:
        """Fetches a challenge, makes the request, sends it and verifies the answer."""
        challenge = self.fetch_challenge(instruction)
        payload = make_payload(challenge) if callable(make_payload) else make_payload
        return self.send(self.make(instruction, payload, challenge, pin))

    def stretch(self, pin: str, salt: bytes | None = None) -> bytes:
        """Stretches a PIN with the work of the configuration."""
        work = self.provider.refresh().claims
        return stretch(pin, salt or cast(Pin, self.pin).salt, member(work, "pin_key_passes", int),
                       member(work, "pin_key_memory_bytes", int))

    def open_registration(self, pin: str) -> tuple[Attempt, Pin]:
        """Gets the challenge of a registration: a new PIN key, and one evaluation of the PIN."""
        salt = os.urandom(16)
        blinded = BlindedPin.random(self.stretch(pin, salt))
        request = self.make("challenge", {"instruction": "register", "blinded": encode(blinded.element)}, None)
        answer = self.send(request, "/v2/registrations/challenge")
        demand(answer.kind == "challenge", answer.kind)
        key = new_pin_key(member(answer.outcome, "evaluation", dict), self.hardware.public,
                          self.provider.configuration.evaluator_keys)
        attempt = self.opened(answer, blinded, key)
        demand(isinstance(attempt.state, str), "no state of the registration")
        return attempt, Pin(salt, key)

    def register(self, pin: str) -> tuple[Answer, bytes | None]:
        """Registers with a PIN; verifies the certificate and takes over the wallet's id."""
        registration = self.id
        attempt, made = self.open_registration(pin)
        request, recipient = self.answer(attempt, "register", {"registration_state": attempt.state})
        answer = self.send(request)
        share = open_share(answer, recipient)
        if answer.kind == "registered":
            check_receipt(member(answer.outcome, "receipt", str), made.key, member(request.claims, "pin_key_commitment", str))
            keys = self.provider.configuration.certificate_keys
            certificate = verify(answer.outcome.get("certificate"), "wallet-certificate+jwt", keys)
            hardware = encode(sha256(subject_public_key_info(self.hardware.public)))
            demand(certificate.get("version") == WIRE_VERSION and certificate.get("issuer") == self.provider.id
                   and certificate.get("registration") == registration
                   and certificate.get("hardware_key_hash") == hardware, "the certificate of another registration")
            member(certificate, "iat", int), member(certificate, "attested", bool)
            self.id, self.certificate, self.pin = member(certificate, "wallet", str), certificate, made
        return answer, share

    def confirm(self) -> Answer:
        """Confirms the registration."""
        return self.instruct("confirm_registration", {})

    def check_pin(self, pin: str) -> tuple[Answer, bytes | None]:
        """Checks a PIN; returns the share if it is right."""
        return self.attempt("check_pin", self.stretch(pin))[:2]

    def pin_state(self) -> Answer:
        """Asks whether a PIN is accepted now."""
        return self.instruct("pin_state", {})

    def begin_pin_change(self, pin: str, new_pin: str) -> tuple[Answer, bytes | None, NewPin | None]:
        """First step of a change of the PIN: the former PIN is checked, and the new one is evaluated."""
        change, new_salt = os.urandom(16), os.urandom(16)
        blinded = BlindedPin.random(self.stretch(new_pin, new_salt))
        answer, share, attempt = self.attempt("begin_pin_change", self.stretch(pin), {"change": encode(change)},
                                              {"new_blinded": encode(blinded.element)})
        if answer.kind != "valid" or attempt is None:
            return answer, share, None
        evaluation = member(answer.outcome, "evaluation", dict)
        key = new_pin_key(evaluation, self.hardware.public, self.provider.configuration.evaluator_keys,
                          cast(Pin, self.pin).key)
        new = NewPin(change, Pin(new_salt, key), blinded.open(evaluation, key), evaluation["evaluator"]["evaluation"],
                     blinded.element, attempt.secrets.key)
        self.change = change, cast(Pin, self.pin), new.pin
        return answer, share, new

    def prepare_pin_change(self, new: NewPin, altered: Json = {}, signer: SigningKey | None = None,
                           pin: SigningKey | None = None) -> tuple[Answer, bytes | None]:
        """Second step: the new key is stored. The new PIN is in force once the answer is `valid`."""
        recipient, challenge = PrivateKey.generate(), self.fetch_challenge("prepare_pin_change")
        proof = {"version": WIRE_VERSION, "audience": self.provider.id, "wallet": self.id, "challenge": encode(challenge),
                 "change": encode(new.change), "evaluation": new.evaluation, "blinded": encode(new.blinded)} | altered
        key = new.secrets.key
        payload = {"share_recipient": encode(bytes(recipient.public_key)), "change": encode(new.change),
                   "new_pin_public_key": encode(raw(key)), "proof": sign(signer or key, "wallet-new-pin-key-proof+jwt", proof)}
        answer = self.send(self.make("prepare_pin_change", payload, challenge, pin or new.former, new_key=key))
        self.pin = new.pin if answer.kind == "valid" else self.pin
        return answer, open_share(answer, recipient)

    def end_pin_change(self, instruction: str) -> Answer:
        """Commits the change of the PIN, or cancels it; the answer says which PIN is in force."""
        demand(self.change, "no change of the PIN")
        change, former, new = cast(tuple[bytes, Pin, Pin], self.change)
        answer = self.instruct(instruction, {"change": encode(change)})
        if answer.kind in ("pin_change_committed", "pin_change_cancelled"):
            self.pin, self.change = new if answer.kind == "pin_change_committed" else former, None
        return answer

    def commit_pin_change(self) -> Answer:
        """Last step: the provider deletes the former key."""
        return self.end_pin_change("commit_pin_change")

    def cancel_pin_change(self) -> Answer:
        """Cancels the change before its commit; a wallet does so if an answer was lost."""
        return self.end_pin_change("cancel_pin_change")

    def decide_replacement(self, pin: str, session: str, decision: str) -> Answer:
        """Allows or refuses the wallet of a `replacement` that an answer told of."""
        return self.attempt("decide_replacement", self.stretch(pin), {"session": session, "decision": decision})[0]

    def slot(self, key: bytes, wallet: str | None = None) -> Json:
        """A slot with this key, of this wallet or another one, sealed to the first use key."""
        name, public = next(iter(self.provider.configuration.use_keys.items()))
        message = slot_key_message(wallet or self.id, os.urandom(16), key)
        return {"use_key": name, "box": encode(seal(message, public))}

    def authorize_use(self, pin: str, slots: Sequence[Json]) -> tuple[Answer, list[bytes | str]]:
        """Authorises a use of cards; returns the slot keys if the PIN is right."""
        payload = {"purpose": "presentation", "act": encode(os.urandom(32)), "slots": list(slots)}
        attempt = self.begin("authorize_use", self.stretch(pin))
        if isinstance(attempt, Answer):
            return attempt, []
        request, recipient = self.answer(attempt, "authorize_use", payload)
        answer = self.send(request)
        return answer, open_slots(answer, recipient) if answer.kind == "authorized" else []

    def delete(self) -> Answer:
        """Deletes the wallet at the provider."""
        return self.instruct("delete_wallet", {})

    def claim(self, link: str) -> Answer:
        """Claims the enrolment code of a link."""
        secret = enrolment_secret(link, self.provider.configuration.claims["proofing_hosts"])
        return self.instruct("claim_enrolment_code", lambda challenge: {
            "wallet": self.id, "challenge": encode(challenge), "secret": encode(secret)})

    def submit(self, session: str, evidence: Json, idempotency_key: bytes) -> Answer:
        """Submits evidence; the same evidence has the same idempotency key."""
        return self.instruct("submit_evidence", lambda challenge: {
            "wallet": self.id, "challenge": encode(challenge), "session": session,
            "idempotency_key": encode(idempotency_key), "evidence": evidence})

    def status(self, session: str) -> Answer:
        """Asks for the state of a proofing."""
        return self.instruct("proofing_status", {"session": session})

    def release(self, session: str) -> Answer:
        """Releases a claim."""
        return self.instruct("release_claim", {"session": session})

    def issue_pid(self, session: str, keys: Sequence[SigningKey]) -> tuple[Answer, list[str]]:
        """Asks for the PID, a copy for each key; opens and verifies it. No copies if there is none."""
        recipient = PrivateKey.generate()

        def payload(challenge: bytes) -> Json:
            proof = {"version": WIRE_VERSION, "audience": self.provider.id, "wallet": self.id,
                     "session": session, "challenge": encode(challenge)}
            return {"session": session, "recipient": encode(bytes(recipient.public_key)), "keys": [
                {"key": encode(subject_public_key_info(key.public)), "proof": sign(key, "wallet-pid-key-proof+jwt", proof)}
                for key in keys]}

        answer = self.instruct("issue_pid", payload)
        if answer.kind != "pid":
            return answer, []
        copies = member(read_object(unseal(decode(answer.outcome.get("pid")), recipient)), "copies", list)
        read_copies(copies, self.provider.configuration.trust, [key.public for key in keys], self.provider.now())
        return answer, copies
