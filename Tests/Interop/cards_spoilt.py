"""One good card, spoilt in each way that RFC 9901 and SD-JWT VC forbid, one thing at a time."""

import base64
import copy
import hashlib
import json

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from jwcrypto.jwk import JWK

# Why the core refuses what a package lets pass.
PROFILE = "the package knows SD-JWT and not SD-JWT VC"
BINDING = "an issuer makes no key binding, and the package takes the card for a presentation"
UNUSED = "the package does not look at this member, and a holder who keeps the card has to rely on it"
MEMBER_TWICE = "of two members of one name one reader takes the first and another the last"
UNPLACED = "the package forgets what it cannot place, so a holder would keep what the issuer never signed"
IN_ARRAYS = "the package looks for repeated digests in objects only"
UNTYPED = "the package does not check the type of this value"
ONE_TEXT = "the package decodes base64url leniently, so one disclosure would have several texts"
NO_JSON = "the package's reader takes what is no JSON of RFC 8259, or no Unicode text"
RESERVED = "the package does not keep the names that SD-JWT itself uses"
DEPTH = "the package has no limit, or the limit of its language; a wallet on a phone needs one"
CRITICAL = "the package ignores a crit that RFC 7515 section 4.1.11 forbids"
ABSENT = "the package takes null for a member that is not there"
EMPTY = "the package skips an empty disclosure, which is none of RFC 9901 section 4"

# By the way in which the card is spoilt: the package, and the reason.
STRICTER = {}


def stricter(reason, packages, *names):
    for name in names:
        STRICTER.setdefault(name, {}).update(dict.fromkeys(packages, reason))


SD_JWT, OPENVC = ["sd-jwt"], ["openvc-core"]
BOTH = SD_JWT + OPENVC

stricter(
    PROFILE, SD_JWT, "no typ",
    *(f"typ {type}" for type in
      ("vc+sd-jwt", "example+sd-jwt", "JWT", "DC+SD-JWT", "kb+jwt", "application/dc+sd-jwt")),
    *(f"a hidden {name}" for name in
      ("iss", "vct", "exp", "nbf", "cnf", "vct#integrity", "status", "part of the status", "element of aka_vcts")),
    "no vct", "a vct that is a number", "an empty vct", "an iss that is a number", "an exp that is a text",
    "an exp that is null", "an exp below 0", "an nbf that is a text", "an aka_vcts that is a text",
    "an aka_vcts that is empty", "an aka_vcts with the vct", "an aka_vcts with an empty text",
)
stricter(CRITICAL, SD_JWT, "crit with nothing", "crit with a registered member")
stricter(
    MEMBER_TWICE, BOTH, "a header with typ twice", "a payload with vct twice",
    "a disclosure with a member twice in its value",
)
stricter(
    UNUSED, BOTH, "an x5c of base64url", "an x5c that is a text", "a cnf without a key",
    "a cnf with the private key", "a status without index",
)
stricter(
    BINDING, SD_JWT, "no tilde at the end", "the last disclosure cut short", "a line end after it",
)
stricter(BINDING, BOTH, "a key binding already")
stricter(EMPTY, OPENVC, "an empty disclosure")
stricter(
    IN_ARRAYS, SD_JWT, "a digest twice in an array", "a decoy twice in an array",
    "a digest in an object and an array",
)
stricter(
    UNTYPED, SD_JWT, "_sd that is a text", "_sd that is an object", "a digest that is a number",
    "an element's digest that is a number", "an element's digest that is null",
    "a disclosure with a number as name", "a disclosure with null as name",
)
stricter(ABSENT, OPENVC, "_sd that is null")
stricter(UNTYPED, BOTH, "a disclosure with a number as salt", "a disclosure with null as salt")
stricter(
    UNPLACED, SD_JWT, "a disclosure that no digest refers to", "a disclosure without its parent",
    "a disclosure encoded anew",
)
stricter(
    NO_JSON, BOTH, "a disclosure with half a surrogate pair", "a disclosure with not a number",
)
stricter(
    ONE_TEXT, BOTH, "a disclosure with padding", "a disclosure in standard base64",
    "a disclosure with bits left over",
)
stricter(
    RESERVED, SD_JWT, "a disclosed _sd", "a disclosed ...", "a disclosed _sd_alg",
    "a disclosed _sd below the top", "... as a member",
    "another member beside an element's digest",
)
stricter(RESERVED, BOTH, "_sd_alg below the top")
stricter(
    DEPTH, SD_JWT, "arrays 200 deep in the payload", "arrays 200 deep in a disclosure",
    "disclosures 200 deep in each other",
)


