"""Compares the copies of a card, as issued or presented: what two verifiers see has nothing in common beyond what the
claims force."""

import base64
import itertools
import json

# The members that every copy of a card may share. Everything else has to differ.
HEADER = {"alg", "typ", "x5c"}
TERMS = {"vct", "vct#integrity", "aka_vcts", "iss", "iat", "nbf", "exp", "_sd_alg"}
VISIBLE = {"date_of_expiry", "issuing_authority", "issuing_country", "verification"}
SHARED = {("header", name) for name in HEADER} | {("payload", name) for name in TERMS | VISIBLE} | {
    ("payload", "status", "status_list", "uri"), ("payload", "cnf", "jwk", "kty"), ("payload", "cnf", "jwk", "crv")}
# The verifier chooses audience and nonce.
SHARED |= {("binding header", name) for name in ("alg", "typ")} | {("binding", name) for name in ("iat", "aud", "nonce")}


def decoded(text):
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def leaves(value, path):
    """Every text, number and constant, with the way to it; those that copies may share are left out."""
    if path in SHARED:
        return
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, (*path, name))
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, path)  # a place in an array is no way to tell cards apart
    else:
        yield path, value


def own_values(card):
    """What only this copy may have, by value, with the way to it: a text is compared with every text of another copy,
    any other value with that at the same place."""
    credential, *disclosures, binding = card.split("~")
    values = signed_values(credential, "header", "payload", "signature")
    if binding:
        values |= signed_values(binding, "binding header", "binding", "binding signature")
    for disclosure in disclosures:
        salt, *claim = decoded(disclosure)
        values[disclosure], values[salt] = ("disclosure", *map(str, claim[:-1])), ("salt", *map(str, claim[:-1]))
    return values


def signed_values(token, *parts):
    header, payload, signature = token.split(".")
    values = {}
    for path, value in (*leaves(decoded(header), parts[:1]), *leaves(decoded(payload), parts[1:2])):
        values[value if isinstance(value, str) else (path, value)] = path
    values[signature[:42]], values[signature[-42:]] = (parts[2], "r"), (parts[2], "s")
    return values


def in_common(cards):
    """The ways to each value that two copies share although nothing forces it."""
    values = [own_values(card) for card in cards]
    for first, second in itertools.combinations(values, 2):
        for value in first.keys() & second.keys():
            yield f"{first[value]} and {second[value]}: {value}"


def order_of_names(card, digest):
    """The names of the hidden claims in the order of their digests."""
    credential, *disclosures, _ = card.split("~")
    names = {digest(disclosure): decoded(disclosure)[-2] for disclosure in disclosures}
    found = []

    def walk(value):
        if isinstance(value, dict):
            for name, inner in value.items():
                if name == "_sd":
                    found.extend(names.get(text) for text in inner)
                else:
                    walk(inner)
    walk(decoded(credential.split(".")[1]))
    return tuple(found)
