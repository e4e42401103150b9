"""Presentations of PIDs that are spoilt in one way each, and which package cannot tell.

`tampered` spoils a presentation that somebody else made, without any key. `forged` makes presentations with keys and
certificates of its own, so that everything but one thing is right.
"""

import json

from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.x509.oid import ExtendedKeyUsageOID

from pid_issuer import (
    DAY, LIST_ENTRIES, STATUS_SIGNING, Authority, altered, base64url, chain, decoded, digest, encoded, flipped, new_key)

# Why a package lets something pass. Each sentence is about the source of the version that judges.txt names.
SELECTION = "openvc-core leaves what was asked for to its caller: `verify_vp_token` reads no `claims` of the query"
USAGES = "openvc-core leaves the leaf's extensions to its caller: `validate_cert_chain` takes any end entity"
ANCHOR_SENT = "openvc-core drops certificates that the path does not need: HAIP's rule on anchors is not in `x5c.py`"
LIST_IAT = "`check_jwt_temporal` of openvc-core takes a list without `iat`, which the draft demands"
LIST_SIGNERS = "both leave it to their caller who may sign status lists; the draft only recommends a purpose"
ISSUED = "polaris-oid4vp reads `exp` and `nbf` of a credential, and no `iat`"

LENIENT = {
    "a claim of those asked for is missing": {"openvc-core": SELECTION},
    "a claim more than those asked for": {"openvc-core": SELECTION},
    "a leaf that is an authority": {"openvc-core": USAGES},
    "a leaf that may not sign": {"openvc-core": USAGES},
    "the anchor behind the leaf": {"openvc-core": ANCHOR_SENT},
    "a leaf for web servers": {"openvc-core": USAGES},
    "a leaf for status lists": {"openvc-core": USAGES},
    "a status list by the signer of PIDs": dict.fromkeys(("polaris-oid4vp", "openvc-core"), LIST_SIGNERS),
    "a credential of tomorrow": {"polaris-oid4vp": ISSUED},
    "a status list without iat": {"openvc-core": LIST_IAT},
}


# --- without keys -----------------------------------------------------------------------------------------

def parts(presentation):
    credential, *disclosures, binding = presentation.split("~")
    return credential, disclosures, binding


def tampered(item, other):
    """Yields names, the codes of polaris-oid4vp, and items. `other` is another request, with an answer of its own."""
    credential, shown, binding = parts(item["presentation"])

    def made(credential=credential, shown=shown, binding=binding):
        return {**item, "presentation": "~".join([credential, *shown, binding])}

    yield "in answer to another verifier", "nonce", {
        **item, "request": other["request"], "audience": other["audience"], "nonce": other["nonce"]}
    yield "no key binding", "kb_missing", made(binding="")
    yield "the key binding of another presentation", "kb_signature", made(binding=parts(other["presentation"])[2])
    yield "the binding's signature altered", "kb_signature", made(binding=altered(binding, 2, flipped))
    yield "the binding's nonce altered", "kb_signature", made(binding=edited(binding, 1, nonce="another"))
    yield "the binding's audience altered", "kb_signature", made(binding=edited(binding, 1, aud="another"))
    made_at = json.loads(decoded(binding.split(".")[1]))["iat"]
    yield "the binding's time altered", "kb_signature", made(binding=edited(binding, 1, iat=made_at - 1))
    yield "an unsigned binding", "kb_alg", made(binding=unsigned(binding))
    yield "the issuer's signature altered", "issuer_signature", made(altered(credential, 2, flipped))
    yield "the issuer's claims altered", "issuer_signature", made(edited(credential, 1, issuing_country="XX"))
    yield "the issuer's header altered", "issuer_signature", made(edited(credential, 0, kid="1"))
    yield "an unsigned credential", "issuer_alg", made(unsigned(credential))
    yield "the chain taken out", "issuer_key", made(edited(credential, 0, x5c=None))
    yield "a disclosure made up", "disclosure", made(shown=[*shown, encoded(["salt", "email", "somebody@example.org"])])
    if shown:
        salt, name, value = json.loads(decoded(shown[0]))
        yield "a disclosure taken out", "sd_hash", made(shown=shown[1:])
        yield "a disclosure with another value", "disclosure", made(
            shown=[encoded([salt, name, not value if isinstance(value, bool) else "Another"]), *shown[1:]])
        yield "a disclosure with another salt", "disclosure", made(
            shown=[encoded([salt + "x", name, value]), *shown[1:]])
        yield "a disclosure with another name", "disclosure", made(
            shown=[encoded([salt, name + "x", value]), *shown[1:]])
        yield "a disclosure twice", "disclosure", made(shown=[*shown, shown[0]])
    if len(shown) > 1:
        yield "disclosures in another order", "sd_hash", made(shown=shown[::-1])
    anchors = [Authority(now=item["now"]).pem]
    yield "before a verifier with another anchor", "issuer_key", {**item, "anchors": anchors}
    yield "years later", "issuer_key", {**item, "now": item["now"] + 20 * 365 * DAY}
    yield "an hour later", "kb_freshness", {**item, "now": item["now"] + 3600}
    yield "an hour earlier", "kb_freshness", {**item, "now": item["now"] - 3600}
    if item.get("status_lists_revoked"):
        yield "after it was revoked", "revoked", {**item, "status_lists": item["status_lists_revoked"]}
    yield "without the status list", "unreachable", {**item, "status_lists": {}}
    yield "with an altered status list", "list_refused", {
        **item, "status_lists": {uri: altered(token, 2, flipped) for uri, token in item["status_lists"].items()}}


