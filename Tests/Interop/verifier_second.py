"""openvc-core as the second judge of an answer to a verifier.

It decrypts the answer itself. `state`, the claims that were asked for, and whether the request was answered before are
left to its caller, so these do not count here.
"""

from openvc.keys import P256KeyAgreementKey
from openvc.openid4vp import verify_encrypted_vp_response


def second_verdict(asked, token, now=None):
    """`accepted`, or `refused: ` and the reason."""
    [published] = asked.payload["client_metadata"]["jwks"]["keys"]
    try:
        verify_encrypted_vp_response(
            token, key=P256KeyAgreementKey(asked.session.enc_key, published["kid"]),
            dcql_query=asked.payload["dcql_query"], nonce=asked.session.nonce, client_id=asked.verifier.client_id,
            require_holder_binding=True, x5c_trust_anchors=asked.verifier.issuer_trust_anchors, now=now)
    except Exception as error:  # whatever it is, the answer was not accepted
        return f"refused: {type(error).__name__}: {error}"[:300]
    return "accepted"
