"""The PID, written from the article messages.md: as its holder takes and presents it, and as a verifier reads it."""

from __future__ import annotations

import base64
import datetime
from dataclasses import dataclass
from typing import Sequence, cast

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec

from protocol_errors import ProtocolError, demand
from protocol_messages import (
    Json, PublicSignatureKey, SigningKey, check_signature, decode, encode, member, read_json, read_object, sha256, sign, verify,
)

DAY = 86_400
TOLERANCE = 60  # seconds that the issuer's clock may be ahead of the reader's
AGES = {"16", "18", "21", "65"}
HIDDEN = {"family_name", "given_name", "birthdate"}
VISIBLE = {"vct", "iat", "exp", "cnf", "status", "_sd_alg", "_sd", "age_equal_or_over", "date_of_expiry",
           "issuing_authority", "issuing_country", "verification"}


@dataclass
class Trust:
    """The type of the PIDs that are wanted, and the trust anchors of a configuration."""

    type: str
    anchors: Sequence[Json]

    def issuers(self, now: int) -> list[x509.Certificate]:
        """The authorities whose parties may issue PIDs of this type at that time."""
        return [x509.load_der_x509_certificate(base64.b64decode(anchor["certificate"])) for anchor in self.anchors
                if anchor["role"] == "issuer" and self.type in anchor["types"]
                and anchor["not_before"] <= now <= anchor["not_after"]]

    def signer(self, chain: Sequence[str], now: int) -> x509.Certificate:
        """The certificate that signs, once the chain ends at an anchor."""
        demand(1 <= len(chain) <= 3, "no chain")
        try:
            path = [x509.load_der_x509_certificate(base64.b64decode(text, validate=True)) for text in chain]
            for certificate, issuer in zip(path, path[1:]):
                certificate.verify_directly_issued_by(issuer)
        except (ValueError, TypeError, InvalidSignature) as error:
            raise ProtocolError("a chain that does not hold") from error
        at = datetime.datetime.fromtimestamp(now, datetime.timezone.utc)
        demand(all(one.not_valid_before_utc <= at <= one.not_valid_after_utc for one in path), "a chain that has expired")
        demand(any(is_issued(path[-1], anchor) for anchor in self.issuers(now)), "a chain of another authority")
        return path[0]


def is_issued(certificate: x509.Certificate, issuer: x509.Certificate) -> bool:
    """Whether one certificate was issued by the holder of another one."""
    try:
        certificate.verify_directly_issued_by(issuer)
    except (ValueError, TypeError, InvalidSignature):
        return False
    return True


def jwk(key: PublicSignatureKey) -> Json:
    """The JSON Web Key of a P-256 key, without optional members."""
    point = cast(ec.EllipticCurvePublicKey, key).public_numbers()
    return {"kty": "EC", "crv": "P-256", "x": encode(point.x.to_bytes(32, "big")), "y": encode(point.y.to_bytes(32, "big"))}


def read_jwk(value: Json) -> PublicSignatureKey:
    """The public key of a JWK in the one form that `jwk` writes."""
    x, y = (int.from_bytes(decode(value.get(name), 32), "big") for name in ("x", "y"))
    try:
        key = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    except ValueError as error:
        raise ProtocolError("not a key") from error
    demand(jwk(key) == value, "another form of the key")
    return key


def verify_by_chain(jws: str, trust: Trust, now: int) -> Json:
    """The content of a compact JWS whose signer has a chain up to an anchor."""
    demand(jws.count(".") == 2, "not a compact JWS")
    head, content, signature = jws.split(".")
    header = read_object(decode(head))
    demand(set(header) == {"alg", "typ", "x5c"} and header["typ"] == "dc+sd-jwt", "another header")
    signer = trust.signer(member(header, "x5c", list), now)
    key = signer.public_key()
    demand(isinstance(key, ec.EllipticCurvePublicKey) and isinstance(key.curve, ec.SECP256R1), "another kind of key")
    check_signature(cast(ec.EllipticCurvePublicKey, key), header["alg"], decode(signature, 64), f"{head}.{content}".encode())
    claims = read_object(decode(content))
    if "iss" in claims:
        names = signer.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        demand(claims["iss"] in names.get_values_for_type(x509.UniformResourceIdentifier), "an issuer without that name")
    return claims


