"""Checks the worked examples of message-examples.md and the behaviour of a running wallet provider.

Usage: protocol_test.py EXAMPLES_ARTICLE CONFIGURATION_JSON URL PROVIDER_COMMAND DATA_DIRECTORY
"""

from __future__ import annotations

import datetime
import os
import re
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Callable, Iterator, cast

from nacl.public import PrivateKey

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Support"))
from patience import PATIENCE  # the one deadline of all tests
import protocol_oprf as oprf
from protocol_client import Attempt, Configuration, Pin, Problem, Provider, Wallet
from protocol_errors import ProtocolError
from protocol_messages import (
    ATTEMPTS, INSTRUCTION, PIN_INSTRUCTION, PIN_INSTRUCTIONS, SEALED, Answer, BlindedPin, Json, PinKey, PinSecrets, Request,
    SigningKey, check_receipt, commitment, decode, encode, make_pin_message, make_request, member, new_pin_key,
    open_share, open_slots, raw, read_answer, read_json, read_object, seal, sha256, sign,
    slot_key_message, stretch, subject_public_key_info, unseal, verify, write_json,
)
from protocol_pid import Trust, entry, jwk, present, read_copies, read_presentation

PIN, WRONG_PIN, NEW_PIN = "246813", "864209", "135792"
results: list[bool] = []


@contextmanager
def check(name: str) -> Iterator[None]:
    """One check: prints its line, and why it failed."""
    try:
        yield
    except Exception as error:  # the next checks still run
        results.append(False)
        reason = f"{type(error).__name__}: {error}".splitlines() or ["failed"]
        frame = error.__traceback__
        while frame and frame.tb_next and frame.tb_next.tb_frame.f_code.co_filename == __file__:
            frame = frame.tb_next
        print(f"not ok - {name}", *(f"  # {line}" for line in reason), f"  # line {frame.tb_lineno if frame else 0}",
              sep="\n", flush=True)
    else:
        results.append(True)
        print(f"ok - {name}", flush=True)


def same(actual: object, expected: object, what: str = "value") -> None:
    """Fails unless two values are the same."""
    if type(actual) is not type(expected) or actual != expected:
        raise AssertionError(f"{what} is {str(actual)[:300]}, not {str(expected)[:300]}")


def refused(action: Callable[[], object]) -> None:
    """Fails unless the client refuses something."""
    try:
        value = action()
    except ProtocolError:
        return
    raise AssertionError(f"accepted: {str(value)[:300]}")


def problem(name: str, status: int, action: Callable[[], object]) -> None:
    """Fails unless the provider answers with this problem."""
    try:
        value = action()
    except Problem as error:
        same((error.name, error.status), (name, status), "the problem")
        return
    raise AssertionError(f"answered: {str(value)[:300]}")


# The worked examples


def seed(name: str) -> bytes:
    """The seed of a name in the worked examples."""
    return sha256(f"wallet_core example: {name}")


def key_id(key: SigningKey) -> str:
    """The id of a provider's key."""
    return encode(sha256(raw(key))[:9])


def challenge_of(name: str) -> str:
    """The challenge of an instruction in the worked examples."""
    return encode(seed(f"challenge of {name}"))


def read_examples(path: str) -> dict[str, dict[str, str]]:
    """The texts of the article, by section and label."""
    with open(path, encoding="utf-8") as file:
        article = file.read()
    sections: dict[str, dict[str, str]] = {}
    section: dict[str, str] = {}
    pattern = r"^## \d+\. ([^\n]+)$|^([^\n`#]+)\n\n```text\n([^\n]*)\n```$"
    for found in re.finditer(pattern, article, re.MULTILINE):
        if found[1]:
            section = sections.setdefault(found[1].strip("`"), {})
        else:
            section[found[2]] = found[3]
    return sections


def scalar_of(name: str) -> bytes:
    """The scalar of a name in the worked examples."""
    data = seed(name)
    return data[:31] + bytes([data[31] & 0x0F])


class ExamplePin:
    """A PIN of the worked examples, with both halves of its key."""

    def __init__(self, digits: str, prefix: str = "") -> None:
        self.digits, self.salt, self.id = digits, seed(f"{prefix}salt")[:16], encode(seed(f"{prefix}PIN key")[:16])
        self.stretched = stretch(digits, self.salt)
        self.evaluator, self.provider = scalar_of(f"{prefix}evaluator's half"), scalar_of(f"{prefix}provider's half")
        self.key = PinKey(self.id, oprf.public_value(self.evaluator), oprf.public_value(self.provider),
                          raw(SigningKey.ed25519(seed("evaluator key"))))
        # The function without a blind: the hash of the PIN multiplied by both halves.
        both = oprf.times(self.provider, oprf.times(self.evaluator, oprf.hash_to_group(self.stretched)))
        self.secrets = PinSecrets(oprf.finalize(self.stretched, (1).to_bytes(32, "little"), both))

    def blinded(self, name: str) -> BlindedPin:
        """The PIN, blinded for the evaluation of that name."""
        return BlindedPin(self.stretched, scalar_of(f"blind of {name}"))

    def evaluation(self, name: str, grant: str | None = None) -> Json:
        """The evaluation of that name, as evaluator and provider make it."""
        element = self.blinded(name).element
        once = oprf.times(self.evaluator, element)
        last = oprf.times(self.provider, once)
        half = {"key": self.id, "evaluation": evaluation_of(name), "element": encode(once), "proof": encode(
            oprf.prove(self.evaluator, element, once, scalar_of(f"proof of the evaluator, {name}")))}
        whole = {"evaluator": half | ({"grant": grant} if grant else {}), "element": encode(last), "proof": encode(
            oprf.prove(self.provider, once, last, scalar_of(f"proof of the provider, {name}")))}
        return whole | ({"public_value": encode(self.key.provider_value)} if grant else {})


def evaluation_of(name: str) -> str:
    """The id of an evaluation in the worked examples."""
    return encode(seed(f"evaluation of {name}")[:16])