class Issuer:
    """Signs whatever it is told."""

    def __init__(self, name, type):
        self.name, self.type = name, type
        self.jwk = JWK.generate(kty="EC", crv="P-256")
        self.holder = JWK.generate(kty="EC", crv="P-256")

    @staticmethod
    def signature(key, message):
        """In DER."""
        return key.get_op_key("sign").sign(message, ec.ECDSA(hashes.SHA256()))

    def sign(self, message, key=None):
        numbers = decode_dss_signature(self.signature(key or self.jwk, message))
        return b"".join(number.to_bytes(32, "big") for number in numbers)


def encoded(data):
    if not isinstance(data, bytes):
        data = (data if isinstance(data, str) else json.dumps(data)).encode()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def digest(disclosure):
    return encoded(hashlib.sha256(disclosure.encode()).digest())


def hidden(disclosure):
    return {"...": digest(disclosure)}


def flipped(part):
    return ("B" if part[0] == "A" else "A") + part[1:]


class Draft:
    """A card before it is signed. Header and payload may be texts, where they are no usual JSON."""

    def __init__(self, issuer, now):
        self.issuer = issuer
        self.header = {"alg": "ES256", "typ": "dc+sd-jwt", "kid": "1"}
        self.name = encoded(["salt 1", "given_name", "Zoë"])
        self.street = encoded(["salt 2", "street", "Main Street"])
        self.address = encoded(["salt 3", "address", {"_sd": [digest(self.street)], "country": "NL"}])
        self.element = encoded(["salt 4", "DE"])
        self.decoy = digest("decoy")
        self.disclosures = [self.name, self.street, self.address, self.element]
        self.payload = {
            "iss": issuer.name, "vct": issuer.type, "iat": now, "exp": now + 86_400,
            "cnf": {"jwk": issuer.holder.export_public(as_dict=True)}, "_sd_alg": "sha-256",
            "_sd": [digest(self.name), digest(self.address), self.decoy],
            "nationalities": ["NL", hidden(self.element)], "open": {"claim": 1},
        }

    def signing_input(self):
        return f"{encoded(self.header)}.{encoded(self.payload)}"

    def signed(self, key=None):
        message = self.signing_input()
        return f"{message}.{encoded(self.issuer.sign(message.encode(), key))}"

    def card(self, jws=None):
        return "~".join([jws or self.signed(), *self.disclosures]) + "~"

    def replaced(self, old, new):
        """Puts a disclosure in the place of another one, with its digest."""
        def changed(value):
            if isinstance(value, dict):
                return {name: changed(member) for name, member in value.items()}
            if isinstance(value, list):
                return [changed(element) for element in value]
            return digest(new) if value == digest(old) else value

        self.disclosures[self.disclosures.index(old)] = new
        self.payload = changed(self.payload)
        return self

    def carrying(self, *disclosures):
        """Carries these disclosures and no others."""
        self.disclosures = list(disclosures)
        return self

    def adding(self, *disclosures):
        """Adds disclosures without digests."""
        return self.carrying(*self.disclosures, *disclosures)

    def revealed(self, *disclosures):
        """Adds disclosures with their digests."""
        self.payload["_sd"] += [digest(disclosure) for disclosure in disclosures]
        return self.adding(*disclosures)

    def stating(self, **members):
        self.payload |= members
        return self

    def without(self, name):
        del self.payload[name]
        return self

    def headed(self, **members):
        self.header |= members
        return self

    def headed_without(self, name):
        del self.header[name]
        return self

    def written(self, **texts):
        """Has a header or a payload that is a text of its own."""
        for name, text in texts.items():
            setattr(self, name, text)
        return self


