#!/usr/bin/env python3
"""Makes cards with the packages sd-jwt and openvc-core, and spoils one; both packages judge them all.

    cards_by_others.py OUT.json SEED

OUT.json has `issuer` and `now`, and an array for each kind of card: `good` with `card` and `claims`, all that its
holder must see; `spoilt` with `name`, `card`, `error`, which is the core's reason to refuse it, `refused`, what each
package said of it, and `stricter`, why the core refuses it although a package does not. The tests of
CardsByOthersTests read it. Prints a line per check, in the form that Tests/ABI/run.sh counts.
"""

import base64
import datetime
import json
import random
import secrets
import sys
import time

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509.oid import NameOID
from jwcrypto.jwk import JWK
from openvc.proof.sd_jwt import SdJwtVcProofSuite
from sd_jwt.common import SDObj
from sd_jwt.issuer import SDJWTIssuer
from sd_jwt.verifier import SDJWTVerifier

from cards_spoilt import Draft, Issuer, STRICTER, spoilt
from report import Report

CARDS = 100
ISSUER = "https://issuer.example"
TYPE = "urn:example:card:1"
NOW = int(time.time())

report = Report()


# --- judges ---------------------------------------------------------------------------------------------

def sd_jwt_reads(card, key):
    """What the package sd-jwt sees in a card. It raises errors of many kinds."""
    return SDJWTVerifier(card, lambda issuer, header: key).get_verified_payload()


def openvc_reads(card, key):
    return SdJwtVcProofSuite().verify(card, public_key_jwk=key.export_public(as_dict=True)).claims


JUDGES = {"sd-jwt": sd_jwt_reads, "openvc-core": openvc_reads}


def refusal(judge, card, key):
    """Why a package refuses a card; None if it does not."""
    try:
        JUDGES[judge](card, key)
    except Exception as error:  # whatever it is, the card was not accepted
        return f"{type(error).__name__}: {error}"[:200]
    return None


# --- random cards ---------------------------------------------------------------------------------------

NAMES = ("given_name", "address", "street", "age", "a", "", "naam van Zoë", "\u65e5\u672c", "a.b", "x~y", "0", "\n")
TEXTS = ("", "Zoë", "e\u0301", "\u65e5\u672c\u8a9e", "\U0001f600", "a\"b\\c/", "\t\n\u0000", "~.~", "null")
NUMBERS = (0, -1, 18, 2**53 + 1, 2**63 - 1, -2**63, 2**64, 0.5, -1.5e-7, 1e21, 100.0)


class Shape:
    """Random claims. `marked` has the wrappers of sd-jwt around what is hidden, `plain` has not."""

    def __init__(self, draw):
        self.draw = draw
        self.hidden = 0

    def hides(self):
        hides = self.draw.random() < 0.4
        self.hidden += hides
        return hides

    def claim(self, depth):
        kind = self.draw.random()
        if depth < 5 and kind < 0.3:
            return self.members(depth + 1)
        if depth < 5 and kind < 0.55:
            return self.elements(depth + 1)
        value = self.draw.choice((*TEXTS, *NUMBERS, True, False, None))
        return value, value

    def members(self, depth):
        marked, plain = {}, {}
        for name in self.draw.sample(NAMES, self.draw.randint(0, 4)):
            inner, value = self.claim(depth)
            marked[SDObj(name) if self.hides() else name] = inner
            plain[name] = value
        return marked, plain

    def elements(self, depth):
        marked, plain = [], []
        for _ in range(self.draw.randint(0, 4)):
            inner, value = self.claim(depth)
            marked.append(SDObj(inner) if self.hides() else inner)
            plain.append(value)
        return marked, plain


def certificate(key):
    """A certificate in `x5c`; who may sign it is not tested here."""
    private = serialization.load_pem_private_key(key.export_to_pem(private_key=True, password=None), None)
    name = x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Issuer")])
    start = datetime.datetime.fromtimestamp(NOW, datetime.timezone.utc)
    made = x509.CertificateBuilder(name, name, private.public_key(), 1, start, start + datetime.timedelta(1))
    der = made.sign(private, hashes.SHA256()).public_bytes(serialization.Encoding.DER)
    return base64.b64encode(der).decode()


def common(draw, with_status):
    """What the issuer states about the card itself."""
    claims = {"iss": ISSUER, "vct": TYPE, "exp": NOW + 86_400}
    if draw.random() < 0.3:
        claims |= {"nbf": NOW - 60, "aka_vcts": ["urn:example:card"]}
    if with_status:
        # Two copies of one card share a seed, but no entry.
        claims["status"] = {"status_list": {"idx": secrets.randbelow(1 << 20), "uri": f"{ISSUER}/statuslists/1"}}
    return claims