def check_examples(path: str) -> None:
    """Recomputes every worked example from its seeds."""
    sections = read_examples(path)
    names = ("hardware key", "result key", "certificate key", "evaluator key")
    hardware, result_key, certificate_key, evaluator_key = (SigningKey.ed25519(seed(name)) for name in names)
    signers = [SigningKey.ed25519(seed(f"configuration-signing key {number}")) for number in (1, 2)]
    encryption, recipient = PrivateKey(seed("encryption key")), PrivateKey(seed("recipient"))
    use = PrivateKey(seed("use key"))
    first_pin, second_pin = ExamplePin("246813"), ExamplePin("135792", "new ")
    pin, new_pin = first_pin.secrets.key, second_pin.secrets.key
    public = {key_id(key): raw(key) for key in (result_key, certificate_key, *signers)}
    encryption_id = encode(sha256(bytes(encryption.public_key))[:9])

    with check("example: the keys follow from the seeds"):
        same(sections["Keys"], {
            "hardware key": encode(subject_public_key_info(hardware.public)),
            "recipient": encode(bytes(recipient.public_key)),
            "secret half of the recipient": encode(bytes(recipient)),
            "encryption key": encode(bytes(encryption.public_key)),
            "secret half of the encryption key": encode(bytes(encryption)),
            "use key": encode(bytes(use.public_key)), "secret half of the use key": encode(bytes(use))})
    for item in (first_pin, second_pin):
        with check(f"example: what the PIN {item.digits} becomes follows from the seeds"):
            same(sections[f"PIN {item.digits}"], {
                "salt": encode(item.salt), "stretched PIN": encode(item.stretched), "id of the PIN key": item.id,
                "evaluator's half": encode(item.evaluator), "its public value": encode(item.key.evaluator_value),
                "provider's half": encode(item.provider),
                "public value of the provider's half": encode(item.key.provider_value),
                "output of the function": encode(item.secrets.output), "PIN key": encode(raw(item.secrets.key)),
                "wrapping key with the share": encode(item.secrets.wrapping_key(seed("share")))})

    start = sections["What a wallet starts with"]
    document = read_object(start["document"].encode())
    with check("example: the configuration and the update policy have the given bytes and signatures"):
        for name, signer in (("configuration", signers[0]), ("update policy", signers[1])):
            typ = f"wallet-{name.replace(' ', '-')}+jwt"
            jws = document[name.replace(" ", "_")]
            same(sign(signer, typ, read_object(start[name].encode()), key_id(signer)), jws, name)
            same(verify(jws, typ, public), read_object(start[name].encode()))
        policy = read_object(start["update policy"].encode())
        same(policy["configuration_hash"], encode(sha256(document["configuration"])))
        same(policy["nonce"], encode(seed("nonce")[:16]))
    with check("example: the document names its keys, and its members are sorted"):
        same(write_json(document).decode(), start["document"])
        example = Provider(start["document"].encode(), PATIENCE)
        same(example.signing_keys, {key_id(key): raw(key) for key in signers})
        same(example.configuration.encryption_keys, {encryption_id: bytes(encryption.public_key)})
        same(example.configuration.use_keys, {encode(sha256(bytes(use.public_key))[:9]): bytes(use.public_key)})
        same((example.configuration.trust_anchors, example.configuration.trust.type), ([], "urn:wallet-provider:pid:1"))
        same(example.configuration.result_keys, {key_id(result_key): raw(result_key)})
        same(example.configuration.evaluator_keys, {key_id(evaluator_key): raw(evaluator_key)})
    check_freshness(start["document"].encode(), signers)

    share_recipient = {"share_recipient": encode(bytes(recipient.public_key))}
    change, session = {"change": encode(seed("change")[:16])}, {"session": "session-1"}
    bound = {"version": 2, "audience": "provider.example", "wallet": "wallet-1"}
    new_blinded = {"blinded": encode(second_pin.blinded("the new PIN").element)}
    pin_proof = bound | change | new_blinded | {
        "challenge": challenge_of("prepare_pin_change"), "evaluation": evaluation_of("the new PIN")}
    pid_proof = bound | session | {"challenge": challenge_of("issue_pid")}
    # The article states the evidence only in its example.
    evidence = read_object(sections["submit_evidence"]["payload"].encode())["evidence"]
    secret = {"wallet": "wallet-1"}
    state = {"registration_state": encode(seed("registration state"))}

    def attempt(name: str) -> Json:
        payload = {"instruction": name, "blinded": encode(first_pin.blinded(name).element)}
        return payload | ({} if name == "register" else {"key": first_pin.id})

    slot_message = slot_key_message("wallet-1", seed("copy")[:16], seed("slot key"))
    box = encode(seal(slot_message, bytes(use.public_key), PrivateKey(seed("ephemeral key of the slot"))))
    slots = [{"use_key": encode(sha256(bytes(use.public_key))[:9]), "box": box}, {"use_key": "lost", "box": box}]
    with check("example: the message in a slot follows from the seeds"):
        same(sections["authorize_use"]["slot key message"], encode(slot_message))
        same(unseal(decode(box), use), slot_message)

    payloads: dict[str, Json] = {
        "Challenge for register": attempt("register"), "register": share_recipient | state,
        "challenge": {"instruction": "confirm_registration"}, "confirm_registration": {},
        "Challenge for check_pin": attempt("check_pin"), "check_pin": share_recipient, "pin_state": {},
        "Challenge for decide_replacement": attempt("decide_replacement"),
        "decide_replacement": share_recipient | {"session": "session-2", "decision": "refuse"},
        "Challenge for authorize_use": attempt("authorize_use"),
        "authorize_use": share_recipient | {"purpose": "presentation", "act": encode(seed("act")), "slots": slots},
        "Challenge for begin_pin_change": attempt("begin_pin_change"), "begin_pin_change": share_recipient | change,
        "prepare_pin_change": share_recipient | change | {
            "new_pin_public_key": encode(raw(new_pin)), "proof": sign(new_pin, "wallet-new-pin-key-proof+jwt", pin_proof)},
        "commit_pin_change": change, "cancel_pin_change": change,
        "claim_enrolment_code": secret | {"challenge": challenge_of("claim_enrolment_code"),
                                          "secret": encode(seed("enrolment secret"))},
        "submit_evidence": secret | session | {"challenge": challenge_of("submit_evidence"), "evidence": evidence,
                                               "idempotency_key": encode(seed("idempotency key")[:16])},
        "proofing_status": session,
        # ES256 signatures are random, so the article has words in place of keys, proofs and copies.
        "issue_pid": session | {"recipient": encode(bytes(recipient.public_key)), "keys": [
            {"key": f"the {which} key, in DER", "proof": f"the proof, signed by the {which} key"}
            for which in ("first", "second")]},
        "release_claim": session, "delete_wallet": {}}
    requests: dict[str, Request] = {}
    signatures: dict[str, str] = {}  # of the PIN key
    for sequence, (name, payload) in enumerate(payloads.items(), 1):
        texts, instruction = sections[name], name if "Challenge" not in name else "challenge"
        with check(f"example: the request {name} has the given bytes"):
            data, outer = write_json(payload), {}
            claims = bound | {"instruction": instruction, "sequence": sequence}
            if instruction != "challenge":
                claims["challenge"] = challenge_of(name)
            if name in ("register", "Challenge for register"):
                claims["wallet"] = encode(seed("registration id")[:16])
                outer["hardware_key"] = encode(subject_public_key_info(hardware.public))
            if instruction in PIN_INSTRUCTIONS:
                same(data.decode(), texts["inner payload"], "inner payload")
                evaluation: Json = {}
                if name != "prepare_pin_change":
                    evaluation = {"evaluation": evaluation_of(name), "blinded": encode(first_pin.blinded(name).element)}
                if name == "begin_pin_change":
                    evaluation["new_blinded"] = new_blinded["blinded"]
                committed = {"register": pin, "prepare_pin_change": new_pin}.get(name)
                opening = seed(f"opening of {name}") if committed else None
                if committed and opening:
                    outer["pin_key_commitment"] = commitment(committed, opening)
                data = make_pin_message(pin, claims, hardware.public, data, evaluation, opening)
                same(data.decode(), texts["inner message"], "inner message")
                signatures[name] = read_object(data)["signature"]
                inner = decode(signatures[name].split(".")[1]).decode()
                same(inner, texts["inner claims"], "inner claims")
            else:
                same(data.decode(), texts["payload"], "payload")
            if instruction in SEALED:
                outer["encryption_key"] = encryption_id
                plain, ephemeral = data, PrivateKey(seed(f"ephemeral key of {name}"))
                data = seal(data, bytes(encryption.public_key), ephemeral)
                same(encode(data), texts["the same, sealed"], "the sealed payload")
                same(unseal(data, encryption), plain, "the opened payload")
            requests[name] = make_request(hardware, claims | outer, data)
            same(decode(requests[name].signature.split(".")[1]).decode(), texts["claims"], "claims")
            same(requests[name].body.decode(), texts["request"], "request")
        if "proof" in texts:
            with check(f"example: the proof of {name} has the given content"):
                same(texts["proof"], write_json(pid_proof).decode() if name == "issue_pid" else
                     decode(payload["proof"].split(".")[1]).decode())
        for label in [label.removeprefix("answer: ") for label in texts if label.startswith("answer: ")]:
            with check(f"example: the answer {label} to {name} is signed and bound to its request"):
                content, body = read_object(texts[f"result: {label}"].encode()), texts[f"answer: {label}"].encode()
                typ, keys = "wallet-instruction-result+jwt", example.configuration.result_keys
                same(write_json({"result": sign(result_key, typ, content, key_id(result_key))}), body, "answer")
                answer = read_answer(body, requests[name], keys)
                same((answer.outcome, answer.replacement), (content["outcome"], content.get("replacement")))
                same(answer.outcome["status"]["state"] if answer.kind == "proofing" else answer.kind, label)
                for other in requests.values():
                    if other is not requests[name]:
                        refused(lambda: read_answer(body, other, keys))
                for altered in ("version", "issuer", "wallet", "instruction", "challenge", "sequence", "request_hash"):
                    if altered in content:
                        forged = content | {altered: 99 if isinstance(content[altered], int) else "x"}
                        refused(lambda: read_answer(write_json(
                            {"result": sign(result_key, typ, forged, key_id(result_key))}), requests[name], keys))
                refused(lambda: read_answer(body, requests[name], example.configuration.evaluator_keys))
                if "share" in content["outcome"]:
                    same(open_share(answer, recipient), seed("share"), "share")
                if answer.kind == "authorized":
                    same(open_slots(answer, recipient), [seed("slot key"), "unknown_key"], "slot keys")
                if "evaluation" in content["outcome"]:
                    found = content["outcome"]["evaluation"]
                    item, of = (second_pin, "the new PIN") if answer.kind == "valid" else (first_pin, payload["instruction"])
                    same(item.evaluation(of, found["evaluator"].get("grant")), found, "evaluation")
                    made = item.key
                    if "grant" in found["evaluator"]:
                        keys = example.configuration.evaluator_keys
                        former, other = (first_pin.key, None) if answer.kind == "valid" else (None, second_pin.key)
                        made = new_pin_key(found, hardware.public, keys, former)
                        same(made, item.key, "the granted key")
                        grant = verify(found["evaluator"]["grant"], "wallet-evaluator-grant+jwt", keys)
                        same(write_json(grant).decode(), texts["grant"], "grant")
                        same(sign(evaluator_key, "wallet-evaluator-grant+jwt", grant, key_id(evaluator_key)),
                             found["evaluator"]["grant"])
                        refused(lambda: new_pin_key(found, certificate_key.public, keys, former))
                        refused(lambda: new_pin_key(found, hardware.public, keys, other))
                    same(item.blinded(of).open(found, made), item.secrets, "what the PIN becomes")
                    check_evaluation(item.blinded(of), found, made)

    with check("example: the certificate has the given bytes and names the hardware key"):
        text = sections["register"]["certificate"]
        jws = read_object(sections["register"]["result: registered"].encode())["outcome"]["certificate"]
        certificate = verify(jws, "wallet-certificate+jwt", example.configuration.certificate_keys)
        same(write_json(certificate).decode(), text)
        same(sign(certificate_key, "wallet-certificate+jwt", certificate, key_id(certificate_key)), jws)
        same(certificate["hardware_key_hash"], encode(sha256(subject_public_key_info(hardware.public))))
        same(certificate["registration"], encode(seed("registration id")[:16]))

    check_evaluator_examples(sections, requests, signatures, (first_pin, second_pin), payloads, evaluator_key)
    with check("example: the receipt has the given bytes and is accepted for this PIN key and commitment only"):
        jws = read_object(sections["register"]["result: registered"].encode())["outcome"]["receipt"]
        receipt = verify(jws, "wallet-evaluator-receipt+jwt", example.configuration.evaluator_keys)
        same(write_json(receipt).decode(), sections["register"]["receipt"])
        given = requests["register"].claims["pin_key_commitment"]
        check_receipt(jws, first_pin.key, given)
        refused(lambda: check_receipt(jws, second_pin.key, given))
        refused(lambda: check_receipt(jws, first_pin.key, encode(bytes(32))))

    with check("example: the PID opens and has the given bytes"):
        copies = sections["issue_pid"]["PID"]
        sealed = decode(read_object(sections["issue_pid"]["result: pid"].encode())["outcome"]["pid"])
        same(unseal(sealed, recipient).decode(), copies)
        same(seal(copies.encode(), bytes(recipient.public_key), PrivateKey(seed("ephemeral key of the PID"))), sealed)
        same(len(member(read_object(copies.encode()), "copies", list)), 2)
    with check("example: the problem names its status and its type"):
        same(read_object(sections["A problem"]["answer"].encode()), {
            "status": 403, "title": "The challenge is unknown or expired",
            "type": "urn:wallet-provider:problem:challenge-refused"})