def signatures(draft, issuer):
    jws = draft().signed()
    header, payload, signature = jws.split(".")
    raw = base64.urlsafe_b64decode(signature + "==")

    def with_signature(value):
        return draft().card(f"{header}.{payload}.{encoded(value)}")

    invalid = "issuerJWSRefused.signatureInvalid"
    yield "a changed signature", invalid, draft().card(f"{header}.{payload}.{flipped(signature)}")
    yield "a signature in DER", invalid, with_signature(issuer.signature(issuer.jwk, f"{header}.{payload}".encode()))
    yield "no signature", invalid, with_signature(b"")
    yield "a signature of 63 bytes", invalid, with_signature(raw[:63])
    yield "a signature of 65 bytes", invalid, with_signature(raw + b"\0")
    yield "a signature of zeros", invalid, with_signature(bytes(64))
    yield "a signature by another key", invalid, draft().card(draft().signed(JWK.generate(kty="EC", crv="P-256")))
    yield "a changed payload", invalid, draft().card(
        f"{header}.{encoded(draft().stating(exp=draft().payload['exp'] + 1).payload)}.{signature}")
    yield "a changed header", invalid, draft().card(f"{encoded(draft().headed(kid='2').header)}.{payload}.{signature}")


def headers(draft, issuer):
    algorithm = "issuerJWSRefused.algorithmRefused"
    unsigned = draft().headed(alg="none").signing_input() + "."
    yield "alg none without signature", algorithm, draft().card(unsigned)
    for value in ("none", "HS256", "ES384", "EdDSA", "es256"):
        yield f"alg {value} with the signature of ES256", algorithm, draft().headed(alg=value).card()
    yield "no alg", "issuerJWSRefused.headerMalformed", draft().headed_without("alg").card()
    type = "issuerJWSRefused.typeRefused"
    for value in ("vc+sd-jwt", "example+sd-jwt", "JWT", "DC+SD-JWT", "kb+jwt", "application/dc+sd-jwt"):
        yield f"typ {value}", type, draft().headed(typ=value).card()
    yield "no typ", type, draft().headed_without("typ").card()
    for name, value in (("an unknown member", ["x"]), ("nothing", []), ("a registered member", ["alg"])):
        yield f"crit with {name}", "issuerJWSRefused.criticalHeader", draft().headed(crit=value, x=1).card()
    twice = '{"alg":"ES256","typ":"dc+sd-jwt","typ":"dc+sd-jwt"}'
    yield "a header with typ twice", "issuerJWSRefused.headerMalformed", draft().written(header=twice).card()
    yield "an x5c of base64url", "issuerJWSRefused.chainMalformed", draft().headed(x5c=["AQI_"]).card()
    yield "an x5c that is a text", "issuerJWSRefused.chainMalformed", draft().headed(x5c="AQIDBA==").card()


def forms(draft, issuer):
    card = draft().card()
    first, *_ = card.split("~")
    yield "no tilde", "malformed", first
    yield "no tilde at the end", "keyBindingUnexpected", card[:-1]
    yield "the last disclosure cut short", "keyBindingUnexpected", card[:-8]
    yield "the last disclosure cut short before its tilde", "disclosureMalformed", card[:-8] + "~"
    yield "the signature cut short", "issuerJWSRefused.signatureInvalid", first[:-6] + "~"
    yield "the payload cut short", "issuerJWSRefused.malformed", ".".join(first.split(".")[:2]) + "~"
    yield "a space before it", "issuerJWSRefused.malformed", " " + card
    yield "a line end after it", "keyBindingUnexpected", card + "\n"
    yield "an empty disclosure", "disclosureMalformed", card + "~"
    binding = json.dumps({"iat": draft().payload["iat"], "aud": "v", "nonce": "n", "sd_hash": digest(card)})
    message = f"{encoded({'alg': 'ES256', 'typ': 'kb+jwt'})}.{encoded(binding)}"
    bound = f"{message}.{encoded(issuer.sign(message.encode(), issuer.holder))}"
    yield "a key binding already", "keyBindingUnexpected", card + bound
    for name, payload in (("an array", "[]"), ("null", "null"), ("no JSON", "{"), ("empty", "")):
        yield f"a payload that is {name}", "contentMalformed", draft().written(payload=payload).carrying().card()
    twice = json.dumps(draft().payload)[:-1] + f', "vct": "{issuer.type}"}}'
    yield "a payload with vct twice", "contentMalformed", draft().written(payload=twice).card()