def edited(token, part, **changes):
    """A JWS with other members in one part, without those that are None, and the signature kept."""
    return altered(token, part, lambda text: encoded(present(json.loads(decoded(text)) | changes)))


def unsigned(token):
    return altered(edited(token, 0, alg="none"), 2, lambda _: "")


def present(members):
    return {name: value for name, value in members.items() if value is not None}


# --- with keys of our own ---------------------------------------------------------------------------------

def forged(issuer, request):
    """Yields names, the codes of polaris-oid4vp, and items; the first, named None, is right."""
    names = [["family_name"], ["birthdate"]]

    def draft(paths=names):
        return issuer.draft().showing(paths, request["audience"], request["nonce"])

    def item(made, anchors=(issuer.authority.pem,), lists=None, text=None):
        return {
            **request, "presentation": text or made.presentation(), "anchors": list(anchors), "now": issuer.now,
            "status_lists": {issuer.list: made.status_list()} if lists is None else lists}

    yield None, None, item(draft())
    for kind in (bindings, disclosures, headers, chains, contents, lists):
        yield from kind(issuer, draft, item)


def bindings(issuer, draft, item):
    def bound(header=None, key=None, **members):
        made = draft()
        made.binding = present(made.binding | members)
        made.binding_header = made.binding_header | (header or {})
        made.binding_key = key or made.binding_key
        return item(made)

    audience = draft().binding["aud"]
    yield "a binding with another nonce", "nonce", bound(nonce="another")
    yield "a binding without nonce", "nonce", bound(nonce=None)
    yield "a binding for another audience", "audience", bound(aud="x509_hash:another")
    yield "a binding whose audience lacks its prefix", "audience", bound(aud=audience.partition(":")[2])
    yield "a binding with several audiences", "audience", bound(aud=[audience])
    yield "a binding without audience", "audience", bound(aud=None)
    yield "a binding by another key", "kb_signature", bound(key=new_key())
    yield "a binding by the issuer", "kb_signature", bound(key=issuer.key)
    yield "a binding with EdDSA", "kb_alg", bound({"alg": "EdDSA"}, ed25519.Ed25519PrivateKey.generate())
    yield "a binding with alg none", "kb_alg", item(unsigned_binding(draft()))
    yield "a binding of another type", "kb_typ", bound({"typ": "JWT"})
    yield "a binding with a critical header", "crit", bound({"crit": ["b64"], "b64": True})
    yield "a binding that is an hour old", "kb_freshness", bound(iat=issuer.now - 3600)
    yield "a binding of the next hour", "kb_freshness", bound(iat=issuer.now + 3600)
    yield "a binding without time", "kb_freshness", bound(iat=None)
    yield "a binding that has expired", "kb_freshness", bound(exp=issuer.now - 3600)
    other = draft().presentation().rpartition("~")[0] + "~"
    yield "a binding to another card", "sd_hash", bound(sd_hash=digest(other))
    made = draft()
    kept = made.shown
    made.shown = kept[:1]
    fewer = made.presentation().rpartition("~")[2]
    made.shown = kept
    yield "a binding to fewer disclosures", "sd_hash", item(
        made, text=made.presentation().rpartition("~")[0] + "~" + fewer)


def unsigned_binding(made):
    made.binding_key, made.binding_header = None, made.binding_header | {"alg": "none"}
    return made


