"""The rules on one request and one answer."""

import ipaddress
import socket

import bridge as b
from told import told
from tricks import Server, answer, says


def answers(host):
    server = Server(says(answer("201 Created", (("X-A", "1"), ("x-a", "2"), ("ETag", '"e"')), bytes(range(256)))))
    reply = host.ask(server.url("/a?b=c"))
    told("an answer arrives whole", reply.is_answer and reply.status == 201 and reply.body == bytes(range(256)), reply)
    told("its headers arrive, also those of one name",
         reply.header("etag") == ['"e"'] and ", ".join(reply.header("x-a")) == "1, 2", reply.headers)
    told("the URL that answered is reported", reply.url == server.url("/a?b=c"), reply)
    for path in ("", "?b=c"):
        reply, lines = asked(host, server, path)
        is_refused = not lines and not reply.is_answer and reply.was_sent is False
        told(f"a URL without a path is reported as it is, or not asked for: {path}",
             reply.url == server.url(path) or is_refused, f"{lines} {reply}")
    reply = host.ask(server.url("/a?b=c"))
    told("the address that answered is reported", reply.address == "127.0.0.1", reply)
    for code in (204, 304, 400, 404, 429, 500, 503):
        reply = host.ask(Server(says(answer(f"{code} Told"))).url())
        told(f"status {code} is an answer", reply.is_answer and reply.status == code, reply)
    server = Server(says(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n3\r\nway\r\n0\r\n\r\n"))
    reply = host.ask(server.url())
    told("a body in chunks arrives whole", reply.is_answer and reply.body == b"halfway", reply)
    reply = host.ask(Server(says(b"HTTP/1.1 100 Continue\r\n\r\n" + answer(body=b"x"))).url())
    told("an interim answer is not the answer", reply.is_answer and reply.status == 200 and reply.body == b"x", reply)
    if has_ipv6():
        reply = host.ask(Server(says(answer()), family=socket.AF_INET6).url())
        told("an address of IPv6 is reached and reported", is_address(reply, "::1"), reply)


def is_address(reply, *wanted):
    """Whether the answer came from one of these addresses, which have several spellings."""
    try:
        return reply.is_answer and str(ipaddress.ip_address(reply.address)) in wanted
    except ValueError:
        return False


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
        return True
    except OSError:
        return False


def requests(host):
    server = Server(says(answer()))
    body = bytes(range(256)) * 400
    host.ask(server.url("/p"), method="POST", headers=(("content-type", "a/b"),), body=body)
    request = server.requests[0]
    told("the body of a POST is sent byte for byte", request.body == body)
    told("its length is declared", request.header("content-length") == [str(len(body))], request.headers)
    told("its type is sent", request.header("content-type") == ["a/b"], request.headers)
    host.ask(server.url("/p"), method="POST", headers=())
    request = server.requests[1]
    told("an empty POST declares that", request.header("content-length") == ["0"], request.headers)
    told("a POST without a type gets none", request.header("content-type") == [], request.headers)
    for path in ("/a?b=c", "/a%2Fb%2e?c=%20&d=%C3%A4", "/?", "/a?b=c?d", "/a;b=c,d(e)!$'*"):
        _, lines = asked(host, server, path)
        told(f"the URL is sent as it is: {path}", lines == [f"GET {path} HTTP/1.1"], lines)
    for path in ("/a/../b//./c", "/a|b?c='d'"):  # a stack that would change these must refuse them
        reply, lines = asked(host, server, path)
        is_refused = not lines and not reply.is_answer and reply.was_sent is False
        told(f"the URL is sent as it is, or not at all: {path}", lines == [f"GET {path} HTTP/1.1"] or is_refused,
             f"{lines} {reply}")


def asked(host, server, path):
    """The reply, and the lines of the requests that the server has seen."""
    before = len(server.requests)
    reply = host.ask(server.url(path))
    return reply, [request.line for request in server.requests[before:]]


# Besides those of the request.
ALLOWED = {"host", "content-length", "connection", "accept-encoding", "user-agent", "accept-language"}


def privacy(host):
    cookie = ("Set-Cookie", "id=1; Path=/; Max-Age=1000")
    server = Server(says(answer(headers=(cookie, ("Cache-Control", "max-age=1000"), ("ETag", '"1"'))),))
    for method in ("GET", "POST", "GET"):
        host.ask(server.url(), method=method)
    headers = [header for request in server.requests for header in request.headers]
    told("no cookie comes back", not any(name.lower() == "cookie" for name, _ in headers), headers)
    told("no answer is taken from a cache", len(server.requests) == 3)
    more = {name.lower() for name, _ in headers} - ALLOWED - {"accept"}
    told("there are no other headers", not more, sorted(more))
    agents = {value for name, value in headers if name.lower() == "user-agent"}
    told("a user agent is none or just `wallet`", agents <= {"wallet"}, agents)
    languages = {value for name, value in headers if name.lower() == "accept-language"}
    told("a language is none or just `*`", languages <= {"*"}, languages)
    encodings = {value for name, value in headers if name.lower() == "accept-encoding"}
    told("no encoding is asked for", encodings <= {"identity"}, encodings)
    told("the request's own header is sent as it is", all(r.header("accept") == ["text/plain"] for r in server.requests))
    bare = Server(says(answer()))
    host.ask(bare.url(), headers=())
    told("a request without Accept gets none", bare.requests[0].header("accept") == [], bare.requests[0].headers)
    packed = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcbH\xcd\xc9\xc9\x07\x00\x86\xa6\x106\x05\x00\x00\x00"
    reply = host.ask(Server(says(answer(headers=(("Content-Encoding", "gzip"),), body=packed))).url())
    told("an encoded body is left as it is", not reply.is_answer or reply.body == packed, reply)
    server = Server(says(answer("401 Unauthorized", (("WWW-Authenticate", 'Basic realm="a"'),))))
    reply = host.ask(server.url())
    told("401 is an answer, and asked for once", reply.status == 401 and len(server.requests) == 1, reply)


def redirects(host):
    target = Server(says(answer()))
    for code in (301, 302, 303, 307, 308):
        for method in ("GET", "POST"):
            server = Server(says(answer(f"{code} Elsewhere", (("Location", target.url("/there")),))))
            reply = host.ask(server.url(), method=method)
            told(f"{code} after {method} is an answer", reply.is_answer and reply.status == code, reply)
    told("no redirect was followed", target.connections == 0, target.connections)


def limits(host):
    def limited(raw, **limit):
        return host.ask(Server(says(raw, keeps=False)).url(), **limit)

    body = b"a" * 5000
    reply = limited(answer(body=body), largest_body=5000)
    told("a body at its limit arrives", reply.is_answer and len(reply.body) == 5000, reply)
    for name, raw in (
        ("with its length", answer(body=body)), ("in chunks", chunked(body)),
        ("until the end", b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body),
        ("of which only the length came", b"HTTP/1.1 200 OK\r\nContent-Length: 9999999999\r\n\r\n"),
    ):
        reply = limited(raw, largest_body=4999)
        told(f"a body beyond its limit is refused, {name}", reply.outcome in (b.TOO_LARGE, b.INCOMPLETE), reply)
    many = [("X-A", "b" * 200)] * 50
    reply = limited(answer(headers=many), largest_headers=20_000)
    told("headers below their limit arrive", reply.is_answer and reply.header("x-a") != [], reply)
    reply = limited(answer(headers=many), largest_headers=5_000)
    told("headers beyond their limit are refused", reply.outcome in (b.TOO_LARGE, b.INCOMPLETE), reply)

    def flood(connection, request, server):
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        for _ in range(4096):
            connection.sendall(b"a" * 65536)

    server = Server(flood)
    reply = host.ask(server.url(), largest_body=100_000, timeout=30_000)
    told("a body without end is not read to its end", reply.outcome in (b.TOO_LARGE, b.INCOMPLETE), reply)


def chunked(body):
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
