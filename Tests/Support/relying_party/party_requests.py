"""The requests of a relying party (OpenID4VP 1.0 in the HAIP profile), as they should be and with faults on demand."""

import base64
import secrets
import time
from urllib.parse import quote, urlencode

from cryptography.hazmat.primitives import hashes

from party_certificates import IDENTIFIER, ORGANISATION, OTHER_HOST, PRIVATE_HOST
from party_jose import CIPHERS, Malformed, demand, encrypted, parsed, public_key
from pid_issuer import TYPE, base64url, chain, encoded, jwk, new_key, signed

OPTIONS = {
    "query", "vct", "claims", "method", "scheme", "client", "state", "redirect", "enc", "encrypt_request",
    "expires_in", "verifier_info", "register", "transaction_data", "members", "header", "fault", "now",
}
# With these faults a wallet cannot know who asks, and must tell nothing to anybody.
UNTRUSTED = {
    "wrong-signature", "other-authority", "self-signed-leaf", "anchor-in-x5c", "chain-out-of-order", "x5c-base64url",
    "other-response-host", "private-response", "other-client-id", "text-plain", "redirect-request",
}
# With these too, if it has sent a nonce.
UNTRUSTED_WITH_NONCE = {"no-wallet-nonce", "wrong-wallet-nonce"}
# These are genuine, but beyond what a wallet reads.
EXCESSIVE = {"huge-object", "many-claims", "slow-object"}
OTHER_FAULTS = {
    "silent", "not-found", "server-error", "replay",
    "redirect-response", "silent-response", "held-response", "close-response", "refuse-answer", "gone-after-fetch",
    "text-answer", "empty-answer",
    "javascript-redirect", "http-redirect", "wallet-redirect",
}
FAULTS = UNTRUSTED | UNTRUSTED_WITH_NONCE | EXCESSIVE | OTHER_FAULTS
# What the reply to an answer names as the next page.
REDIRECTS = {
    "javascript-redirect": "javascript:alert(1)", "http-redirect": "http://shop.localhost/done",
    "wallet-redirect": "openid4vp://?client_id=x509_hash:a&request_uri=https://shop.localhost/request/a",
}
HUGE = 10_000_000
MANY = 10_000


def random_text():
    return base64url(secrets.token_bytes(24))


def merged(value, changes):
    """A JSON value with changes in it, of which null deletes (RFC 7396)."""
    if not isinstance(changes, dict):
        return changes
    result = dict(value) if isinstance(value, dict) else {}
    for name, change in changes.items():
        result[name] = merged(result.get(name), change)
        if change is None:
            del result[name]
    return result