def disclosures(issuer, draft, item):
    def shows(change):
        made = draft()
        made.shown = change(made.shown)
        return item(made)

    _, name, value = json.loads(decoded(draft().shown[0]))
    yield "a claim of those asked for is missing", "claims", shows(lambda shown: shown[:1])
    yield "a claim more than those asked for", "claims", item(draft([["family_name"], ["birthdate"], ["given_name"]]))
    yield "a claim that was not issued", "disclosure", shows(lambda shown: [*shown, encoded(["salt", "email", "x"])])
    yield "a claim instead of the one that was issued", "disclosure", shows(
        lambda shown: [encoded(["salt", name, value]), *shown[1:]])
    yield "a claim that stands twice", "disclosure", shows(lambda shown: [*shown, shown[0]])
    yield "an element's disclosure for a member", "disclosure", shows(
        lambda shown: [encoded(["salt", value]), *shown[1:]])
    yield "a disclosure that is no JSON", "disclosure", shows(lambda shown: [base64url(b"no JSON"), *shown[1:]])
    for hidden in ("exp", "cnf", "vct", "status", "iss", "issuing_country", "_sd"):
        made = draft()
        text = encoded(["salt", hidden, made.payload.get(hidden)])
        if hidden != "issuing_country":
            made.payload.pop(hidden)
        if hidden == "_sd":
            made.payload["_sd"] = sorted(map(digest, made.disclosures.values()))
        made.payload["_sd"] = [*made.payload["_sd"], digest(text)]
        made.shown.append(text)
        yield f"a disclosure of {hidden}", "vct" if hidden == "vct" else "disclosure", item(made)
    made = draft()
    made.payload["_sd"].append(made.payload["_sd"][0])
    yield "a digest twice", "disclosure", item(made)
    made = draft()
    made.payload["verification"] = {"_sd": made.payload["_sd"][:1]}
    yield "a digest in two objects", "disclosure", item(made)


def headers(issuer, draft, item):
    def signs(key=None, **members):
        made = draft()
        made.header = present(made.header | members)
        made.key = key or made.key
        return item(made)

    for type in ("vc+sd-jwt", "JWT", "kb+jwt", None):
        yield f"a credential of the type {type}", "issuer_typ", signs(typ=type)
    made = draft()
    made.key, made.header["alg"] = None, "none"
    yield "a credential with alg none", "issuer_alg", item(made)
    key = ed25519.Ed25519PrivateKey.generate()
    certificate = issuer.authority.leaf(key)
    yield "a credential with EdDSA", "issuer_alg", signs(key, alg="EdDSA", x5c=chain(certificate))
    yield "a credential with ES256 and the header of EdDSA", "issuer_alg", signs(alg="EdDSA")
    yield "a credential with a critical header", "crit", signs(crit=["b64"], b64=True)
    yield "a credential without chain", "issuer_key", signs(x5c=None)
    yield "a credential with an empty chain", "issuer_key", signs(x5c=[])
    yield "a chain that is no array", "issuer_key", signs(x5c=chain(issuer.certificate)[0])
    yield "a chain of base64 that is no certificate", "issuer_key", signs(x5c=["AAAA"])
    yield "a key in the header", "issuer_key", signs(new_key(), x5c=None, jwk=draft().payload["cnf"]["jwk"])
    yield "a signature by another key than the leaf's", "issuer_signature", signs(new_key())


def chains(issuer, draft, item):
    def below(certificate, key, *more):
        made = draft()
        made.key, made.header["x5c"] = key, chain(certificate, *more)
        return item(made)

    authority, key = issuer.authority, new_key()
    stranger = Authority(now=issuer.now)
    yield "a chain of another authority of the same name", "issuer_key", below(stranger.leaf(key), key)
    yield "a chain with another authority behind the leaf", "issuer_key", below(
        stranger.leaf(key), key, stranger.certificate)
    alone = Authority("Issuer of PIDs", now=issuer.now)
    self_signed = alone.certify(alone.key, alone.name, (-1, 30), [])
    yield "a leaf that signed itself", "issuer_key", below(self_signed, alone.key)
    yield "an authority that signed itself", "issuer_key", below(alone.certificate, alone.key)
    yield "the anchor in place of the leaf", "issuer_key", below(authority.certificate, authority.key)
    yield "the anchor behind the leaf", "issuer_key", below(authority.leaf(key), key, authority.certificate)
    yield "a leaf that has expired", "issuer_key", below(authority.leaf(key, days=(-20, -1)), key)
    yield "a leaf that is not yet valid", "issuer_key", below(authority.leaf(key, days=(1, 20)), key)
    yield "a leaf that names another issuer", "issuer_key", below(
        authority.leaf(key, issuer="https://other.example"), key)
    yield "a leaf below a leaf", "issuer_key", below(leaf_below(issuer, key), key, issuer.certificate)
    yield "a leaf that is an authority", "issuer_key", below(authority.leaf(
        key, is_authority=True, used=("digital_signature", "key_cert_sign")), key)
    yield "a leaf that may not sign", "issuer_key", below(authority.leaf(key, used=("key_agreement",)), key)
    yield "a leaf for web servers", "issuer_key", below(
        authority.leaf(key, purposes=[ExtendedKeyUsageOID.SERVER_AUTH]), key)
    yield "a leaf for status lists", "issuer_key", below(
        authority.leaf(key, purposes=[STATUS_SIGNING]), key)
    middle = Authority("Middle", now=issuer.now, parent=authority)
    yield "a chain whose middle is missing", "issuer_key", below(middle.leaf(key), key)
    yield "a chain in the wrong order", "issuer_key", below(middle.certificate, key, middle.leaf(key))


