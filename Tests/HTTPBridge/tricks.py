"""Servers on loopback that play tricks, and what they have seen."""

import datetime
import ipaddress
import os
import socket
import ssl
import tempfile
import threading

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bridge import PATIENCE


class Server:
    """Accepts connections and reads requests. `play(connection, request, server)` answers one; returning True keeps the
    connection for the next one."""

    def __init__(self, play, tls=None, family=socket.AF_INET):
        self.play, self.tls = play, tls
        self.requests, self.connections, self.resumed, self.gone = [], 0, 0, 0
        self.changed = threading.Condition()
        self._listener = socket.socket(family)
        self._listener.bind(("127.0.0.1" if family == socket.AF_INET else "::1", 0))
        self._listener.listen(32)
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, path="/", host=None):
        host = host or ("[::1]" if self._listener.family == socket.AF_INET6 else "127.0.0.1")
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}{path}"

    def note(self, change):
        with self.changed:
            change()
            self.changed.notify_all()

    def wait_for(self, holds):
        """Waits until `holds()`, which reads what the server has seen."""
        with self.changed:
            return self.changed.wait_for(holds, PATIENCE)

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        self.note(lambda: setattr(self, "connections", self.connections + 1))
        try:
            with connection:
                if self.tls is not None:
                    connection = self.tls.wrap_socket(connection, server_side=True)
                    if connection.session_reused:
                        self.note(lambda: setattr(self, "resumed", self.resumed + 1))
                while (request := read_request(connection)) is not None:
                    self.note(lambda: self.requests.append(request))
                    if not self.play(connection, request, self):
                        break
                connection.close()
        except (OSError, ValueError):  # the client has ended the connection, or TLS was refused
            pass
        self.note(lambda: setattr(self, "gone", self.gone + 1))

    def close(self):
        # Ends the thread that accepts.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


class Request:
    def __init__(self, head, body):
        lines = head.decode("latin-1").split("\r\n")
        self.line, self.body = lines[0], body
        self.headers = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:] if line]

    def header(self, name):
        return [value for key, value in self.headers if key.lower() == name.lower()]


def read_request(connection):
    """Reads a request with the body that it declares; None at the end of the connection."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return None
        data += piece
    head, body = data.split(b"\r\n\r\n", 1)
    request = Request(head, b"")
    length = int((request.header("content-length") or ["0"])[0])
    while len(body) < length:
        piece = connection.recv(65536)
        if not piece:
            return None
        body += piece
    request.body = body
    return request


def answer(status="200 OK", headers=(), body=b""):
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers), f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def says(*answers, keeps=True):
    """Answers each request with the next one of `answers`, the last one again and again."""
    left = list(answers)

    def play(connection, request, server):
        connection.sendall(left.pop(0) if len(left) > 1 else left[0])
        return keeps

    return play


def until_gone(connection):
    """Waits until the client ends the connection."""
    while connection.recv(4096):
        pass


class Authority:
    """A certificate authority, made anew in each run."""

    def __init__(self, name):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.now = datetime.datetime.now(datetime.timezone.utc)
        self.certificate = self._sign(self.name, self.key.public_key(), (
            (x509.BasicConstraints(True, None), True),
            (x509.KeyUsage(False, False, False, False, False, True, True, False, False), True),
            (x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), False)), -1, 1)

    def _sign(self, subject, public_key, extensions, first_day, last_day):
        builder = x509.CertificateBuilder(
            self.name, subject, public_key, x509.random_serial_number(),
            self.now + datetime.timedelta(days=first_day), self.now + datetime.timedelta(days=last_day))
        for extension, is_critical in extensions:
            builder = builder.add_extension(extension, is_critical)
        return builder.sign(self.key, hashes.SHA256())

    @property
    def pem(self):
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    def server(self, addresses=("127.0.0.1",), names=("localhost",), first_day=-1, last_day=1, **versions):
        """A TLS context with a certificate of this authority."""
        key = ec.generate_private_key(ec.SECP256R1())
        authority_id = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        certificate = self._sign(
            x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "server")]), key.public_key(), (
                (x509.BasicConstraints(False, None), True),
                (x509.ExtendedKeyUsage([x509.oid.ExtendedKeyUsageOID.SERVER_AUTH]), False), (authority_id, False),
                (x509.SubjectAlternativeName([
                    *(x509.IPAddress(ipaddress.ip_address(address)) for address in addresses),
                    *map(x509.DNSName, names)]), False)), first_day, last_day)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        for name, value in versions.items():
            setattr(context, name, value)
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "server.pem")
            with open(path, "wb") as file:
                file.write(certificate.public_bytes(serialization.Encoding.PEM))
                file.write(key.private_bytes(
                    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
            context.load_cert_chain(path)
        return context
