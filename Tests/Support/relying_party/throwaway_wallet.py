"""A wallet for tests of the relying party: no more than that takes, and it can be told to make mistakes."""

import contextlib
import http.client
import json
import secrets
import socket
import ssl
from urllib.parse import parse_qs, urlencode, urlsplit

from party_jose import CIPHERS, encrypted, public_key
from pid_issuer import base64url, decoded

FORM = "application/x-www-form-urlencoded"
OBJECT = "application/oauth-authz-req+jwt"


class Connection(http.client.HTTPSConnection):
    """Goes to loopback, whatever the host of the URL; the certificate has to be that of the host."""

    def __init__(self, url, anchor, patience):
        parts = urlsplit(url)
        super().__init__(parts.hostname, parts.port, timeout=patience,
                         context=ssl.create_default_context(cafile=anchor))

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", self.port), self.timeout)
        self.sock = self._context.wrap_socket(plain, server_hostname=self.host)


class Object:
    """A request object, read and not judged."""

    def __init__(self, reply):
        self.status, self.type, self.location, self.text = reply
        self.header, self.members = {}, {}
        with contextlib.suppress(ValueError):
            header, content, *_ = self.text.split(".")
            self.header = json.loads(decoded(header))
            self.members = json.loads(decoded(content))

    def __getitem__(self, name):
        return self.members[name]


class Wallet:
    def __init__(self, anchor, patience):
        self.anchor, self.patience, self.nonce = anchor, patience, base64url(secrets.token_bytes(32))

    def send(self, method, url, body=None, type=FORM):
        connection = Connection(url, self.anchor, self.patience)
        with contextlib.closing(connection):
            headers = {"Accept": OBJECT} | ({"Content-Type": type} if body is not None else {})
            connection.request(method, urlsplit(url).path, body, headers)
            reply = connection.getresponse()
            return reply.status, reply.getheader("Content-Type"), reply.getheader("Location"), reply.read().decode()

    @contextlib.contextmanager
    def opened(self, method, url, form=None):
        """Sends a request and hangs up at the end; until then the function that it gives reads the body."""
        asked = parse_qs(urlsplit(url).query)
        url = asked["request_uri"][0] if "request_uri" in asked else url
        connection = Connection(url, self.anchor, self.patience)
        with contextlib.closing(connection):
            connection.request(method, urlsplit(url).path, urlencode(form) if form else None, {"Content-Type": FORM})
            yield lambda count: connection.getresponse().read(count)

    def fetch(self, link, metadata=None, **more):
        """The object of a link, fetched as the link says."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(link).query).items()}
        if asked.get("request_uri_method") != "post":
            return Object(self.send("GET", asked["request_uri"]))
        metadata = {"vp_formats_supported": {"dc+sd-jwt": {}}, **(metadata or {})}
        form = {"wallet_nonce": self.nonce, "wallet_metadata": json.dumps(metadata), **more}
        return Object(self.send("POST", asked["request_uri"], urlencode(form)))

    def sealed(self, asked, content, cipher=None, **header):
        """The form of an answer that is encrypted for the relying party."""
        metadata = asked["client_metadata"]
        [key] = metadata["jwks"]["keys"]
        cipher = cipher or metadata.get("encrypted_response_enc_values_supported", list(CIPHERS))[0]
        header = {name: value for name, value in ({"kid": key["kid"]} | header).items() if value is not None}
        return {"response": encrypted(json.dumps(content), public_key(key), cipher, **header)}

    def post(self, asked, form, type=FORM):
        status, type, location, text = self.send("POST", asked["response_uri"], urlencode(form), type)
        return status, json.loads(text) if text else None, location