class Request:
    def __init__(self, certificates, base, options, previous=None):
        unknown = options.keys() - OPTIONS or {options.get("fault")} - FAULTS - {None}
        if unknown:
            raise ValueError(f"unknown: {', '.join(map(str, unknown))}")
        self.options, self.fault, self.previous = options, options.get("fault"), previous
        if self.fault == "replay" and not (previous and previous.text):
            raise ValueError("there is no fetched request to be replayed")
        self.certificates, self.base, self.id = certificates, base, random_text()
        self._begin, self._monotonic = options.get("now", int(time.time())), time.monotonic()
        self.method = options.get("method", "post")
        self.signer, self.key = certificates.signer(self.fault), new_key()
        self.nonce, self.fetches, self.posts = random_text(), 0, 0
        # The last object that was served: its members, its text, and whether the wallet had sent a nonce.
        self.members, self.text, self.has_wallet_nonce = None, None, False
        self.client_id = self._client_id(options.get("client", "x509_hash"))
        self.state = options.get("state", random_text())

    @property
    def now(self):
        """Seconds since 1970, by the clock that the wallet has."""
        return self._begin + int(time.monotonic() - self._monotonic)

    @property
    def is_untrusted(self):
        return self.fault in UNTRUSTED or self.fault in UNTRUSTED_WITH_NONCE and self.has_wallet_nonce

    def _client_id(self, kind):
        if kind == "x509_hash":
            return f"x509_hash:{base64url(self.signer.certificate.fingerprint(hashes.SHA256()))}"
        return f"x509_san_dns:{self.certificates.host}" if kind == "x509_san_dns" else kind

    @property
    def link(self):
        parameters = {"client_id": self.client_id, "request_uri": f"{self.base}/request/{self.id}"}
        if self.method:
            parameters["request_uri_method"] = self.method
        scheme = self.options.get("scheme", "openid4vp")
        return f"{scheme}{'' if '://' in scheme else '://'}?{urlencode(parameters, quote_via=quote)}"

    @property
    def redirect(self):
        """The next page after an answer, with a code that nobody else has seen; None for none."""
        fresh = f"https://{self.certificates.host}/done?code={random_text()}"
        return REDIRECTS.get(self.fault) or self.options.get("redirect", fresh)

    # --- the object ------------------------------------------------------------------------------------

    def _query(self):
        claims = self.options.get("claims", [["given_name"]])
        if self.fault == "many-claims":
            claims = [[f"claim_{number}"] for number in range(MANY)]
        credential = {
            "id": "card", "format": "dc+sd-jwt", "meta": {"vct_values": [self.options.get("vct", TYPE)]},
            "claims": [{"path": path} for path in claims]}
        if not claims:
            del credential["claims"]
        return self.options.get("query", {"credentials": [credential]})

    def _response_uri(self):
        base = {"other-response-host": self.base.replace(self.certificates.host, OTHER_HOST),
                "private-response": f"https://{PRIVATE_HOST}"}.get(self.fault, self.base)
        return f"{base}/response/{self.id}"

    def _metadata(self):
        key = jwk(self.key) | {"kid": self.id, "alg": "ECDH-ES", "use": "enc"}
        formats = {"dc+sd-jwt": {"sd-jwt_alg_values": ["ES256"], "kb-jwt_alg_values": ["ES256"]}}
        metadata = {"jwks": {"keys": [key]}, "vp_formats_supported": formats}
        if (ciphers := self.options.get("enc", list(CIPHERS))) is not None:
            metadata["encrypted_response_enc_values_supported"] = ciphers
        return metadata

    def _made(self, wallet_nonce):
        """The members of the object, with the faults and changes that are in them."""
        now, query = self.now, self._query()
        members = {
            "client_id": self.client_id, "aud": "https://self-issued.me/v2", "response_type": "vp_token",
            "response_mode": "direct_post.jwt", "response_uri": self._response_uri(), "nonce": self.nonce,
            "dcql_query": query, "client_metadata": self._metadata(), "iat": now}
        if self.state is not None:
            members["state"] = self.state
        if (seconds := self.options.get("expires_in", 600)) is not None:
            members["exp"] = now + seconds
        if wallet_nonce is not None and self.fault != "no-wallet-nonce":
            members["wallet_nonce"] = random_text() if self.fault == "wrong-wallet-nonce" else wallet_nonce
        if self.fault == "other-client-id":  # a true name of the certificate, but not that of the link
            members["client_id"] = f"x509_san_dns:{self.certificates.host}"
        if self.fault == "huge-object":
            members["padding"] = "x" * HUGE
        information = list(self.options.get("verifier_info", []))
        if (register := self.options.get("register")) not in (None, False):
            for changes in register if isinstance(register, list) else [register]:
                information.append(self._registered(query, changes))
        if information:
            members["verifier_info"] = information
        if (data := self.options.get("transaction_data")) is not None:
            members["transaction_data"] = [each if isinstance(each, str) else encoded(each) for each in data]
        return merged(members, self.options.get("members", {}))

    def _registered(self, query, changes):
        """An entry of verifier_info; `credential_ids` among the changes limits it to these queries."""
        entry = {"format": "registration_cert"}
        if isinstance(changes, dict) and "credential_ids" in changes:
            entry["credential_ids"] = changes["credential_ids"]
            changes = {name: value for name, value in changes.items() if name != "credential_ids"}
        return entry | {"data": self._registration(query, changes)}

    def _registration(self, query, changes):
        """What the registrar confirms of the relying party (ETSI TS 119 475)."""
        now, registrar = self.now, self.certificates.registrar
        payload = {
            "name": ORGANISATION, "sub": IDENTIFIER, "country": "NL", "iat": now, "exp": now + 86_400,
            "intended_use_id": "1", "purpose": [{"lang": "en", "value": "To deliver what you order"}],
            "privacy_policy": f"https://{self.certificates.host}/privacy",
            "credentials": [
                {"format": each["format"], "meta": each["meta"],
                 "claim": [{"path": claim["path"]} for claim in each.get("claims", [])]}
                for each in query["credentials"]]}
        header = {"alg": "ES256", "typ": "rc-wrp+jwt", "x5c": chain(registrar.certificate)}
        return signed(registrar.key, header, merged(payload, {} if changes is True else changes))

    def made(self, wallet_nonce):
        """The object for a fetch, signed anew because each wallet sends a nonce of its own."""
        self.has_wallet_nonce = wallet_nonce is not None
        if self.fault == "replay":
            return self.previous.text
        self.members = self._made(wallet_nonce)
        path = chain(self.signer.certificate, *self.signer.others)
        if self.fault == "x5c-base64url":
            path = [base64url(base64.b64decode(each)) for each in path]
        header = {"alg": "ES256", "typ": "oauth-authz-req+jwt", "x5c": path}
        key = new_key() if self.fault == "wrong-signature" else self.signer.key
        self.text = signed(key, merged(header, self.options.get("header", {})), self.members)
        return self.text

    def served(self, form):
        """The object for a fetch, encrypted if that is wanted and the wallet has offered a key."""
        metadata = wallet_metadata(form) or {}
        text, offered = self.made(form.get("wallet_nonce")), metadata.get("jwks")
        if not self.options.get("encrypt_request") or not offered:
            return text
        try:
            listed = metadata["request_object_encryption_enc_values_supported"]
            cipher = next(each for each in reversed(CIPHERS) if each in listed)
            key = next(each for each in offered["keys"] if each.get("use", "enc") == "enc")
            return encrypted(text, public_key(key), cipher, kid=key["kid"], cty="JWT")
        except (StopIteration, LookupError, TypeError) as error:
            raise Malformed("the wallet offers no key and cipher for the object") from error


def wallet_metadata(form):
    """What the wallet says that it supports; None if it says nothing."""
    if "wallet_metadata" not in form:
        return None
    metadata = parsed(form["wallet_metadata"])
    demand(isinstance(metadata, dict), "wallet_metadata is no object")
    return metadata


def problem_of_fetch(request, method, headers, form):
    """What is wrong with a wallet's fetch of the object (section 5.10); None for nothing."""
    try:
        demand(request.method in ("", "get", "post"), "a request by an unknown method was fetched")
        demand(method == ("POST" if request.method == "post" else "GET"), "fetched by another method")
        demand(headers.get("accept") == "application/oauth-authz-req+jwt", "Accept is another type")
        if method == "POST":
            demand(headers.get("content-type") == "application/x-www-form-urlencoded", "the body is of another type")
            demand(form.keys() <= {"wallet_metadata", "wallet_nonce"}, "members that a fetch does not have")
            metadata = wallet_metadata(form)
            demand(metadata is None or isinstance(metadata.get("vp_formats_supported"), dict),
                   "wallet_metadata lacks vp_formats_supported")
    except Malformed as error:
        return str(error)
    return None