def check_evaluation(blinded: BlindedPin, evaluation: Json, key: PinKey) -> None:
    """Checks that the client refuses every changed evaluation."""
    def changed(half: bool, name: str, value: str) -> Json:
        if half:
            return evaluation | {"evaluator": evaluation["evaluator"] | {name: value}}
        return evaluation | {name: value}

    for half in (True, False):
        part = evaluation["evaluator"] if half else evaluation
        other = evaluation if half else evaluation["evaluator"]
        for name in ("element", "proof"):
            data = bytearray(decode(part[name]))
            data[0] ^= 1
            for value in (encode(bytes(data)), encode(bytes(len(data))), "", other[name]):
                refused(lambda: blinded.open(changed(half, name, value), key))
    refused(lambda: blinded.open(changed(True, "key", "x"), key))
    refused(lambda: BlindedPin.random(blinded.stretched).open(evaluation, key))
    refused(lambda: blinded.open(evaluation, PinKey(key.id, key.provider_value, key.evaluator_value)))


def check_evaluator_examples(sections: dict[str, dict[str, str]], requests: dict[str, Request], signatures: dict[str, str],
                             pins: tuple[ExamplePin, ExamplePin], payloads: dict[str, Json],
                             evaluator_key: SigningKey) -> None:
    """Recomputes the messages between provider and evaluator."""
    first, second = pins
    grants = [json_of(sections[title], label)["outcome"]["evaluation"]["evaluator"]["grant"] for title, label in (
        ("Challenge for register", "result: challenge"), ("begin_pin_change", "result: valid"))]
    none: Json = {"attempts": 0, "blocked_permanently": False}
    some: Json = {"attempts": 4, "blocked_permanently": False, "blocked_for_ms": 60_000}
    new, change = second.id, {"payload": encode(write_json(payloads["prepare_pin_change"]))}
    envelope = {name: read_object(requests[name].body) for name in ("Challenge for register", "Challenge for check_pin")}

    def adoption(name: str, item: ExamplePin, more: Json = {}) -> Json:
        return {"signature": requests[name].signature, "message": signatures[name],
                "public_key": encode(raw(item.secrets.key)), "opening": encode(seed(f"opening of {name}"))} | more

    def adopted(name: str, item: ExamplePin) -> Json:
        content = {"version": 2, "key": item.id, "pin_key_commitment": requests[name].claims["pin_key_commitment"]}
        receipt = sign(evaluator_key, "wallet-evaluator-receipt+jwt", content, key_id(evaluator_key))
        return {"adopted": {"receipt": receipt}}

    expected: dict[str, tuple[Json, dict[str, Json]]] = {
        "open": ({"open": {"request": envelope["Challenge for register"]}}, {"evaluated": {
            "evaluated": {"evaluation": first.evaluation("register", grants[0])["evaluator"], "standing": none}}}),
        "evaluate": ({"evaluate": {"request": envelope["Challenge for check_pin"]}}, {
            "evaluated": {"evaluated": {"evaluation": first.evaluation("check_pin")["evaluator"], "standing": some}},
            "blocked": {"blocked": {"standing": some}}, "sequence_refused": {"sequence_refused": {"current": 40}},
            "unknown_key": {"unknown_key": {}}}),
        "adopt": ({"adopt": {"key": first.id, "adoption": adoption("register", first)}},
                  {"adopted": adopted("register", first), "refused": {"refused": {}}}),
        "prove": ({"prove": {"key": first.id, "message": signatures["check_pin"]}}, {"proven": {"proven": {"standing": none}}}),
        "prove, with a new PIN": ({"prove": {"key": first.id, "message": signatures["begin_pin_change"]}}, {"proven": {
            "proven": {"standing": none, "next": second.evaluation("the new PIN", grants[1])["evaluator"]}}}),
        "adopt, of a new PIN": ({"adopt": {"key": new, "adoption": adoption("prepare_pin_change", second, change)}},
                                {"adopted": adopted("prepare_pin_change", second)}),
        "commit": ({"commit": {"key": new}}, {"done": {"done": {}}}),
        "cancel": ({"cancel": {"key": new}}, {"done": {"done": {}}}),
        "delete": ({"delete": {"key": first.id}}, {"done": {"done": {}}})}
    for name, (request, answers) in expected.items():
        with check(f"example: the message {name} to the evaluator has the given bytes, and so have its answers"):
            texts = sections[f"To the evaluator: {name}"]
            same(texts, {"request": write_json(request).decode()}
                 | {f"answer: {label}": write_json(answer).decode() for label, answer in answers.items()})


def json_of(texts: dict[str, str], label: str) -> Json:
    """The JSON object of a text in the article."""
    return read_object(texts[label].encode())


def check_freshness(document: bytes, signers: list[SigningKey]) -> None:
    """Checks what a wallet accepts as configuration and policy, with the keys of the examples."""
    name = key_id(signers[0])
    base, nonce, now = Provider(document, PATIENCE).configuration.claims, os.urandom(16), 1_767_268_800

    def make(version: int = 1, config: Json = {}, policy: Json = {}) -> tuple[str, str]:
        claims = base | {"configuration_version": version, "valid_until": now + 600} | config
        jws = sign(signers[0], "wallet-configuration+jwt", claims, name)
        content: Json = {"version": 2, "provider_id": "provider.example", "iat": now, "nonce": encode(nonce), "rules": [],
                         "valid_until": now + 600, "configuration_version": version, "configuration_hash": encode(sha256(jws))}
        return jws, sign(signers[0], "wallet-update-policy+jwt", content | policy, name)

    def fresh(version: int = 1, config: Json = {}, policy: Json = {}) -> bool:
        provider = Provider(document, PATIENCE)
        jws, text = make(version, config, policy)
        provider.accept_policy(text, nonce)
        provider.accept_configuration(jws)
        return provider.may_seal()

    with check("client: seals only under an unexpired configuration that an unexpired policy names, or a newer one"):
        same(fresh(), True)
        same(fresh(config={"valid_until": now}), False)
        same(fresh(policy={"valid_until": now}), False)
        same(fresh(policy={"configuration_hash": encode(bytes(32))}), False)
        same(fresh(2, policy={"configuration_version": 1, "configuration_hash": encode(bytes(32))}), True)
        same(fresh(policy={"configuration_version": 2}), False)
        same(Provider(document, PATIENCE).may_seal(), False)
    with check("client: refuses a policy of another nonce or provider, and one that turns the time back"):
        refused(lambda: fresh(policy={"nonce": encode(bytes(16))}))
        refused(lambda: fresh(policy={"provider_id": "other.example"}))
        provider = Provider(document, PATIENCE)
        provider.accept_policy(make()[1], nonce)
        refused(lambda: provider.accept_policy(make(policy={"iat": now - 1})[1], nonce))
    with check("client: refuses a configuration of another provider, an older one and one by an unknown key"):
        refused(lambda: fresh(config={"provider_id": "other.example"}))
        refused(lambda: fresh(0))
        refused(lambda: Configuration(sign(SigningKey.ed25519(), "wallet-configuration+jwt", base, name),
                                      {name: raw(signers[0])}))
    with check("client: reads JSON and base64url strictly"):
        for text in (b'{"a":1,"a":1}', b'{"a":1,"\\u0061":1}', b"\xef\xbb\xbf{}", b"1.0", b"1e2", b"-0", b"01",
                     b"9223372036854775808", b'"\\ud800"', b'"\x01"', b'"\xff"', b"[" * 9 + b"]" * 9, b"NaN", b"{} {}", b""):
            refused(lambda: read_json(text))
        same(read_json(b'{"b":[9223372036854775807,-9223372036854775808],"a":"\\u00e4"}'),
             {"b": [2**63 - 1, -(2**63)], "a": "\u00e4"})
        for padded in ("AA==", "AB", "A", "A+AA", "AA\n"):
            refused(lambda: decode(padded))


