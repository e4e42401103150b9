"""The three packages that judge PIDs: polaris-oid4vp, openvc-core and sd-jwt, who know the anchors alone.

What is judged is a dictionary: `request` of pid_requests.py, `audience`, `nonce`, `presentation`, `anchors` (PEM),
`type`, `status_lists` (a token for each URI) and `now`, the seconds since 1970 at which it is judged.
"""

import base64
import contextlib
import datetime
import json
from unittest import mock

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from jwcrypto.jwe import JWE
from jwcrypto.jwk import JWK
from openvc.openid4vp import verify_vp_token
from openvc.status.issue import verify_status_list_token
from openvc.verify import VerificationPolicy, verify_credential
from openvc.x5c import leaf_public_jwk, load_x5c_chain, validate_cert_chain
from polaris_oid4vp import sdjwt as polaris_sdjwt
from polaris_oid4vp import status as polaris_status
from polaris_oid4vp.verifier import Session, Verifier
from sd_jwt.verifier import SDJWTVerifier

QUERY = "pid"


class Refused(Exception):
    """A package refuses what it was given, and says why."""


def decoded(part):
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


@contextlib.contextmanager
def clock(now):
    """The packages read the clock themselves, for some checks only; the recorded time is the time for all of them."""
    with mock.patch("time.time", lambda: float(now)):
        yield datetime.datetime.fromtimestamp(now, datetime.timezone.utc)


def anchors_of(item):
    return [x509.load_pem_x509_certificate(pem.encode()) for pem in item["anchors"]]


def fetched(item, uri):
    if uri not in item["status_lists"]:
        raise Refused(f"there is no status list at {uri}")
    return item["status_lists"][uri]


# --- polaris-oid4vp ---------------------------------------------------------------------------------------

def polaris(state, anchors=(), resolver=None):
    return Verifier(
        client_cert_pem=state["certificate"].encode(), client_key_pem=state["key"].encode(),
        request_uri=state["request_uri"], response_uri=state["response_uri"], issuer_trust_anchors=anchors,
        vct_values=[state["type"]], claims=state["claims"], status_resolver=resolver)


def restored(state, anchors=(), resolver=None):
    """The verifier that asked, waiting for its answer. The package keeps its requests in memory only."""
    verifier = polaris(state, anchors, resolver)
    session = Session(serialization.load_pem_private_key(state["encryption_key"].encode(), None))
    session.state, session.nonce = state["state"], state["nonce"]
    verifier._sessions[session.state] = session
    return verifier, session


def encrypted(state, presentation):
    """The answer as `direct_post.jwt` has it, by another package than the one that decrypts it."""
    header, payload = (decoded(part) for part in state["request_object"].split(".")[:2])
    key = payload["client_metadata"]["jwks"]["keys"][0]
    answer = {"vp_token": {QUERY: [presentation]}, "state": payload["state"]}
    made = JWE(json.dumps(answer), json.dumps({"alg": key["alg"], "enc": "A128GCM", "kid": key["kid"]}))
    made.add_recipient(JWK(**key))
    return made.serialize(compact=True)


def polaris_authority(anchors, now):
    """Who may sign status lists: a certificate below the issuer's anchor. The package leaves that to its caller."""
    def grants(*, header, **_):
        if header is None:  # before the list was fetched
            return (lambda *_: False), polaris_status.STATED, "not known yet"
        path = [x509.load_der_x509_certificate(base64.b64decode(text)) for text in header.get("x5c", [])]
        for anchor in anchors if path else ():
            if polaris_sdjwt._chains_to(path[0], anchor, now, path[1:]) == "":
                def verifies(signed, signature, header):
                    return header.get("alg") == "ES256" and polaris_sdjwt._verify_es256(
                        path[0].public_key(), signed, signature)
                return verifies, polaris_status.STATED, "its certificate is below the issuer's anchor"
        return None
    return grants


def polaris_reads(item):
    """What the verifier sees when the answer is posted to it."""
    anchors, now = anchors_of(item), int(item["now"])

    def resolver(*, uri, idx, issuer):
        return polaris_status.decide_by_fetching(
            index=idx, expected_uri=uri, authority=polaris_authority(anchors, now), now=now,
            fetch=lambda uri: fetched(item, uri).encode(), credential_issuer=issuer)

    with clock(now):
        verifier, _ = restored(item["request"], anchors, resolver)
        answer = encrypted(item["request"], item["presentation"])
        code, _, verdict = verifier.handle_direct_post({"response": answer})
    if code != 200 or not verdict.authentic:
        raise Refused(f"{verdict.code}: {verdict.reason}")
    # A status that could not be read is not refused by the package: its caller decides.
    if verdict.revocation["state"] != "checked":
        raise Refused(f"{verdict.revocation['state']}: {verdict.revocation.get('reason')}")
    return verdict.claims


# --- openvc-core ----------------------------------------------------------------------------------------------

def openvc_status(item, anchors, now):
    """Reads a status list. The package leaves the chain to its caller."""
    def resolve(uri):
        token = fetched(item, uri)
        path = load_x5c_chain(decoded(token.split(".")[0]).get("x5c"))
        validate_cert_chain(path[0], path[1:], trust_anchors=anchors, now=now)
        return verify_status_list_token(token, public_key_jwk=leaf_public_jwk(path[0]), expected_uri=uri, now=now)
    return resolve


def openvc_reads(item):
    header, payload = (decoded(part) for part in item["request"]["request_object"].split(".")[:2])
    anchors = anchors_of(item)
    with clock(item["now"]) as now:
        verified = verify_vp_token(
            {QUERY: [item["presentation"]]}, dcql_query=payload["dcql_query"], nonce=item["nonce"],
            client_id=item["audience"], x5c_trust_anchors=anchors, require_holder_binding=True, require_status=True,
            resolve_status_list_token=openvc_status(item, anchors, now), now=now)
    return verified.for_query(QUERY)[0].credentials[0].claims


def openvc_reads_issued(card, item):
    """What the package sees in a card that nobody has presented; its status has not been published."""
    with clock(item["now"]) as now:
        return verify_credential(
            card, policy=VerificationPolicy(expected_vct=item["type"], require_status=False, now=now),
            x5c_trust_anchors=anchors_of(item)).claims


# --- sd-jwt ---------------------------------------------------------------------------------------------------

def leaf_key(issuer, header):
    leaf = x509.load_der_x509_certificate(base64.b64decode(header["x5c"][0]))
    return JWK.from_pem(leaf.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))


def sd_jwt_reads(item):
    """The signatures, disclosures and binding: the package knows no chains, types and times."""
    return SDJWTVerifier(
        item["presentation"], leaf_key, item["audience"], item["nonce"]).get_verified_payload()


def sd_jwt_reads_issued(card, item):
    return SDJWTVerifier(card, leaf_key).get_verified_payload()


JUDGES = {"polaris-oid4vp": polaris_reads, "openvc-core": openvc_reads, "sd-jwt": sd_jwt_reads}


def refusal(judge, item):
    """Why a package refuses a presentation; None if it does not."""
    try:
        JUDGES[judge](item)
    except Exception as error:  # whatever it is, the presentation was not accepted
        return f"{type(error).__name__}: {error}"[:300]
    return None
