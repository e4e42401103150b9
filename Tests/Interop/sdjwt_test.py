#!/usr/bin/env python3
"""Verifies PIDs, presentations and attacks on both with the package sd-jwt.

    sdjwt_test.py FILE...

Each FILE is a JSON array of exchanges, at least one, with the members of Tests/Vectors/sdjwt.json: `iss`, `issuer`
(`jwk`) or `configuration` (the path of the file that an app embeds), `aud`, `nonce`, `presented_at`
(seconds), `presentation` and `presented_claims`; `issued` and `claims` if the issued credential is
known, also alone if nothing was presented. Prints a line per check, in the form that Tests/ABI/run.sh counts.
"""

import base64
import json
import pathlib
import re
import sys

from jwcrypto.jwk import JWK
from jwcrypto.jws import JWS

from sdjwt_verify import Refused, Verifier, algorithm_of, issuers_of_configuration

# The kinds of refusal, in the wording of the verifier and the package.
SIGNATURE = "InvalidJWSSignature: "
UNSIGNED = 'InvalidJWSSignature: .*"alg" mismatch, requested "(ES256|EdDSA)", found "none"'
DIGEST = "ValueError: Invalid digest in KB-JWT$"
AUDIENCE = "ValueError: Invalid audience in KB-JWT$"
NONCE = "ValueError: Invalid nonce in KB-JWT$"
NO_BINDING = "InvalidJWSObject: "

FORM = ("iss", "vct", "iat", "exp", "cnf")  # members of every PID besides its claims


