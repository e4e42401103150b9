"""A verifier of polaris-oid4vp whose requests differ in what the package does not let its caller choose."""

from polaris_oid4vp.verifier import Verifier, _sign_es256

from pid_verifiers import decoded


class VerifierWith(Verifier):
    def __init__(self, enc=None, **options):
        super().__init__(**options)
        self.enc = enc
        self.signed = None

    def identify(self, prefix, host):
        """Sets what the verifier calls itself. Requests, links and the check of the audience all read this."""
        if prefix == "x509_san_dns":
            self.client_id = f"x509_san_dns:{host}"
        elif prefix != "x509_hash":
            raise ValueError(f"client is x509_hash or x509_san_dns, not {prefix}")

    def reopen(self, session):
        """Lets a request be answered once more."""
        with self._lock:
            session.answered = False
            self._sessions[session.state] = session

    def _dcql_query(self):
        """Without claims a query has no member for them (OpenID4VP 1.0 section 6.1), where the package's is empty."""
        query = super()._dcql_query()
        if not self.claims:
            del query["credentials"][0]["claims"]
        return query

    def _request_object(self, session, wallet_nonce=None):
        """The request with other content encryption algorithms than the package's own two; it is kept in `signed`."""
        request = super()._request_object(session, wallet_nonce)
        if self.enc is not None:
            header, payload = (decoded(part) for part in request.split(".")[:2])
            payload["client_metadata"]["encrypted_response_enc_values_supported"] = self.enc
            request = _sign_es256(self.key, header, payload)
        self.signed = request
        return request