def digests(draft, issuer):
    base = draft()
    name, element, decoy = digest(base.name), digest(base.element), base.decoy
    repeated = "digestRepeated"
    yield "a digest twice in one object", repeated, draft().stating(_sd=base.payload["_sd"] + [name]).card()
    yield "a decoy twice", repeated, draft().stating(_sd=base.payload["_sd"] + [decoy]).card()
    yield "a digest in two objects", repeated, draft().stating(more={"_sd": [name]}).card()
    yield "a digest twice in an array", repeated, draft().stating(
        nationalities=["NL", {"...": element}, {"...": element}]).card()
    yield "a decoy twice in an array", repeated, draft().stating(
        nationalities=["NL", {"...": element}, {"...": digest("x")}, {"...": digest("x")}]).card()
    yield "a digest in an object and an array", repeated, draft().stating(more=[{"...": decoy}]).card()
    address = encoded(["salt 3", "address", {"_sd": [digest(base.street), name]}])
    yield "a digest in the payload and in a disclosure", repeated, draft().replaced(base.address, address).card()
    malformed = "digestMalformed"
    for kind, value in (("a text", "x"), ("null", None), ("an object", {})):
        yield f"_sd that is {kind}", malformed, draft().stating(more={"_sd": value}).card()
    yield "a digest that is a number", malformed, draft().stating(more={"_sd": [1]}).card()
    yield "an element's digest that is a number", malformed, draft().stating(more=[{"...": 1}]).card()
    yield "an element's digest that is null", malformed, draft().stating(more=[{"...": None}]).card()
    yield "another member beside an element's digest", malformed, draft().stating(
        nationalities=["NL", {"...": element, "more": 1}]).card()
    algorithm = "digestAlgorithmRefused"
    for value in ("sha-1", "md5", "SHA-256", "", None, 256):
        yield f"_sd_alg {value!r}", algorithm, draft().stating(_sd_alg=value).card()
    yield "_sd_alg sha-512 with digests of SHA-256", algorithm, draft().stating(_sd_alg="sha-512").card()


def disclosures(draft, issuer):
    base = draft()
    unreferenced, malformed = "disclosureUnreferenced", "disclosureMalformed"
    yield "a disclosure that no digest refers to", unreferenced, draft().adding(
        encoded(["salt 9", "more", 1])).card()
    yield "a disclosure without its parent", unreferenced, draft().carrying(
        base.name, base.street, base.element).card()
    yield "a disclosure twice", "disclosureRepeated", draft().adding(base.name).card()
    spaced = encoded('["salt 1",  "given_name", "Zo\u00eb"]')
    yield "a disclosure encoded anew", unreferenced, draft().carrying(spaced, *base.disclosures[1:]).card()
    misplaced = "disclosureMisplaced"
    yield "an element's disclosure for a member", misplaced, draft().replaced(
        base.name, encoded(["salt 1", "Zoë"])).card()
    yield "a member's disclosure for an element", misplaced, draft().replaced(
        base.element, encoded(["salt 4", "name", "DE"])).card()
    for name, value in (
        ("four parts", ["salt 1", "given_name", "Zoë", 1]), ("one part", ["salt 1"]), ("no part", []),
        ("a number as salt", [1, "given_name", "Zoë"]), ("null as salt", [None, "given_name", "Zoë"]),
        ("a number as name", ["salt 1", 1, "Zoë"]), ("null as name", ["salt 1", None, "Zoë"]),
        ("an object instead of the array", {"salt": "salt 1", "given_name": "Zoë"}),
        ("no JSON", '["salt 1", "given_name", Zoe]'), ("text after it", '["salt 1", "given_name", 1] x'),
        ("bytes that are no UTF-8", b'["salt 1", "given_name", "\xff"]'),
        ("half a surrogate pair", '["salt 1", "given_name", "\\ud800"]'),
        ("a member twice in its value", '["salt 1", "given_name", {"a": 1, "a": 2}]'),
        ("a number with a leading zero", '["salt 1", "given_name", 01]'),
        ("not a number", '["salt 1", "given_name", NaN]'),
    ):
        yield f"a disclosure with {name}", malformed, draft().replaced(base.name, encoded(value)).card()
    yield "a disclosure with padding", malformed, draft().replaced(
        base.name, encoded(["salt 10", "given_name", "Zoë"]) + "=").card()
    plain = base64.b64encode('["salt 1", "given_name", "\u07ff\u07ff\u07ff>>>???"]'.encode()).decode().rstrip("=")
    yield "a disclosure in standard base64", malformed, draft().replaced(base.name, plain).card()
    # The last letter has bits that mean nothing.
    loose = encoded(["salt 12", "given_name", "Zo"])
    yield "a disclosure with bits left over", malformed, draft().replaced(
        base.name, loose[:-1] + chr(ord(loose[-1]) + 1)).card()