# The running provider


class Live:
    """Wallets of one run against one provider."""

    def __init__(self, document: bytes, url: str, command: str, directory: str) -> None:
        self.document = write_json(read_object(document) | {"provider_url": url.rstrip("/")})
        self.command, self.directory = shlex.split(command), directory
        self.pins: dict[tuple[bytes, str], bytes] = {}

    def wallet(self, p256: bool = False) -> Wallet:
        """A wallet that is not registered yet."""
        return Wallet(Provider(self.document, PATIENCE), SigningKey.p256() if p256 else SigningKey.ed25519())

    def registered(self, p256: bool = False) -> Wallet:
        """A wallet that is registered and confirmed."""
        wallet = self.wallet(p256)
        same(wallet.register(PIN)[0].kind, "registered")
        same(wallet.confirm().kind, "confirmed")
        return wallet

    def pin(self, wallet: Wallet, pin: str, of: Pin | None = None) -> bytes:
        """The stretched PIN of a wallet, made once."""
        salt = cast(Pin, of or wallet.pin).salt
        if (salt, pin) not in self.pins:
            self.pins[salt, pin] = wallet.stretch(pin, salt)
        return self.pins[salt, pin]

    def check_pin(self, wallet: Wallet, pin: str, of: Pin | None = None) -> Answer:
        """The answer to a PIN, with the PIN key in force or another one."""
        return wallet.attempt("check_pin", self.pin(wallet, pin, of), pin=of)[0]

    def begin(self, wallet: Wallet, pin: str) -> Attempt:
        """An attempt that was begun, and so counted."""
        attempt = wallet.begin("check_pin", self.pin(wallet, pin))
        if isinstance(attempt, Answer):
            raise AssertionError(f"no attempt: {attempt.outcome}")
        return attempt

    def finish(self, wallet: Wallet, attempt: Attempt) -> Answer:
        """The answer to the instruction of an attempt."""
        return wallet.send(wallet.answer(attempt, "check_pin")[0])

    def operator(self, *arguments: str, account: Json | None = None) -> str:
        """Runs one of the operator's commands on the data directory."""
        command = [*self.command, *arguments, "--data", self.directory]
        run = subprocess.run(command, input=write_json(account) if account else b"", capture_output=True, timeout=PATIENCE)
        same(run.returncode, 0, f"exit code of {arguments}, {run.stderr.decode()[-300:]}")
        return run.stdout.decode()

    def account(self, family: str, given: str, birth: str) -> Json:
        """Makes an account; returns its id and enrolment link."""
        return read_object(self.operator("account", "create", "--json", "--from", "-", account={
            "label": f"{family.lower()}@example.org", "family_name": family, "given_name": given, "birth_date": birth}).encode())


def check_pins(live: Live) -> tuple[Wallet, Wallet]:
    """Registration, PINs and their count."""
    wallet, second = live.wallet(), live.wallet(p256=True)
    shares: dict[int, bytes | None] = {}
    for item, name in ((wallet, "Ed25519"), (second, "P-256")):
        with check(f"registers a wallet with a hardware key of {name} and confirms it"):
            answer, shares[id(item)] = item.register(PIN)
            same(answer.kind, "registered")
            same(item.confirm().kind, "confirmed")
    with check("a right PIN returns the share of the registration each time"):
        for item in (wallet, second, wallet):
            answer, share = item.check_pin(PIN)
            same((answer.kind, share, "failures" in answer.outcome), ("valid", shares[id(item)], False))
        same(shares[id(wallet)] == shares[id(second)], False, "one share of two wallets")
    with check("before the confirmation the same hardware key may register again with another PIN"):
        first = live.wallet()
        same(first.register(PIN)[0].kind, "registered")
        again = Wallet(first.provider, first.hardware, sequence=first.sequence)
        same(again.register(NEW_PIN)[0].kind, "registered")
        same(again.confirm().kind, "confirmed")
        same((live.check_pin(again, PIN).kind, live.check_pin(again, NEW_PIN).kind), ("wrong", "valid"))
        # The evaluator has deleted the key that was replaced.
        problem("instruction-refused", 400, lambda: live.check_pin(again, PIN, first.pin))
    with check("a registration with a lower sequence number does not replace a later one"):
        later = live.wallet()
        later.sequence = 10
        same(later.register(PIN)[0].kind, "registered")
        delayed = Wallet(later.provider, later.hardware, sequence=8)
        answer = delayed.register(NEW_PIN)[0]
        same((answer.kind, answer.outcome.get("current")), ("sequence_refused", later.sequence))
    with check("a registration with a confirmed hardware key is already_registered, whatever the PIN"):
        for item, pin, sequence in ((wallet, PIN, 0), (wallet, NEW_PIN, 10_000), (second, NEW_PIN, 0)):
            answer = Wallet(item.provider, item.hardware, sequence=sequence).register(pin)[0]
            same(answer.outcome, {"kind": "already_registered"})
        same(live.check_pin(wallet, PIN).kind, "valid")
    check_registration_refusals(live)
    begin = int(time.time())
    with check("the same bytes get the same answer and count once: of a challenge, and of its instruction"):
        blinded = BlindedPin.random(live.pin(wallet, WRONG_PIN))
        asked = wallet.make("challenge", wallet.challenge_payload("check_pin", blinded), None)
        bodies = [wallet.provider.exchange("POST", "/v2/instructions/challenge", asked.body) for _ in range(3)]
        same(len(set(bodies)), 1, "number of different challenges")
        attempt = wallet.opened(wallet.send(asked), blinded, cast(Pin, wallet.pin).key)
        same(wallet.pin_state().outcome, {"kind": "not_blocked", "attempts_left": 3, "final_round": False})
        request = wallet.answer(attempt, "check_pin")[0]
        bodies = [wallet.provider.exchange("POST", "/v2/instructions/check_pin", request.body) for _ in range(3)]
        same(len(set(bodies)), 1, "number of different answers")
        same(wallet.send(request).outcome, {"kind": "wrong", "attempts_left": 3, "final_round": False})
        same(wallet.pin_state().outcome, {"kind": "not_blocked", "attempts_left": 3, "final_round": False})
    with check("a used challenge with other bytes is challenge-used and counts nothing"):
        for key in (attempt.secrets.key, SigningKey.ed25519()):
            problem("challenge-used", 409, lambda: wallet.send(wallet.answer(attempt, "check_pin", pin=key)[0]))
        same(wallet.pin_state().outcome["attempts_left"], 3)
    with check("a sequence number that is not higher is refused with the current one, and no attempt begins"):
        for back in (1, 3):
            wallet.fetch_challenge("pin_state")
            current, wallet.sequence = wallet.sequence, wallet.sequence - back
            payload = wallet.challenge_payload("check_pin", BlindedPin.random(live.pin(wallet, WRONG_PIN)))
            answer = wallet.send(wallet.make("challenge", payload, None))
            same(answer.outcome, {"kind": "sequence_refused", "current": current})
            same(wallet.sequence, current, "the sequence number that the wallet follows")
        same(wallet.pin_state().outcome["attempts_left"], 3)
    with check("a sequence number that is too high is refused with the current one, to which the wallet goes back"):
        wallet.fetch_challenge("pin_state")
        current, wallet.sequence = wallet.sequence, wallet.sequence + 2**24
        payload = wallet.challenge_payload("check_pin", BlindedPin.random(live.pin(wallet, WRONG_PIN)))
        answer = wallet.send(wallet.make("challenge", payload, None))
        same((answer.outcome, wallet.sequence), ({"kind": "sequence_refused", "current": current}, current))
        same(wallet.pin_state().outcome["attempts_left"], 3)
    with check("an attempt whose instruction had a refused number is answered with a higher one"):
        attempt = live.begin(wallet, PIN)
        current, wallet.sequence = wallet.sequence, wallet.sequence - 1
        same(live.finish(wallet, attempt).outcome, {"kind": "sequence_refused", "current": current})
        answer = live.finish(wallet, attempt)
        failures = answer.outcome["failures"]
        same((answer.kind, failures["count"]), ("valid", 1))
        same(begin - 1 <= failures["last_at"] <= int(time.time()), True, "the time of the last wrong PIN")
    with check("a right PIN begins the rounds anew"):
        same(wallet.pin_state().outcome["attempts_left"], 4)
    check_attempts(live)
    with check("wrong PINs count down, and the fourth blocks for a minute"):
        for left in (3, 2, 1):
            same(live.check_pin(wallet, WRONG_PIN).outcome, {"kind": "wrong", "attempts_left": left, "final_round": False})
        outcome = live.check_pin(wallet, WRONG_PIN).outcome
        same((outcome["kind"], outcome["counted"], 50_000 < outcome["blocked_for_ms"] <= 60_000), ("blocked", True, True))
    with check("the right PIN of a blocked wallet is not looked at, and a wrong one is not counted"):
        remaining = []
        for pin in (PIN, WRONG_PIN):
            refusal = wallet.begin("check_pin", live.pin(wallet, pin))
            outcome = cast(Answer, refusal).outcome
            same((outcome["kind"], outcome["counted"]), ("blocked", False))
            remaining.append(outcome["blocked_for_ms"])
        same(60_000 >= remaining[0] >= remaining[1] > 0, True, "the block gets shorter")
    with check("a blocked wallet may ask for the state of its PIN"):
        answer = wallet.pin_state()
        same((answer.kind, answer.outcome["counted"]), ("blocked", False))
    with check("a blocked wallet cannot claim a code"):
        link = f"https://{wallet.provider.configuration.claims['proofing_hosts'][0]}/b#v=1&n={encode(os.urandom(32))}&x=1&m=qr"
        problem("instruction-refused", 400, lambda: wallet.claim(link))
    return wallet, second


