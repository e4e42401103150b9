"""How a relying party judges an answer: the form, the encryption, and each presentation (OpenID4VP 1.0 section 8)."""

import base64
import json

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from party_jose import CIPHERS, Malformed, decrypted, demand, header_of, octets, parsed, public_key, verified
from party_requests import EXCESSIVE
from pid_issuer import digest

# How far the clock of a wallet may be off, in seconds.
SKEW = 300
ERRORS = {
    "access_denied", "invalid_request", "invalid_client", "invalid_scope", "unauthorized_client",
    "unsupported_response_type", "vp_formats_not_supported", "invalid_request_uri_method", "invalid_transaction_data",
    "wallet_unavailable",
}


class Disclosed:
    """The claims of a card as far as its disclosures show them."""

    def __init__(self, payload, texts):
        self.payload, self.contents = payload, {}
        for text in texts:
            content = parsed(octets(text))
            demand(isinstance(content, list) and len(content) in (2, 3), "a disclosure that is none")
            demand(digest(text) not in self.contents, "a disclosure appears twice")
            self.contents[digest(text)] = content
        used = self.beneath(payload)
        demand(sorted(used) == sorted(self.contents), "a disclosure that no digest, or more than one, refers to")

    def parts(self, value):
        """For each member or element: name or index, value, and the digest of its disclosure or None."""
        if isinstance(value, dict):
            yield from ((name, inner, None) for name, inner in value.items() if name != "_sd")
            for each in value.get("_sd", []):
                if content := self.contents.get(each):
                    demand(len(content) == 3 and content[1] not in (*value, "...", "_sd"), "a disclosure misplaced")
                    yield content[1], content[2], each
        elif isinstance(value, list):
            index = 0
            for element in value:
                each = element.get("...") if isinstance(element, dict) else None
                content = [None, element] if each is None else self.contents.get(each)
                if content:
                    demand(len(content) == 2, "a disclosure misplaced")
                    yield index, content[1], each
                    index += 1

    def beneath(self, value):
        """The digests of all disclosures in a value."""
        found = []
        for _, inner, each in self.parts(value):
            found += ([each] if each else []) + self.beneath(inner)
        return found

    def select(self, path):
        """The values at a path (section 7), each with the digests on the way to it."""
        selected = [(self.payload, [])]
        for step in path:
            selected = [
                (inner, way + ([each] if each else []))
                for value, way in selected if isinstance(value, list) != isinstance(step, str)
                for name, inner, each in self.parts(value) if step is None or step == name]
        return selected

    def check(self, query):
        """Demands exactly the claims that a query asks for, in one of its sets."""
        claims = query.get("claims", [])
        problems = []
        for names in query.get("claim_sets", [None]):
            wanted = [claim for claim in claims if names is None or claim["id"] in names]
            problem = self._problem(wanted)
            if problem is None:
                return
            problems.append(problem)
        raise Malformed(problems[0])

    def _problem(self, wanted):
        allowed = set()
        for claim in wanted:
            selected = self.select(claim["path"])
            if "values" in claim:
                texts = [json.dumps(value) for value in claim["values"]]
                selected = [each for each in selected if json.dumps(each[0]) in texts]
            if not selected:
                return f"a claim that was asked for is missing: {claim['path']}"
            for value, way in selected:
                allowed |= {*way, *self.beneath(value)}
        return "a claim that was not asked for" if self.contents.keys() - allowed else None


def leaf_key(header, _):
    """The key of the card's signer. Who certified it is for others to judge."""
    certificate = x509.load_der_x509_certificate(base64.b64decode(header["x5c"][0], validate=True))
    key = certificate.public_key()
    demand(isinstance(key, ec.EllipticCurvePublicKey) and key.curve.name == "secp256r1",
           "an issuer's key of another kind")
    return key