def names(draft, issuer):
    base = draft()
    for name in ("_sd", "...", "_sd_alg"):
        yield f"a disclosed {name}", "nameReserved", draft().revealed(encoded(["salt 9", name, []])).card()
    nested = encoded(["salt 2", "_sd", []])
    address = encoded(["salt 3", "address", {"_sd": [digest(nested)]}])
    yield "a disclosed _sd below the top", "nameReserved", draft().replaced(base.address, address).carrying(
        base.name, nested, address, base.element).card()
    yield "... as a member", "nameReserved", draft().stating(more={"...": digest("x")}).card()
    yield "_sd_alg below the top", "nameReserved", draft().stating(more={"_sd_alg": "sha-256"}).card()
    twice = encoded(["salt 9", "given_name", 2])
    yield "two disclosures of one name", "claimRepeated", draft().revealed(twice).card()
    yield "a disclosure of an open claim", "claimRepeated", draft().revealed(encoded(["salt 9", "open", 2])).card()
    for name in ("iss", "vct", "exp", "nbf", "cnf"):
        value = base.payload.get(name, base.payload["iat"])
        # `nbf` is not there to begin with.
        hiding = draft().stating(**{name: value}).without(name)
        yield f"a hidden {name}", "registeredClaimHidden", hiding.revealed(encoded(["salt 9", name, value])).card()
    yield "a hidden vct#integrity", "registeredClaimHidden", draft().revealed(
        encoded(["salt 9", "vct#integrity", "sha256-x"])).card()
    status = {"status_list": {"idx": 1, "uri": "https://issuer.example/1"}}
    yield "a hidden status", "registeredClaimHidden", draft().revealed(encoded(["salt 9", "status", status])).card()
    list = encoded(["salt 9", "status_list", status["status_list"]])
    yield "a hidden part of the status", "registeredClaimHidden", draft().stating(
        status={"_sd": [digest(list)]}).adding(list).card()
    type = encoded(["salt 9", "urn:example:other"])
    yield "a hidden element of aka_vcts", "registeredClaimHidden", draft().stating(
        aka_vcts=["urn:example:card", hidden(type)]).adding(type).card()


def contents(draft, issuer):
    malformed = "contentMalformed"
    yield "no vct", malformed, draft().without("vct").card()
    yield "a vct that is a number", malformed, draft().stating(vct=1).card()
    yield "an empty vct", malformed, draft().stating(vct="").card()
    yield "an iss that is a number", malformed, draft().stating(iss=1).card()
    yield "an exp that is a text", malformed, draft().stating(exp="2100-01-01").card()
    yield "an exp that is null", malformed, draft().stating(exp=None).card()
    yield "an exp below 0", malformed, draft().stating(exp=-1).card()
    yield "an nbf that is a text", malformed, draft().stating(nbf="0").card()
    yield "an aka_vcts that is a text", malformed, draft().stating(aka_vcts="x").card()
    yield "an aka_vcts that is empty", malformed, draft().stating(aka_vcts=[]).card()
    yield "an aka_vcts with an empty text", malformed, draft().stating(aka_vcts=[""]).card()
    yield "an aka_vcts with the vct", malformed, draft().stating(aka_vcts=["x", issuer.type]).card()
    yield "a cnf without a key", malformed, draft().stating(cnf={"kid": "1"}).card()
    private = issuer.holder.export_private(as_dict=True)
    yield "a cnf with the private key", malformed, draft().stating(cnf={"jwk": private}).card()
    yield "a status without index", malformed, draft().stating(
        status={"status_list": {"uri": "https://issuer.example/1"}}).card()
    deep = 1
    for _ in range(200):
        deep = [deep]
    yield "arrays 200 deep in the payload", malformed, draft().stating(deep=deep).card()
    yield "arrays 200 deep in a disclosure", "disclosureMalformed", draft().revealed(
        encoded(["salt 9", "deep", deep])).card()
    chained = [encoded(["salt 0", 1])]
    for number in range(200):
        chained.append(encoded([f"salt {number}", [hidden(chained[-1])]]))
    yield "disclosures 200 deep in each other", "tooDeep", draft().stating(
        deep=[hidden(chained[-1])]).adding(*chained).card()


def spoilt(issuer, now):
    """Yields names, the core's reasons, and cards."""
    def draft():
        return copy.deepcopy(Draft(issuer, now))

    for kind in (signatures, headers, forms, digests, disclosures, names, contents):
        yield from kind(draft, issuer)