def check_registration_refusals(live: Live) -> None:
    """Registrations that are refused."""
    def registration(stranger: Wallet, attempt: Attempt, state: str | None, evaluation: Json = {},
                     pin: SigningKey | None = None) -> Answer:
        more = {"registration_state": state} if state else {}
        return stranger.send(stranger.answer(attempt, "register", more, evaluation, pin)[0])

    with check("a registration whose inner message is not signed by its PIN key is refused"):
        stranger = live.wallet()
        attempt, _ = stranger.open_registration(PIN)
        claims = stranger.claims("register", attempt.challenge)
        payload = write_json({"share_recipient": encode(bytes(PrivateKey.generate().public_key)),
                              "registration_state": attempt.state})
        message = read_object(make_pin_message(SigningKey.ed25519(), claims, stranger.hardware.public, payload, attempt.claims))
        message["pin_public_key"] = encode(raw(SigningKey.ed25519()))
        name, key = next(iter(stranger.provider.refresh().encryption_keys.items()))
        claims |= {"hardware_key": encode(subject_public_key_info(stranger.hardware.public)), "encryption_key": name}
        request = make_request(stranger.hardware, claims, seal(write_json(message), key))
        problem("instruction-refused", 400, lambda: stranger.send(request))
    with check("a registration with no state, or that of another challenge or hardware key, is challenge-refused"):
        stranger, other = live.wallet(), live.wallet()
        attempt, later, foreign = (item.open_registration(PIN)[0] for item in (stranger, stranger, other))
        for state in (None, "", "x.AAAA", later.state, foreign.state):
            problem("challenge-refused", 403, lambda: registration(stranger, attempt, state))
        problem("challenge-refused", 403, lambda: registration(other, attempt, attempt.state))
        same(registration(stranger, attempt, attempt.state).kind, "registered")
    with check("a registration that names another evaluation or blinded PIN is refused"):
        stranger = live.wallet()
        attempt, later = stranger.open_registration(PIN)[0], stranger.open_registration(PIN)[0]
        for other_claims in ({"evaluation": later.evaluation}, {"blinded": encode(later.blinded)}):
            problem("instruction-refused", 400, lambda: registration(stranger, attempt, attempt.state, other_claims))
        same(registration(stranger, attempt, attempt.state).kind, "registered")
    with check("the challenge of a registration needs the hardware key, its signature and a group element"):
        stranger, path = live.wallet(), "/v2/registrations/challenge"
        good = {"instruction": "register", "blinded": encode(oprf.public_value(oprf.random_scalar()))}

        def ask(payload: Json, signer: SigningKey, drop: bool = False) -> bytes:
            claims = stranger.claims("challenge", None)
            if not drop:
                claims["hardware_key"] = encode(subject_public_key_info(stranger.hardware.public))
            return stranger.provider.exchange("POST", path, make_request(signer, claims, write_json(payload)).body)

        problem("malformed-request", 400, lambda: ask(good, stranger.hardware, drop=True))
        problem("signature-invalid", 401, lambda: ask(good, SigningKey.ed25519()))
        for bad in ({"instruction": "check_pin"}, {"key": "x"}, {"blinded": encode(bytes(32))}, {"blinded": encode(b"\xff" * 32)},
                    {"blinded": encode(bytes(31))}, {"blinded": None}):
            problem("instruction-refused", 400, lambda: ask(good | bad, stranger.hardware))


def check_attempts(live: Live) -> None:
    """How attempts at the PIN begin and end."""
    wallet = live.registered()
    with check("an attempt that is never answered counts as a wrong PIN"):
        live.begin(wallet, PIN)
        same(wallet.pin_state().outcome["attempts_left"], 3)
        answer = live.check_pin(wallet, PIN)
        same((answer.kind, answer.outcome["failures"]["count"]), ("valid", 1))
    with check("only the newest attempt is answered"):
        earlier, newest = live.begin(wallet, PIN), live.begin(wallet, PIN)
        problem("challenge-refused", 403, lambda: live.finish(wallet, earlier))
        answer = live.finish(wallet, newest)
        same((answer.kind, answer.outcome["failures"]["count"]), ("valid", 2))
    with check("the evaluation of one attempt does not serve another"):
        earlier, newest = live.begin(wallet, PIN), live.begin(wallet, PIN)
        for name in ("evaluation", "blinded"):
            problem("challenge-refused", 403, lambda: wallet.send(
                wallet.answer(newest, "check_pin", evaluation={name: earlier.claims[name]})[0]))
        same(live.finish(wallet, newest).kind, "valid")
    with check("the right PIN of the attempt that began a block ends the block"):
        for left in (3, 2, 1):
            same(live.check_pin(wallet, WRONG_PIN).outcome["attempts_left"], left)
        attempt = live.begin(wallet, PIN)
        same(wallet.pin_state().kind, "blocked")
        same(live.finish(wallet, attempt).kind, "valid")
        same(wallet.pin_state().outcome["attempts_left"], 4)
    with check("two evaluations of one PIN give the same key, and another PIN another key"):
        keys = []
        for pin in (PIN, PIN, WRONG_PIN):
            attempt = live.begin(wallet, pin)
            keys.append(raw(attempt.secrets.key))
            live.finish(wallet, attempt)
        same((keys[0] == keys[1], keys[0] == keys[2]), (True, False))
    with check("a challenge for an attempt without a key of this wallet or a group element is refused and not counted"):
        left = wallet.pin_state().outcome["attempts_left"]
        good = wallet.challenge_payload("check_pin", BlindedPin.random(live.pin(wallet, PIN)))
        other = live.registered()
        for bad in ({"key": None}, {"blinded": None}, {"key": cast(Pin, other.pin).key.id}, {"key": "x"},
                    {"blinded": encode(bytes(32))}, {"blinded": encode(b"\xff" * 32)}):
            problem("instruction-refused", 400, lambda: wallet.send(wallet.make("challenge", good | bad, None)))
        same(wallet.pin_state().outcome["attempts_left"], left)


def check_end_of_block(live: Live, wallet: Wallet) -> None:
    """The end of a block, and the operator's commands for blocks."""
    with check("after the block the right PIN is valid, with the count of all wrong PINs"):
        time.sleep(wallet.pin_state().outcome.get("blocked_for_ms", 0) / 1000 + 1)
        answer = live.check_pin(wallet, PIN)
        same((answer.kind, answer.outcome["failures"]["count"]), ("valid", 5))
    with check("a wallet that the operator blocks is blocked permanently until it is unblocked"):
        live.operator("wallet", "block", wallet.id)
        same(live.check_pin(wallet, PIN).outcome, {"kind": "blocked_permanently", "counted": False})
        live.operator("wallet", "unblock", wallet.id)
        same(live.check_pin(wallet, PIN).kind, "valid")