def check_presentation(text, query, asked, now):
    issued, *disclosures, binding = text.split("~")
    demand(issued and binding, "a presentation that is not bound to its holder")
    _, payload = verified(issued, "dc+sd-jwt", leaf_key)
    types = query["meta"].get("vct_values")
    demand(types is None or payload["vct"] in types, f"a card of another type: {payload['vct']}")
    demand(payload.get("_sd_alg", "sha-256") == "sha-256", "another algorithm of digests")
    demand("exp" not in payload or payload["exp"] > now, "the card has expired")
    Disclosed(payload, disclosures).check(query)
    _, bound = verified(binding, "kb+jwt", lambda *_: public_key(payload["cnf"]["jwk"]))
    demand(bound["aud"] == asked["client_id"], f"the binding's aud is {bound['aud']}")
    demand(bound["nonce"] == asked["nonce"], f"the binding's nonce is {bound['nonce']}")
    demand(bound["sd_hash"] == digest(text.removesuffix(binding)), "the binding's sd_hash is that of something else")
    demand(type(bound["iat"]) is int and abs(bound["iat"] - now) <= SKEW,
           f"the binding is of {bound['iat']}, now is {now}")
    hashes = [digest(each) for each in asked.get("transaction_data", [])]
    demand(bound.get("transaction_data_hashes", []) == hashes, "the binding is for other transactions")


def check_token(token, asked, now):
    demand(isinstance(token, dict), "vp_token is no object")
    queries = {query["id"]: query for query in asked["dcql_query"]["credentials"]}
    demand(token.keys() <= queries.keys(), "an answer to no query")
    sets = asked["dcql_query"].get("credential_sets", [{"options": [list(queries)]}])
    for each in sets:
        demand(not each.get("required", True) or any(token.keys() >= set(option) for option in each["options"]),
               "a card that was asked for is missing")
    for name, presentations in token.items():
        demand(isinstance(presentations, list) and presentations, "presentations are not in an array")
        demand(len(presentations) == 1 or queries[name].get("multiple"), "several presentations for one query")
        for text in presentations:
            check_presentation(text, queries[name], asked, now)


def read(request, pairs, found):
    """Puts what can be read into `found`, then judges it."""
    form = dict(pairs)
    demand(len(form) == len(pairs), "a member of the form appears twice")
    asked = request.members
    if "error" in form:
        found |= {"error": form["error"], "state": form.get("state")}
        demand(form.keys() <= {"error", "error_description", "state"}, "members that an error does not have")
    else:
        demand(form.keys() == {"response"}, "the form has other members than response")
        found["header"] = header_of(form["response"])
        metadata = (asked or {}).get("client_metadata", {})
        ciphers = metadata.get("encrypted_response_enc_values_supported", ["A128GCM"])
        content = parsed(decrypted(form["response"], request.key, CIPHERS.keys() & ciphers, request.id))
        found |= {name: content.get(name) for name in ("vp_token", "state", "error")}
    demand(asked, "the object was never fetched")
    demand(request.posts == 1, "the request was answered before")
    demand(found["state"] == asked.get("state"), f"the state is {found['state']}")
    demand(not request.is_untrusted, "the wallet answers a request that it cannot trust")
    if found["error"] is not None:
        demand(found["error"] in ERRORS, f"the error is {found['error']}")
        return
    demand(request.fault not in EXCESSIVE, "the wallet answers a request that is too long for it")
    demand("exp" not in asked or request.now < asked["exp"], "the request had expired")
    check_token(found["vp_token"], asked, request.now)


def judged(request, pairs):
    """What an answer says, and what is wrong with it; None for nothing."""
    found = {"vp_token": None, "state": None, "error": None, "header": None, "problem": None}
    try:
        read(request, pairs, found)
    except Malformed as error:
        found["problem"] = str(error)
    except Exception as error:  # whatever it is, the answer could not be read
        found["problem"] = f"unreadable: {type(error).__name__}: {error}"
    return found
