"""One fault at a time: in the right answer of a wallet, or in what the verifier expects of it.

A verifier that accepts the answer as it came and refuses it with one fault has accepted it for the right reason.
"""

import json
import time

from cryptography import x509
from polaris_oid4vp.jwe import encrypt_compact

from pid_issuer import Authority, base64url
from pid_verifiers import decoded

HOUR = 3600


# --- in the answer ------------------------------------------------------------------------------------------

def without_state(answer, query):
    del answer["state"]


def entry_more(answer, query):
    answer["vp_token"]["other"] = answer["vp_token"][query]


def two_presentations(answer, query):
    answer["vp_token"][query] *= 2


def text_for_array(answer, query):
    [answer["vp_token"][query]] = answer["vp_token"][query]


def presented(change):
    """A change of the presentation: of the part that the issuer has signed, the disclosures and the key binding."""
    def changed(answer, query):
        [presentation] = answer["vp_token"][query]
        card, *disclosures, binding = presentation.split("~")
        answer["vp_token"][query] = ["~".join(change(card, disclosures, binding))]
    return changed


def another_signature(token):
    signed, _, signature = token.rpartition(".")
    return f"{signed}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"


def foreign_disclosure():
    return base64url(json.dumps(["c2FsdA", "nickname", "Ody"]).encode())


IN_ANSWER = {
    "no state": without_state,
    "an entry more": entry_more,
    "two presentations": two_presentations,
    "a text in place of an array": text_for_array,
    "no binding": presented(lambda card, disclosures, binding: [card, *disclosures, ""]),
    "a disclosure dropped": presented(lambda card, disclosures, binding: [card, *disclosures[:-1], binding]),
    "disclosures reordered": presented(lambda card, disclosures, binding: [card, *disclosures[::-1], binding]),
    "a foreign disclosure": presented(
        lambda card, disclosures, binding: [card, *disclosures, foreign_disclosure(), binding]),
    "another signature of the binding": presented(
        lambda card, disclosures, binding: [card, *disclosures, another_signature(binding)]),
    "another signature of the card": presented(
        lambda card, disclosures, binding: [another_signature(card), *disclosures, binding]),
}


# --- in what is expected ------------------------------------------------------------------------------------

def another_nonce(asked):
    asked.session.nonce = "another"


def audience_without_prefix(asked):
    asked.verifier.client_id = asked.verifier.client_id.partition(":")[2]


def claim_more(asked):
    asked.verifier.claims = [*asked.verifier.claims, (("family_name",), None)]


def claim_less(asked):
    asked.verifier.claims = asked.verifier.claims[:-1]


def another_type(asked):
    asked.verifier.vct_values = ["urn:example:another:1"]


def another_issuer(asked):
    asked.verifier.issuer_trust_anchors = [x509.load_pem_x509_certificate(Authority().pem.encode())]


def hour_later(asked):
    asked.now = time.time() + HOUR
    asked.session.created = asked.now  # so that the answer is too old, and not the request


def answered_before(asked):
    asked.session.answered = True


IN_EXPECTATION = {
    "another nonce": another_nonce,
    "an audience without prefix": audience_without_prefix,
    "a claim more": claim_more,
    "a claim less": claim_less,
    "another type": another_type,
    "another issuer": another_issuer,
    "an hour later": hour_later,
    "answered before": answered_before,
}
FAULTS = {*IN_ANSWER, *IN_EXPECTATION}


def faulted(name, asked, token, answer):
    """The answer with the fault, encrypted as it was, and what it decrypts to."""
    if name in IN_ANSWER:
        answer = json.loads(json.dumps(answer))
        IN_ANSWER[name](answer, asked.verifier.query_id)
        header = decoded(token.split(".")[0])
        token = encrypt_compact(
            json.dumps(answer).encode(), asked.session.enc_key.public_key(), header["enc"],
            extra_header={"kid": header["kid"]})
    else:
        IN_EXPECTATION[name](asked)
        asked.payload["dcql_query"] = asked.verifier._dcql_query()
    return token, answer