def check_parallel(live: Live) -> None:
    """Ten guesses at once."""
    def asked(wallet: Wallet) -> Request:
        payload = wallet.challenge_payload("check_pin", BlindedPin.random(live.pin(wallet, WRONG_PIN)))
        return wallet.make("challenge", payload, None)

    with check("of 10 parallel guesses no more than the round allows are evaluated, and each is counted"):
        wallet = live.registered()
        requests = [asked(wallet) for _ in range(10)]
        with ThreadPoolExecutor(10) as pool:
            kinds = sorted(answer.kind for answer in pool.map(wallet.send, requests))
        evaluated = kinds.count("challenge")
        same(1 <= evaluated <= 4 and set(kinds) <= {"challenge", "blocked", "sequence_refused"}, True, f"{kinds}")
        state = wallet.pin_state()
        left = state.outcome["attempts_left"] if state.kind == "not_blocked" else 0
        same(left <= 4 - evaluated, True, f"{left} attempts left after {kinds}")
    with check("of 10 parallel guesses with one sequence number one is evaluated"):
        wallet = live.registered()
        number, requests = wallet.sequence, []
        for _ in range(10):
            wallet.sequence = number
            requests.append(asked(wallet))
        with ThreadPoolExecutor(10) as pool:
            answers = list(pool.map(wallet.send, requests))
        same(sorted(answer.kind for answer in answers), ["challenge"] + ["sequence_refused"] * 9)
        same(wallet.pin_state().outcome["attempts_left"], 3)


def check_pin_change(live: Live, wallet: Wallet) -> None:
    """The change of the PIN in its steps."""
    with check("a wrong PIN does not begin a change of the PIN and is counted"):
        answer, _, new = wallet.begin_pin_change(WRONG_PIN, NEW_PIN)
        same((answer.outcome, new), ({"kind": "wrong", "attempts_left": 3, "final_round": False}, None))
        wallet.change = os.urandom(16), cast(Pin, wallet.pin), cast(Pin, wallet.pin)
        same(wallet.commit_pin_change().kind, "unknown_pin_change")
        same(wallet.cancel_pin_change().kind, "pin_change_cancelled")
    former, share = cast(Pin, wallet.pin), wallet.check_pin(PIN)[1]
    with check("a change that was begun has a new key, which is not accepted before the preparation"):
        answer, begun, new = wallet.begin_pin_change(PIN, NEW_PIN)
        same((answer.kind, begun, "public_value" in answer.outcome["evaluation"]), ("valid", share, True))
        assert new is not None
        unprepared = new.pin
        same(unprepared.key.id == former.key.id, False, "the same PIN key")
        problem("instruction-refused", 400, lambda: live.check_pin(wallet, NEW_PIN, unprepared))
        same(wallet.commit_pin_change().kind, "unknown_pin_change")
    assert new is not None
    begun_change = new
    with check("a preparation whose proof is by another key or names something else is refused and not counted"):
        for altered in ({"challenge": encode(bytes(32))}, {"wallet": "x"}, {"audience": "x"}, {"version": 1},
                        {"change": encode(bytes(16))}, {"evaluation": "x"}, {"blinded": encode(bytes(32))}):
            problem("instruction-refused", 400, lambda: wallet.prepare_pin_change(begun_change, altered))
        problem("instruction-refused", 400, lambda: wallet.prepare_pin_change(begun_change, signer=SigningKey.ed25519()))
        problem("instruction-refused", 400, lambda: wallet.prepare_pin_change(begun_change, pin=SigningKey.ed25519()))
        same(wallet.pin_state().outcome["attempts_left"], 4)
    with check("after the preparation both PINs are valid, and a wrong one counts once"):
        answer, prepared = wallet.prepare_pin_change(begun_change)
        same((answer.kind, prepared), ("valid", share))
        same(live.check_pin(wallet, WRONG_PIN).outcome["attempts_left"], 3)
        same(live.check_pin(wallet, WRONG_PIN, former).outcome["attempts_left"], 2)
        same(live.check_pin(wallet, PIN, former).kind, "valid")
        answer, again = wallet.check_pin(NEW_PIN)
        same((answer.kind, again), ("valid", share))
    with check("after the commit only the new PIN is valid, and the commit may be repeated"):
        change = wallet.change
        same(wallet.commit_pin_change().kind, "pin_change_committed")
        problem("instruction-refused", 400, lambda: live.check_pin(wallet, PIN, former))
        answer, again = wallet.check_pin(NEW_PIN)
        same((answer.kind, again), ("valid", share))
        wallet.change = change
        same(wallet.commit_pin_change().kind, "pin_change_committed")
    with check("a cancellation that comes too late is answered by pin_change_committed"):
        wallet.change = change
        same(wallet.cancel_pin_change().kind, "pin_change_committed")
        same(wallet.check_pin(NEW_PIN)[0].kind, "valid")
    with check("after a cancellation only the former PIN is valid, and the cancellation may be repeated"):
        _, _, cancelled = wallet.begin_pin_change(NEW_PIN, PIN)
        assert cancelled is not None
        unused = cancelled.pin
        same(wallet.prepare_pin_change(cancelled)[0].kind, "valid")
        change = wallet.change
        same(wallet.cancel_pin_change().kind, "pin_change_cancelled")
        problem("instruction-refused", 400, lambda: live.check_pin(wallet, PIN, unused))
        same(wallet.check_pin(NEW_PIN)[0].kind, "valid")
        wallet.change = change
        same(wallet.cancel_pin_change().kind, "pin_change_cancelled")
        wallet.change = change
        same(wallet.commit_pin_change().kind, "unknown_pin_change")
        wallet.change = None
    with check("a change that is begun anew replaces one that was not committed"):
        _, _, first = wallet.begin_pin_change(NEW_PIN, PIN)
        _, _, second = wallet.begin_pin_change(NEW_PIN, PIN)
        assert first is not None and second is not None
        problem("instruction-refused", 400, lambda: wallet.prepare_pin_change(first))
        same(wallet.prepare_pin_change(second)[0].kind, "valid")
        same(wallet.commit_pin_change().kind, "pin_change_committed")
        same(live.check_pin(wallet, PIN).kind, "valid")
    with check("the right PIN opens the slots of this wallet, and a wrong one none"):
        keys = [os.urandom(32), os.urandom(32)]
        slots = [wallet.slot(keys[0]), wallet.slot(keys[1], "another"), wallet.slot(keys[1]) | {"use_key": "lost"},
                 wallet.slot(keys[1])]
        refused, none = wallet.authorize_use(WRONG_PIN, slots)
        same((refused.kind, none), ("wrong", []))
        answer, opened = wallet.authorize_use(PIN, slots)
        same((answer.kind, opened), ("authorized", [keys[0], "does_not_open", "unknown_key", keys[1]]))
        same("share" in answer.outcome, False)