def leaf_below(issuer, key):
    """A certificate that the signer of PIDs has made, although it is no authority."""
    signer = Authority(now=issuer.now)
    signer.key, signer.name, signer.certificate = issuer.key, issuer.certificate.subject, issuer.certificate
    return signer.leaf(key)


def contents(issuer, draft, item):
    def states(**members):
        made = draft()
        made.payload = present(made.payload | members)
        return item(made)

    yield "a credential of another type", "vct", states(vct="urn:example:other:1")
    yield "a credential whose type is longer", "vct", states(vct=draft().payload["vct"] + "2")
    yield "a credential without type", "vct", states(vct=None)
    yield "a credential that has expired", "credential_validity", states(exp=issuer.now - 3600)
    yield "a credential whose exp is a text", "credential_validity", states(exp="2100-01-01")
    yield "a credential that is not yet valid", "credential_validity", states(nbf=issuer.now + 3600)
    yield "a credential of tomorrow", None, states(iat=issuer.now + DAY)
    yield "a credential of another issuer", "issuer_key", states(iss="https://other.example")
    yield "a credential without holder", "kb_cnf", states(cnf=None)
    yield "a credential of another holder", "kb_signature", states(cnf={"jwk": issuer.draft().payload["cnf"]["jwk"]})
    yield "digests of an unknown kind", "sd_alg", states(_sd_alg="md5")
    yield "digests of another kind", "sd_alg", states(_sd_alg="sha-512")


def lists(issuer, draft, item):
    def listed(change=None, **members):
        made = draft()
        made.status = present(made.status | members)
        if change:
            change(made)
        return item(made)

    def signer(key, *certificates):
        def change(made):
            made.status_key, made.status_header["x5c"] = key, chain(*certificates)
        return change

    yield "a revoked credential", "revoked", listed(lambda made: made.statuses.update({made.index: 1}))
    yield "a suspended credential", "revoked", listed(
        lambda made: (setattr(made, "bits", 2), made.statuses.update({made.index: 2})))
    yield "a status list by the signer of PIDs", None, listed(signer(issuer.key, issuer.certificate))
    yield "no status list", "unreachable", item(draft(), lists={})
    yield "a status list for another address", "list_refused", listed(sub=issuer.list + "2")
    yield "a status list without address", "list_refused", listed(sub=None)
    key, stranger = new_key(), Authority(now=issuer.now)
    yield "a status list below another anchor", "no_authority", listed(signer(key, stranger.leaf(key)))
    yield "a status list by another key than its leaf's", "list_refused", listed(
        lambda made: setattr(made, "status_key", key))
    yield "a status list whose leaf has expired", "no_authority", listed(
        signer(key, issuer.authority.leaf(key, days=(-20, -1))))
    yield "a status list whose leaf is below a leaf", "no_authority", listed(
        signer(key, leaf_below(issuer, key), issuer.certificate))
    yield "a status list without chain", "no_authority", listed(lambda made: made.status_header.pop("x5c"))
    yield "a status list of another type", "list_refused", listed(lambda made: made.status_header.update(typ="JWT"))
    yield "an unsigned status list", "list_refused", listed(
        lambda made: (setattr(made, "status_key", None), made.status_header.update(alg="none")))
    yield "a status list that has expired", "list_refused", listed(exp=issuer.now - 3600)
    yield "a status list of tomorrow", "list_refused", listed(iat=issuer.now + DAY)
    yield "a status list without iat", "list_refused", listed(iat=None)
    yield "a status list that is too short", "list_refused", listed(
        lambda made: setattr(made, "status_bytes", made.index // 8))
    yield "a status list that is empty", "list_refused", listed(lambda made: setattr(made, "status_bytes", 0))
    yield "a status list that is no zlib", "list_refused", listed(status_list={"bits": 1, "lst": base64url(b"no zlib")})
    yield "a status list with 3 bits for each", "list_refused", listed(status_list={"bits": 3, "lst": base64url(b"")})
    made = draft()
    made.payload["status"]["status_list"]["idx"] = LIST_ENTRIES
    yield "an index beyond the list", "list_refused", item(made)
    made = draft()
    made.payload["status"]["status_list"]["idx"] = -1
    yield "an index below 0", "list_refused", item(made)
    made = draft()
    made.payload["status"] = {"status_list": {"uri": issuer.list}}
    yield "a status without index", "unsupported_status", item(made)