def by_sd_jwt(draw, number, key, chain, holder=None):
    decoys = number % 2 == 0
    shape = Shape(draw)
    marked, plain = {}, {}
    # Each card hides something.
    while not shape.hidden:
        marked, plain = shape.members(0)
    # The package puts decoys into every object; in the status, SD-JWT VC allows none.
    stated = common(draw, with_status=not decoys and number % 4 == 1)
    if number % 10 == 0:
        del stated["iss"]  # SD-JWT VC does not demand it
    at = {SDObj("iat") if draw.random() < 0.5 else "iat": NOW}
    holder = holder or JWK.generate(kty="EC", crv="P-256")
    headers = ({"x5c": [chain]}, {"kid": "1"}, {})[number % 3]
    made = SDJWTIssuer(marked | stated | at, key, holder, add_decoy_claims=decoys,
                       extra_header_parameters={"typ": "dc+sd-jwt", **headers})
    claims = plain | stated | {"iat": NOW, "cnf": {"jwk": holder.export_public(as_dict=True)}}
    return {"by": "sd-jwt", "card": made.sd_jwt_issuance, "claims": claims, "decoys": len(made.decoy_digests)}


class SigningKey:
    """The issuer's key in the form that openvc-core wants."""

    alg, kid = "ES256", "1"

    def __init__(self, issuer):
        self.issuer = issuer

    def sign(self, message):
        return self.issuer.sign(message)


def by_openvc(draw, number, issuer, chain, holder=None):
    _, plain = Shape(draw).members(0)
    stated = common(draw, with_status=number % 2 == 0) | {"iat": NOW}
    holder = (holder or JWK.generate(kty="EC", crv="P-256")).export_public(as_dict=True)
    card = SdJwtVcProofSuite().issue(
        plain | stated, signing_key=SigningKey(issuer), holder_jwk=holder, decoys=number % 4,
        disclosable=[name for name in plain if draw.random() < 0.5], x5c=[chain] if number % 3 == 0 else None)
    return {"by": "openvc-core", "card": card, "claims": plain | stated | {"cnf": {"jwk": holder}},
            "decoys": number % 4}


def same_json(first, second):
    """Equal as JSON: for Python, 1, 1.0 and True are equal."""
    return json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True)


def good_cards(issuer, draw):
    chain = certificate(issuer.jwk)
    cards = [by_sd_jwt(draw, number, issuer.jwk, chain) for number in range(CARDS)]
    cards += [by_openvc(draw, number, issuer, chain) for number in range(CARDS // 5)]
    named = [card for card in cards if "iss" in card["claims"]]
    for judge, read in (("sd-jwt", cards), ("openvc-core", named)):
        wrong = [card["card"] for card in read
                 if not same_json(JUDGES[judge](card["card"], issuer.jwk), card["claims"])]
        report(not wrong, f"cards: {judge} reads {len(read)} with the claims that went in", "\n".join(wrong))
    others = [refusal("openvc-core", card["card"], issuer.jwk) for card in cards if card not in named]
    report(all("iss claim is missing" in (reason or "") for reason in others),
           f"cards: openvc-core refuses {len(others)} without iss; it is stricter there than SD-JWT VC", others)
    decoyed = sum(card["decoys"] > 0 for card in cards)
    report(decoyed >= CARDS // 2, f"cards: {decoyed} of them have decoys")
    disclosures = [len(card["card"].split("~")) - 2 for card in cards]
    report(max(disclosures) >= 10, f"cards: there are up to {max(disclosures)} disclosures in one")
    return cards


# --- spoilt cards ---------------------------------------------------------------------------------------

def spoilt_cards(issuer):
    intact = Draft(issuer, NOW).card()
    found = {judge: refusal(judge, intact, issuer.jwk) for judge in JUDGES}
    report(not any(found.values()), "spoilt: both packages read the card before it was spoilt", found)
    cards, in_common = [], 0
    for name, error, card in spoilt(issuer, NOW):
        why = STRICTER.get(name, {})
        found = {judge: refusal(judge, card, issuer.jwk) for judge in JUDGES}
        in_common += all(found.values())
        for judge, reason in found.items():
            expected = judge not in why
            says = "refuses it" if expected else f"lets it pass; we are stricter: {why[judge]}"
            report((reason is not None) == expected, f"spoilt: {name}: {judge} {says}", reason or "it accepts the card")
        cards.append({"name": name, "card": card, "error": error, "stricter": why,
                      "refused": {judge: reason for judge, reason in found.items() if reason}})
    names = [card["name"] for card in cards]
    report(len(set(names)) == len(names), "spoilt: each way has a name of its own")
    report(set(STRICTER) <= set(names), "spoilt: each explanation belongs to one", set(STRICTER) - set(names))
    report(in_common >= 30, f"spoilt: {in_common} of {len(cards)} ways are refused by both packages")
    return cards


def main():
    seed = int(sys.argv[2])
    print(f"# cards of others: seed {seed}")
    issuer = Issuer(ISSUER, TYPE)
    cards = {"issuer": issuer.jwk.export_public(as_dict=True), "now": NOW,
             "good": good_cards(issuer, random.Random(seed)), "spoilt": spoilt_cards(issuer)}
    with open(sys.argv[1], "w") as file:
        json.dump(cards, file, indent=1)
    sys.exit(report.failed)


if __name__ == "__main__":
    main()