def read_credential(text: str, trust: Trust, now: int, complete: bool) -> tuple[Json, Json]:
    """Verifies chain, type, times and disclosures. Returns the claims, and those of the disclosures.

    A complete one discloses every digest.
    """
    demand(text.endswith("~"), "not an SD-JWT")
    jws, *disclosures = text[:-1].split("~")
    claims = verify_by_chain(jws, trust, now)
    demand(set(claims) - {"iss"} == VISIBLE, "other claims")
    demand(claims["vct"] == trust.type and claims["_sd_alg"] == "sha-256", "another type")
    issued, expires = member(claims, "iat", int), member(claims, "exp", int)
    demand(issued - TOLERANCE <= now < expires and expires - issued <= 90 * DAY, "times that do not hold")
    demand(issued % DAY == expires % DAY == 0, "times that are no midnights")
    last = datetime.datetime.fromtimestamp(expires - 1, datetime.timezone.utc).date().isoformat()
    demand(claims["date_of_expiry"] == last, "another last day")
    entry(claims)
    ages = member(claims, "age_equal_or_over", dict)
    demand(set(ages) == {"_sd"}, "an age that is not hidden")
    top, nested = member(claims, "_sd", list), member(ages, "_sd", list)
    demand(len(top) == len(HIDDEN) and len(nested) == len(AGES), "another number of digests")
    demand(len({*top, *nested}) == len(HIDDEN | AGES), "a digest twice")
    disclosed: Json = {}
    for disclosure in disclosures:
        content = read_json(decode(disclosure))
        demand(isinstance(content, list) and len(content) == 3 and isinstance(content[1], str), "not a disclosure")
        digest, (salt, name, value) = encode(sha256(disclosure)), content
        decode(salt, 16)
        demand(digest in top and name in HIDDEN or digest in nested and name in AGES, "a disclosure without a digest")
        within = disclosed.setdefault("age_equal_or_over", {}) if name in AGES else disclosed
        demand(name not in within, "a claim twice")
        demand(isinstance(value, bool if name in AGES else str), "a claim of another type")
        within[name] = value
    demand(not complete or len(disclosures) == len(HIDDEN | AGES), "a digest without a disclosure")
    return claims, disclosed


def entry(claims: Json) -> tuple[str, int]:
    """The entry of a status list that a copy has."""
    status = member(member(claims, "status", dict), "status_list", dict)
    return member(status, "uri", str), member(status, "idx", int)


def read_copies(copies: Sequence[str], trust: Trust, keys: Sequence[PublicSignatureKey], now: int) -> list[tuple[Json, Json]]:
    """Verifies a PID as its holder: a complete copy for each key, and nothing by which two belong together."""
    demand(len(copies) == len(keys), "another number of copies")
    read = [read_credential(copy, trust, now, complete=True) for copy in copies]
    demand(all(claims["cnf"] == {"jwk": jwk(key)} for (claims, _), key in zip(read, keys)), "bound to another key")
    demand(len({entry(claims) for claims, _ in read}) == len(copies), "an entry of a status list twice")
    disclosures = [text for copy in copies for text in copy[:-1].split("~")[1:]]
    demand(len({read_json(decode(text))[0] for text in disclosures}) == len(disclosures), "a salt twice")
    own = {"cnf", "status", "_sd", "age_equal_or_over"}
    stated = [({name: value for name, value in claims.items() if name not in own}, hidden) for claims, hidden in read]
    demand(all(one == stated[0] for one in stated), "copies that state different things")
    return read


def present(copy: str, names: Sequence[str], key: SigningKey, audience: str, nonce: str, now: int) -> str:
    """A presentation of some claims, an age by its number, for one verifier and one nonce."""
    jws, *disclosures = copy[:-1].split("~")
    kept = [text for text in disclosures if read_json(decode(text))[1] in names]
    shown = "~".join([jws, *kept]) + "~"
    return shown + sign(key, "kb+jwt", {"iat": now, "aud": audience, "nonce": nonce, "sd_hash": encode(sha256(shown))})


def read_presentation(text: str, trust: Trust, audience: str, nonce: str, now: int, maximum_age: int = 300) -> tuple[Json, Json]:
    """Verifies a presentation as its verifier: the PID, and the key binding by the key of the copy."""
    shown, _, binding = text.rpartition("~")
    claims, disclosed = read_credential(shown + "~", trust, now, complete=False)
    content = verify(binding, "kb+jwt", read_jwk(member(member(claims, "cnf", dict), "jwk", dict)))
    demand(set(content) == {"iat", "aud", "nonce", "sd_hash"}, "other members of the key binding")
    demand(content["aud"] == audience and content["nonce"] == nonce, "for another verifier or nonce")
    demand(now - maximum_age <= member(content, "iat", int) <= now + TOLERANCE, "an old presentation")
    demand(content["sd_hash"] == encode(sha256(shown + "~")), "the key binding of another presentation")
    return claims, disclosed
