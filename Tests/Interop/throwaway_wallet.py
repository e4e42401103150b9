"""A wallet in Python for tests of verifiers: fetches a request, checks it, and answers it, rightly or not."""

import base64
import datetime
import hashlib
import http.client
import json
import secrets
import socket
import ssl
import time
import urllib.parse

from cryptography import x509
from jwcrypto.jwe import JWE
from jwcrypto.jwk import JWK
from jwcrypto.jws import JWS
from openvc.x5c import validate_cert_chain

from patience import PATIENCE
from pid_issuer import base64url, decoded

FORM = "application/x-www-form-urlencoded"


class Connection(http.client.HTTPSConnection):
    """Connects to this machine, whatever the name: not each resolver knows those below `localhost`."""

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        self.sock = self._context.wrap_socket(plain, server_hostname=self.host)


def call(url, authority, form=None):
    """The status, content type and content of a reply, from a host whose certificate comes from that authority."""
    parts = urllib.parse.urlsplit(url)
    connection = Connection(parts.hostname, parts.port, context=ssl.create_default_context(cafile=authority))
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    if form is None:
        connection.request("GET", path)
    else:
        connection.request("POST", path, urllib.parse.urlencode(form), {"Content-Type": FORM})
    reply = connection.getresponse()
    content = reply.read()
    connection.close()
    return reply.status, reply.getheader("Content-Type"), content


class Request:
    """A request that was fetched, by the authority for TLS; `problems` are those that a wallet has to find in it."""

    def __init__(self, link, tls_authority, access_authority):
        self.link, self.tls = urllib.parse.urlsplit(link), tls_authority
        self.asked = dict(urllib.parse.parse_qsl(self.link.query))
        self.nonce = secrets.token_urlsafe(32)
        posted = {"wallet_nonce": self.nonce} if self.asked.get("request_uri_method") == "post" else None
        self.status, kind, content = call(self.asked["request_uri"], tls_authority, posted)
        self.problems = []
        if self.status != 200:
            return
        self._holds(kind == "application/oauth-authz-req+jwt", "content type")
        signed, _, signature = content.decode().rpartition(".")
        self.header, self.payload = (json.loads(decoded(part)) for part in signed.split("."))
        self._judge_signature(signed, signature, access_authority)
        self._holds(self.header["typ"] == "oauth-authz-req+jwt" and self.header["alg"] == "ES256", "header")
        self._holds(self.payload["aud"] == "https://self-issued.me/v2", "aud")
        self._holds(self.payload["client_id"] == self.asked["client_id"], "client_id")
        self._holds(self.payload.get("wallet_nonce") == (self.nonce if posted else None), "wallet_nonce")
        self._holds(self.payload["iat"] <= time.time() < self.payload["exp"], "times")

    def _holds(self, condition, name):
        if not condition:
            self.problems.append(name)

    def _judge_signature(self, signed, signature, authority):
        [der] = [base64.b64decode(text, validate=True) for text in self.header["x5c"]]
        leaf = x509.load_der_x509_certificate(der)
        with open(authority, "rb") as file:
            anchor = x509.load_pem_x509_certificate(file.read())
        validate_cert_chain(leaf, [], trust_anchors=[anchor], now=datetime.datetime.now(datetime.timezone.utc))
        token = JWS.from_jose_token(f"{signed}.{signature}")
        token.allowed_algs = ["ES256"]
        token.verify(JWK.from_pyca(leaf.public_key()))
        prefix, _, value = self.payload["client_id"].partition(":")
        names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        self._holds(value == base64url(hashlib.sha256(der).digest()) if prefix == "x509_hash"
                    else prefix == "x509_san_dns" and value in names.get_values_for_type(x509.DNSName), "prefix")

    @property
    def query(self):
        [query] = self.payload["dcql_query"]["credentials"]
        return query

    def paths(self):
        return [tuple(claim["path"]) for claim in self.query.get("claims", [])]

    def right(self, *presentations):
        return {"vp_token": {self.query["id"]: list(presentations)}, "state": self.payload["state"]}

    def encrypted(self, answer):
        """The form of an answer as `direct_post.jwt` has it, with the first algorithm that the verifier names."""
        metadata = self.payload["client_metadata"]
        [key], enc = metadata["jwks"]["keys"], metadata["encrypted_response_enc_values_supported"][0]
        made = JWE(json.dumps(answer), json.dumps({"alg": key["alg"], "enc": enc, "kid": key["kid"]}))
        made.add_recipient(JWK(**key))
        return {"response": made.serialize(compact=True)}

    def send(self, form):
        """The status of the reply, and the reply."""
        status, _, content = call(self.payload["response_uri"], self.tls, form)
        return status, json.loads(content)