def decoded(part):
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def encoded(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def flipped(part):
    return ("B" if part[0] == "A" else "A") + part[1:]


def damaged(token, index, change):
    """A JWS with one part changed and the signature kept."""
    parts = token.split(".")
    parts[index] = change(parts[index])
    return ".".join(parts)


def signed(token, key, algorithm=None, **header):
    """The same payload, signed by another key."""
    payload = json.dumps(decoded(token.split(".")[1]))
    other = JWS(payload)
    algorithm = algorithm or algorithm_of(key)
    other.allowed_algs = [algorithm]
    other.add_signature(key, protected={**decoded(token.split(".")[0]), **header, "alg": algorithm})
    return other.serialize(compact=True)


def stranger(key):
    return JWK.generate(kty=key["kty"], crv=key["crv"])


class Exchange:
    def __init__(self, answer):
        self.answer = answer
        if "configuration" in answer:
            self.issuers = issuers_of_configuration(answer["configuration"])
        else:
            self.issuers = {answer["iss"]: {None: JWK(**answer["issuer"]["jwk"])}}
        presentation = answer.get("presentation", answer.get("issued"))
        self.credential, *self.disclosures, self.binding = presentation.split("~")
        self.claims = decoded(self.credential.split(".")[1])
        self.withheld = []
        if "issued" in answer:
            self.withheld = sorted(set(answer["issued"].split("~")[1:-1]) - set(self.disclosures))

    def verifier(self, now=None, **changes):
        now = self.answer["presented_at"] if now is None else now
        options = {"issuers": self.issuers, "audience": self.answer.get("aud"), **changes}
        return Verifier(**options, clock=lambda: now, nonces=[self.answer.get("nonce")])

    def verified(self, presentation=None, verifier=None):
        verifier = verifier or self.verifier()
        return verifier.verify(presentation or self.answer["presentation"], self.answer["nonce"])

    def presentation(self, credential=None, disclosures=None, binding=None):
        return "~".join([
            self.credential if credential is None else credential,
            *(self.disclosures if disclosures is None else disclosures),
            self.binding if binding is None else binding])

    def name(self):
        shown = [decoded(disclosure)[1] for disclosure in self.disclosures]
        tokens = [token for token in (self.credential, self.binding) if token]
        algorithms = "/".join(decoded(token.split(".")[0])["alg"] for token in tokens)
        return f"{algorithms}, showing {', '.join(shown) or 'nothing'}"


def without_form(claims):
    return {name: value for name, value in claims.items() if name not in FORM}


def tampered(exchange):
    """Presentations with a changed part, and the kind of refusal that each must get."""
    credential, binding = exchange.credential, exchange.binding
    longer = encoded({**exchange.claims, "exp": exchange.claims["exp"] + 1})
    yield "the issuer's signature", SIGNATURE, exchange.presentation(damaged(credential, 2, flipped))
    yield "the issuer's claims", SIGNATURE, exchange.presentation(
        damaged(credential, 1, lambda part: longer))
    yield "the binding's signature", SIGNATURE, exchange.presentation(
        binding=damaged(binding, 2, flipped))
    for member in ("nonce", "aud"):
        other = encoded({**decoded(binding.split(".")[1]), member: "another"})
        yield f"the binding's {member}", SIGNATURE, exchange.presentation(
            binding=damaged(binding, 1, lambda part, other=other: other))
    yield "no binding", NO_BINDING, exchange.presentation(binding="")
    unsigned = encoded({**decoded(binding.split(".")[0]), "alg": "none"})
    yield "an unsigned binding", UNSIGNED, exchange.presentation(
        binding=".".join([unsigned, binding.split(".")[1], ""]))
    for index, disclosure in enumerate(exchange.disclosures):
        salt, name, _ = decoded(disclosure)
        rest = exchange.disclosures[:index] + exchange.disclosures[index + 1:]
        yield f"another {name}", DIGEST, exchange.presentation(
            disclosures=[*rest, encoded([salt, name, "Somebody Else"])])
        yield f"{name} taken away", DIGEST, exchange.presentation(disclosures=rest)
    for disclosure in exchange.withheld:
        yield f"{decoded(disclosure)[1]} added by a stranger", DIGEST, exchange.presentation(
            disclosures=[*exchange.disclosures, disclosure])
    yield "a made-up claim", DIGEST, exchange.presentation(
        disclosures=[*exchange.disclosures, encoded(["salt", "email", "somebody@example.org"])])


def forged(exchange):
    """Forgeries with other keys."""
    holder = JWK(**exchange.claims["cnf"]["jwk"])
    issuer = next(iter(next(iter(exchange.issuers.values())).values()))
    yield "a foreign issuer key", SIGNATURE, exchange.presentation(
        signed(exchange.credential, stranger(issuer)))
    yield "a foreign holder key", SIGNATURE, exchange.presentation(
        binding=signed(exchange.binding, stranger(holder)))
    shared = JWK(kty="oct", k=issuer["x"])
    yield "the issuer's public key as a shared secret", "another algorithm than the key's$", (
        exchange.presentation(signed(exchange.credential, shared, "HS256")))
    own = stranger(issuer)
    yield "a key that the credential brings along", SIGNATURE, exchange.presentation(
        signed(exchange.credential, own, jwk=own.export_public(as_dict=True)))


def told(name, holds, reason=""):
    print(f"{'ok' if holds else 'not ok'} - {name}")
    if not holds and reason:
        print("#   " + str(reason).replace("\n", "\n#   "))


def accepts(name, claims, verify):
    try:
        found = without_form(verify())
        told(name, claims is None or found == claims, f"wanted {claims}\nfound {found}")
    except Refused as problem:
        told(name, False, problem)


def refuses(name, reason, verify):
    """Passes if it is refused for that reason: a refusal for another reason may be an accident."""
    try:
        verify()
        told(name, False, "it was accepted")
    except Refused as problem:
        told(name, re.match(reason, str(problem), re.DOTALL), f"wanted {reason}\nfound {problem}")


def check_issued(exchange, name):
    answer = exchange.answer
    issued, issuer = answer["issued"], answer["issued"].split("~")[0]

    def verify(text, **changes):
        return lambda: exchange.verifier(**changes).verify_issued(text)

    accepts(f"{name}: as issued", answer.get("claims"), verify(issued))
    changed = issued.replace(issuer, damaged(issuer, 2, flipped))
    refuses(f"{name}: as issued, tampered", SIGNATURE, verify(changed))
    made_up = issued + encoded(["salt", "email", "x"]) + "~"
    refuses(f"{name}: as issued, with a claim made up",
            "a disclosure that belongs to no claim$", verify(made_up))
    refuses(f"{name}: as issued, expired", "expired$", verify(issued, now=exchange.claims["exp"]))
    refuses(f"{name}: as issued, by an issuer that is not trusted", "another issuer$",
            verify(issued, issuers={"elsewhere.example": {}}))


def check_presented(exchange, name):
    answer = exchange.answer
    accepts(f"{name}: as presented", answer["presented_claims"], exchange.verified)
    for what, reason, presentation in (*tampered(exchange), *forged(exchange)):
        refuses(f"{name}: {what}", reason, lambda: exchange.verified(presentation))

    verifier = exchange.verifier()
    exchange.verified(verifier=verifier)
    refuses(f"{name}: presented again", "this nonce is not waited for$",
            lambda: exchange.verified(verifier=verifier))
    for what, reason, options in (
        ("expired", "expired$", {"now": exchange.claims["exp"]}),
        ("not yet issued", "not yet issued$", {"now": exchange.claims["iat"] - 3600}),
        ("presented an hour ago", "not presented now$", {"now": answer["presented_at"] + 3600}),
        ("for another audience", AUDIENCE, {"audience": "https://elsewhere.example"}),
        ("of an issuer that is not trusted", "another issuer$",
         {"issuers": {"elsewhere.example": {}}}),
    ):
        refuses(f"{name}: {what}", reason,
                lambda: exchange.verified(verifier=exchange.verifier(**options)))
    verifier = exchange.verifier()
    refuses(f"{name}: in answer to a later question", NONCE,
            lambda: verifier.verify(answer["presentation"], verifier.ask()))


for path in sys.argv[1:]:
    exchanges = json.loads(pathlib.Path(path).read_text())
    told(f"there are exchanges in {pathlib.Path(path).name}", exchanges)
    for exchange in map(Exchange, exchanges):
        if "issued" in exchange.answer:
            check_issued(exchange, exchange.name())
        if "presentation" in exchange.answer:
            check_presented(exchange, exchange.name())