def check_refusals(live: Live, wallet: Wallet, other: Wallet, pin: str) -> None:
    """Messages that the provider refuses. After each the same challenge and number still serve a right PIN."""
    count, attempt = live.check_pin(wallet, pin).outcome.get("failures"), live.begin(wallet, pin)
    key, elsewhere = attempt.secrets.key, live.begin(other, PIN)
    (key_name, recipient), = wallet.provider.refresh().encryption_keys.items()
    payload = write_json({"share_recipient": encode(bytes(PrivateKey.generate().public_key))})

    def craft(claims: Json, change: Json = {}, typ: str = INSTRUCTION, inner: Json = {}, inner_typ: str = PIN_INSTRUCTION,
              signer: SigningKey | None = None, text: Callable[[bytes], bytes] = bytes, header: Json = {},
              sealed_to: bytes | None = recipient, edit: Callable[[bytes], bytes] = bytes, drop: str = "") -> Json:
        spki = encode(subject_public_key_info(wallet.hardware.public))
        inside = claims | attempt.claims | {"payload_hash": encode(sha256(payload)), "hardware_key": spki} | inner
        inside = {name: value for name, value in inside.items() if value is not None}
        data = edit(write_json({"signature": sign(key, inner_typ, inside), "payload": encode(payload)}))
        data = data if sealed_to is None else seal(data, sealed_to)
        outside = claims | {"payload_hash": encode(sha256(data)), "encryption_key": key_name} | change
        outside = {name: value for name, value in outside.items() if name != drop}
        by = signer or wallet.hardware
        head = write_json({"alg": by.algorithm, "typ": typ} | header)
        signed = encode(head) + "." + encode(text(write_json(outside)))
        return {"signature": signed + "." + encode(by.sign(signed.encode())), "payload": encode(data)}

    def replace(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
        def apply(data: bytes) -> bytes:
            same(data.count(old), 1, "number of places to alter")
            return data.replace(old, new)
        return apply

    def swap(message: Json) -> bytes:
        foreign = wallet.make("pin_state", {}, os.urandom(32)).signature.split(".")[2]
        wallet.sequence -= 1
        return write_json(message | {"signature": message["signature"].rpartition(".")[0] + "." + foreign})

    def number(claims: Json, form: bytes) -> Callable[[bytes], bytes]:
        return replace(b'"sequence":%d' % claims["sequence"], b'"sequence":' + form % claims["sequence"])

    def with_body(change: Callable[[bytes], bytes]) -> Callable[[Json], bytes]:
        return lambda claims: change(write_json(craft(claims)))

    def post(body: bytes) -> bytes:
        return wallet.provider.exchange("POST", "/v2/instructions/check_pin", body)

    unused = wallet.fetch_challenge("pin_state")
    cases: list[tuple[str, str, int, Callable[[Json], bytes | Json]]] = [
        ("another wire version", "instruction-refused", 400, lambda c: craft(c, {"version": 1})),
        ("another audience", "instruction-refused", 400, lambda c: craft(c, {"audience": "other.example"})),
        ("another instruction than the route", "instruction-refused", 400, lambda c: craft(c, {"instruction": "pin_state"})),
        ("another typ", "signature-invalid", 401, lambda c: craft(c, typ=PIN_INSTRUCTION)),
        ("an undefined member of the header", "malformed-request", 400, lambda c: craft(c, header={"cty": "JWT"})),
        ("a kid in the header", "signature-invalid", 401, lambda c: craft(c, header={"kid": "abc"})),
        ("another algorithm than that of the key", "signature-invalid", 401, lambda c: craft(c, header={"alg": "none"})),
        ("a signature that belongs to other claims", "signature-invalid", 401, lambda c: swap(craft(c))),
        ("a signature by another Ed25519 key", "signature-invalid", 401, lambda c: craft(c, signer=SigningKey.ed25519())),
        ("a signature by another P-256 key", "signature-invalid", 401, lambda c: craft(c, signer=SigningKey.p256())),
        ("another payload than was signed", "instruction-refused", 400,
         lambda c: craft(c) | {"payload": craft(c)["payload"]}),
        ("two members of one name in the body", "malformed-request", 400,
         with_body(lambda b: b[:-1] + b',"payload":"AA"}')),
        ("two members of one name in the claims", "malformed-request", 400,
         lambda c: craft(c, text=lambda data: data[:-1] + b',"version":2}')),
        ("a fraction", "malformed-request", 400, lambda c: craft(c, text=number(c, b"%d.0"))),
        ("an exponent", "malformed-request", 400, lambda c: craft(c, text=number(c, b"%de0"))),
        ("a byte order mark", "malformed-request", 400, with_body(lambda b: b"\xef\xbb\xbf" + b)),
        ("padding in base64url", "malformed-request", 400,
         with_body(lambda b: b.replace(b'","signature', b'=","signature'))),
        ("a body that is not JSON", "malformed-request", 400, with_body(lambda b: b[:-1])),
        ("a sequence number beyond the range", "malformed-request", 400, lambda c: craft(c | {"sequence": 2**53})),
        ("a missing challenge", "challenge-refused", 403, lambda c: craft(c, drop="challenge")),
        ("an unknown challenge", "challenge-refused", 403, lambda c: craft(c, {"challenge": encode(bytes(32))})),
        ("a challenge for another instruction", "challenge-refused", 403,
         lambda c: craft(c | {"challenge": encode(unused)})),
        ("a challenge of another wallet", "challenge-refused", 403,
         lambda c: craft(c | {"challenge": encode(elsewhere.challenge)})),
        ("an unknown encryption key", "instruction-refused", 400, lambda c: craft(c, {"encryption_key": "AAAAAAAAAAAA"})),
        ("no encryption key", "instruction-refused", 400, lambda c: craft(c, drop="encryption_key")),
        ("a payload that is not sealed", "instruction-refused", 400, lambda c: craft(c, sealed_to=None)),
        ("a payload that is sealed to another key", "instruction-refused", 400,
         lambda c: craft(c, sealed_to=bytes(PrivateKey.generate().public_key))),
        ("an inner message for another audience", "instruction-refused", 400, lambda c: craft(c, inner={"audience": "x"})),
        ("an inner message of another typ", "instruction-refused", 400, lambda c: craft(c, inner_typ=INSTRUCTION)),
        ("an inner message of another instruction", "instruction-refused", 400,
         lambda c: craft(c, inner={"instruction": "prepare_pin_change"})),
        ("an inner message with another number", "instruction-refused", 400,
         lambda c: craft(c, inner={"sequence": c["sequence"] + 1})),
        ("an inner message with another challenge", "instruction-refused", 400,
         lambda c: craft(c, inner={"challenge": encode(bytes(32))})),
        ("an inner message for another hardware key", "instruction-refused", 400,
         lambda c: craft(c, inner={"hardware_key": encode(subject_public_key_info(other.hardware.public))})),
        ("an inner message with another payload", "instruction-refused", 400,
         lambda c: craft(c, inner={"payload_hash": encode(bytes(32))})),
        ("an inner message about another evaluation", "challenge-refused", 403,
         lambda c: craft(c, inner={"evaluation": elsewhere.evaluation})),
        ("an inner message about no evaluation", "challenge-refused", 403, lambda c: craft(c, inner={"evaluation": None})),
        ("an inner message about another blinded PIN", "challenge-refused", 403,
         lambda c: craft(c, inner={"blinded": encode(elsewhere.blinded)})),
        ("an inner message about no blinded PIN", "challenge-refused", 403, lambda c: craft(c, inner={"blinded": None})),
        ("two members of one name in the inner message", "instruction-refused", 400,
         lambda c: craft(c, edit=lambda data: data[:-1] + b',"payload":"e30"}')),
        ("a byte order mark in the inner message", "instruction-refused", 400,
         lambda c: craft(c, edit=lambda data: b"\xef\xbb\xbf" + data)),
    ]

    for name, kind, status, build in cases:
        with check(f"refused and not counted: {name} ({kind})"):
            claims = wallet.claims("check_pin", attempt.challenge)
            message = build(claims)
            body = message if isinstance(message, bytes) else write_json(message)
            problem(kind, status, lambda: post(body))
            message = craft(claims)
            answer = wallet.send(Request(claims, message["signature"], write_json(message)))
            same((answer.kind, answer.outcome.get("failures")), ("valid", count))
            attempt = live.begin(wallet, pin)
    with check("the attempts that the refused messages were about are still open"):
        same((live.finish(wallet, attempt).kind, live.finish(other, elsewhere).kind), ("valid", "valid"))


def check_http(live: Live, wallet: Wallet) -> None:
    """Routes, methods and types."""
    provider = wallet.provider
    with check("an unknown path, another method, another type and a long body are refused"):
        problem("not-found", 404, lambda: provider.exchange("POST", "/v2/instructions/nothing", b"{}"))
        problem("method-not-allowed", 405, lambda: provider.exchange("GET", "/v2/registrations"))
        problem("unsupported-media-type", 415, lambda: provider.exchange(
            "POST", "/v2/registrations", b"{}", {"Content-Type": "text/plain"}))
        problem("body-too-large", 413, lambda: provider.exchange("POST", "/v2/registrations", b" " * 262_145))
    with check("the configuration has an ETag that is its hash, and is answered by 304"):
        tag = f'"{provider.refresh().hash}"'
        jws = provider.exchange("GET", "/v2/configuration", content_type="application/jwt")
        same(f'"{encode(sha256(jws))}"', tag)
        try:
            provider.exchange("GET", "/v2/configuration", headers={"If-None-Match": tag})
            raise AssertionError("no 304")
        except ProtocolError as error:
            same("304" in str(error), True, "304")
    with check("a wallet-nonce that is not 16 bytes is malformed-request, and one without gets no nonce"):
        problem("malformed-request", 400, lambda: provider.exchange("GET", "/v2/update-policy", headers={"wallet-nonce": "AAAA"}))
        text = provider.exchange("GET", "/v2/update-policy", content_type="application/jwt").decode()
        same("nonce" in verify(text, "wallet-update-policy+jwt", provider.signing_keys), False, "a nonce")
    with check("a fetched configuration and policy are current, and are fetched once"):
        fetched = provider.fetches
        provider.refresh()
        same((provider.may_seal(), fetched, provider.fetches), (True, 1, 1))


def entry_of(copy: str) -> tuple[str, int]:
    """The entry of a status list that a copy of a PID has."""
    return entry(read_object(decode(copy.split(".")[1])))


def check_proofing(live: Live, first: Wallet, second: Wallet) -> None:
    """Claims codes, submits evidence and gets the PIDs of two wallets."""
    today = datetime.date.today()
    for wallet, other, family in ((first, second, "Vanderbloom"), (second, first, "Mustermann")):
        kind, keys = wallet.hardware.algorithm, [SigningKey.p256() for _ in range(10)]
        evidence = {"family_name": family.upper(), "given_name": "ERIKA", "middle_names": "MARIA", "birth_date": "1990-12-31",
                    "expiry_date": f"{today.year + 4}-06-30", "document_number": "D" + os.urandom(5).hex().upper(),
                    "issuer_number": "636014", "document_kind": "DL", "warnings": [], "deviations": []}
        link = live.account(family, "Erika Maria", "1990-12-31")["link"]
        provider, session = wallet.provider, ""
        with check(f"a wallet claims a code and may repeat the claim ({kind})"):
            answer = wallet.claim(link)
            same(answer.kind, "claimed")
            session = answer.outcome["session"]["id"]
            same((answer.outcome["session"]["attempts_left"], "DL" in answer.outcome["session"]["kinds"]), (5, True))
            same(wallet.claim(link).outcome["session"]["id"], session)
            same(wallet.status(session).outcome["status"]["state"], "open")
        with check(f"another wallet cannot claim the same code ({kind})"):
            answer = other.claim(link)
            same((answer.kind, answer.outcome["refusal"]["reason"]), ("code_refused", "claimed_elsewhere"))
            same(other.status(session).outcome["status"]["state"], "lapsed")
        with check(f"an unknown code is invalid ({kind})"):
            unknown = re.sub(r"n=[A-Za-z0-9_-]+", f"n={encode(os.urandom(32))}", link)
            same(wallet.claim(unknown).outcome["refusal"]["reason"], "invalid")
        with check(f"evidence of another name gets resubmit, once for each idempotency key ({kind})"):
            same_key = os.urandom(16)
            for key_bytes, left in ((same_key, 4), (same_key, 4), (os.urandom(16), 3)):
                status = wallet.submit(session, evidence | {"family_name": "STRANGER"}, key_bytes).outcome["status"]
                same((status["state"], status["reason"], status["attempts_left"]), ("resubmit", "not_matched", left))
        with check(f"evidence of an expired document gets resubmit ({kind})"):
            status = wallet.submit(session, evidence | {"expiry_date": "2020-01-01"}, os.urandom(16)).outcome["status"]
            same((status["state"], status["reason"], status["attempts_left"]), ("resubmit", "document", 2))
        with check(f"a PID is not issued before the verdict ({kind})"):
            answer = wallet.issue_pid(session, keys)[0]
            same((answer.kind, answer.outcome["status"]["state"]), ("proofing", "resubmit"))
        with check(f"evidence that matches the account is proofed ({kind})"):
            same(wallet.submit(session, evidence, os.urandom(16)).outcome["status"]["state"], "proofed")
            same(wallet.status(session).outcome["status"]["state"], "proofed")
        with check(f"a PID is not issued before the PIN was right since the verdict ({kind})"):
            answer = wallet.issue_pid(session, keys)[0]
            same((answer.kind, answer.outcome["status"]["state"]), ("proofing", "proofed"))
            same(live.check_pin(wallet, PIN).kind, "valid")
        copies: list[str] = []
        trust = provider.configuration.trust
        with check(f"each copy of the PID is bound to its key and has all claims ({kind})"):
            answer, copies = wallet.issue_pid(session, keys)
            same(answer.kind, "pid")
            for (claims, disclosed), key in zip(read_copies(copies, trust, [key.public for key in keys], provider.now()), keys):
                same(disclosed, {"family_name": family, "given_name": "Erika Maria", "birthdate": "1990-12-31",
                                 "age_equal_or_over": {"16": True, "18": True, "21": True, "65": False}})
                same(claims["verification"], {"evidence": "driving_permit", "barcode_claimed": True, "account_match": True,
                                              "issuing_source_match": False, "demonstration": True})
                same((type(claims["issuing_authority"]), type(claims["issuing_country"])), (str, str))
                same(claims["cnf"], {"jwk": jwk(key.public)})
        with check(f"a PID of another type, authority or time, or for other keys, is refused ({kind})"):
            public = [key.public for key in keys]
            refused(lambda: read_copies(copies, Trust("urn:other", trust.anchors), public, provider.now()))
            refused(lambda: read_copies(copies, Trust(trust.type, []), public, provider.now()))
            refused(lambda: read_copies(copies, trust, public, provider.now() + 91 * 86_400))
            refused(lambda: read_copies(copies, trust, public[::-1], provider.now()))
            refused(lambda: read_copies([copies[0].rsplit("~", 2)[0] + "~", *copies[1:]], trust, public, provider.now()))
        with check(f"the PID is issued again for the same keys, with the same entries of status lists ({kind})"):
            answer, again = wallet.issue_pid(session, keys)
            same((answer.kind, len(again)), ("pid", 10))
            same([entry_of(copy) for copy in again], [entry_of(copy) for copy in copies])
        with check(f"a presentation shows the chosen claims, and its key binding verifies ({kind})"):
            now, audience = provider.now(), "https://verifier.example"
            shown = present(copies[0], ["family_name", "18"], keys[0], audience, "nonce-1", now)
            _, disclosed = read_presentation(shown, trust, audience, "nonce-1", now)
            same(disclosed, {"family_name": family, "age_equal_or_over": {"18": True}})
            refused(lambda: read_presentation(shown, trust, audience, "nonce-2", now))
            stolen = present(copies[0], ["family_name"], keys[1], audience, "nonce-1", now)
            refused(lambda: read_presentation(stolen, trust, audience, "nonce-1", now))
        with check(f"Ed25519 keys, one key twice, none and 21 are malformed-request ({kind})"):
            for others in ([SigningKey.ed25519()], [keys[0], keys[0]], [], [SigningKey.p256() for _ in range(21)]):
                problem("malformed-request", 400, lambda: wallet.issue_pid(session, others))
        with check(f"a used code is refused ({kind})"):
            same(other.claim(link).outcome["refusal"]["reason"], "invalid")
        with check(f"a wallet that proves other keys gets lapsed ({kind})"):
            answer, _ = wallet.issue_pid(session, [SigningKey.p256()])
            same((answer.kind, answer.outcome["status"]["state"]), ("proofing", "lapsed"))


def check_replacement(live: Live, owner: Wallet, newcomer: Wallet) -> None:
    """Two wallets for one account, and the release of a claim."""
    evidence = {"family_name": "ROE", "given_name": "RICHARD", "birth_date": "1985-02-03", "issuer_number": "636014",
                "expiry_date": f"{datetime.date.today().year + 2}-06-30", "document_number": os.urandom(5).hex().upper(),
                "document_kind": "ID", "warnings": [], "deviations": []}
    account = live.account("Roe", "Richard", "1985-02-03")
    with check("a released claim is lapsed, and another wallet may claim its code"):
        session = owner.claim(account["link"]).outcome["session"]["id"]
        same(owner.release(session).kind, "released")
        same(owner.status(session).outcome["status"]["state"], "lapsed")
        same(newcomer.claim(account["link"]).kind, "claimed")
    with check("evidence of another wallet for a proofed account waits, and the owner is told"):
        link = read_object(live.operator("account", "code", account["account"], "--json").encode())["link"]
        session = owner.claim(link).outcome["session"]["id"]
        same(owner.submit(session, evidence, os.urandom(16)).outcome["status"]["state"], "proofed")
        same(owner.pin_state().replacement, None)
        link = read_object(live.operator("account", "code", account["account"], "--json").encode())["link"]
        waiting = newcomer.claim(link).outcome["session"]["id"]
        status = newcomer.submit(waiting, evidence, os.urandom(16)).outcome["status"]
        same((status["state"], set(status)), ("waiting", {"state", "retry_after_ms", "expires_in_ms", "reference"}))
        for answer in (owner.pin_state(), owner.check_pin(PIN)[0]):
            same(set(answer.replacement or {}), {"session", "takes_effect_in_ms"})
    with check("a replacement that the owner refuses with the PIN is declined"):
        notice = (owner.pin_state().replacement or {})["session"]
        same(owner.decide_replacement(WRONG_PIN, notice, "refuse").kind, "wrong")
        same(newcomer.status(waiting).outcome["status"]["state"], "waiting")
        same(owner.decide_replacement(PIN, notice, "refuse").kind, "valid")
        same(newcomer.status(waiting).outcome["status"]["state"], "declined")
        same(owner.pin_state().replacement, None)


def check_deletion(live: Live, wallet: Wallet, name: str) -> None:
    """Deletes a wallet."""
    with check(f"a deleted wallet gets unknown_wallet, also for the same bytes ({name})"):
        request = wallet.make("delete_wallet", {}, wallet.fetch_challenge("delete_wallet"))
        same(wallet.send(request).kind, "deleted")
        same(wallet.send(request).kind, "unknown_wallet")
        same(wallet.send(wallet.make("challenge", {"instruction": "check_pin"}, None)).kind, "unknown_wallet")
        same(wallet.send(wallet.make("pin_state", {}, os.urandom(32))).kind, "unknown_wallet")
    with check(f"a deleted wallet's hardware key may register again ({name})"):
        again = Wallet(wallet.provider, wallet.hardware)
        same(again.register(PIN)[0].kind, "registered")
        same(again.id == wallet.id, False, "the same wallet id")
        same((again.confirm().kind, again.delete().kind), ("confirmed", "deleted"))


def main() -> int:
    """Runs all checks."""
    if len(sys.argv) != 6:
        print(__doc__, file=sys.stderr)
        return 2
    article, configuration, url, command, directory = sys.argv[1:]
    check_examples(article)
    with open(configuration, "rb") as file:
        live = Live(file.read(), url, command, directory)
    first, second = check_pins(live)
    third = live.registered()
    check_refusals(live, second, third, PIN)
    check_refusals(live, third, second, PIN)
    check_parallel(live)
    check_http(live, second)
    check_pin_change(live, third)
    check_end_of_block(live, first)
    check_proofing(live, first, second)
    check_replacement(live, live.registered(), live.registered(p256=True))
    check_deletion(live, first, "Ed25519")
    check_deletion(live, second, "P-256")
    print(f"# {sum(results)} of {len(results)} checks passed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
