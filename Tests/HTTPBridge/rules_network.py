"""The rules on time, damage, connections, TLS, addresses and several requests."""

import os
import socket
import ssl

import bridge as b
from rules import chunked, is_address
from told import told
from tricks import Authority, Server, answer, says, until_gone


def times(host):
    def silent(connection, request, server):
        until_gone(connection)

    def drips(start):
        def play(connection, request, server):
            connection.sendall(start)
            while True:  # until the client has gone
                connection.sendall(b"a")
                with server.changed:
                    server.changed.wait(0.05)
        return play

    for name, play in (
        ("an answer that never comes", silent), ("headers without end", drips(b"HTTP/1.1 200 OK\r\nA: ")),
        ("a body without end", drips(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")),
    ):
        server = Server(play)
        reply = host.ask(server.url(), method="POST", timeout=5000)
        told(f"{name} ends at the time of the request", reply.outcome == b.TIMED_OUT, reply)
        told(f"{name} may have been sent", reply.was_sent is True, reply)
        told(f"{name} leaves no connection", server.wait_for(lambda: server.gone == 1))
        told(f"{name} is asked for once", len(server.requests) == 1, len(server.requests))


def damage(host):
    for name, whole in (("with its length", answer(headers=(("A", "b"),), body=b"whole")), ("in chunks", chunked(b"whole"))):
        wrong = []
        for cut in range(len(whole)):
            reply = host.ask(Server(says(whole[:cut], keeps=False)).url())
            # A body in chunks is whole before its last line.
            if reply.is_answer and reply.body != b"whole" or reply.failure or not reply.was_sent:
                wrong.append(f"{cut}: {reply}")
        told(f"an answer that is cut is none, {name}", not wrong, "\n".join(wrong))
    for raw in (b"220 mail.example ESMTP\r\n", b"<html>hello</html>", b"\x15\x03\x01\x00\x02\x02\x28", b"HTTP/1.1 \r\n\r\n"):
        reply = host.ask(Server(says(raw, keeps=False)).url())
        told(f"what is not HTTP is no answer: {raw[:8]}", not reply.is_answer and not reply.failure, reply)
    server = Server(lambda connection, request, server: False)
    reply = host.ask(server.url(), method="POST", body=b"once")
    told("a POST whose answer is lost may have been sent", not reply.is_answer and reply.was_sent is True, reply)
    told("and is not sent again", server.connections == 1 and len(server.requests) == 1, server.connections)
    # The first answer lets the connection be kept; it is closed when the second request comes.
    def closes(connection, request, server):
        if len(server.requests) == 1:
            connection.sendall(answer())
            return True

    server = Server(closes)
    for _ in range(2):
        reply = host.ask(server.url(), method="POST", body=b"once", shares_connections=True)
    told("nor on a new connection after a kept one was closed", len(server.requests) == 2, len(server.requests))


def connections(host):
    # Kept meanwhile, so that nobody else gets the port. Nothing listens on it.
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        reply = host.ask(f"http://127.0.0.1:{free.getsockname()[1]}/")
    told("a closed port is told", reply.outcome == b.NOT_CONNECTED, reply)
    told("and nothing was sent", reply.was_sent is False, reply)
    reply = host.ask("https://no-such-name.invalid/")
    # The machine's resolver may need longer than a connection may take.
    told("a name that does not exist is told", reply.outcome in (b.NO_NETWORK, b.TIMED_OUT), reply)
    told("and nothing was sent to it", reply.was_sent is False, reply)
    server = Server(says(answer()))
    for _ in range(3):
        host.ask(server.url())
    told("a request that shares no connection has its own", server.connections == 3, server.connections)
    server = Server(says(answer()), tls=(authority := Authority("check")).server())
    for _ in range(3):
        host.ask(server.url(), authorities=authority.pem)
    told("and resumes no TLS session", server.connections == 3 and server.resumed == 0, server.resumed)


def trust(host):
    authority, other = Authority("check"), Authority("other")
    good = authority.server()

    def asks(context, name, authorities=authority.pem, wanted=None, at=None, **request):
        server = Server(says(answer()), tls=context)
        reply = host.ask(server.url(host=at), authorities=authorities, **request)
        if wanted is None:
            return told(name, reply.is_answer and reply.status == 200, reply)
        told(name, reply.outcome in wanted and reply.was_sent is False and not server.requests, reply)

    refused = (b.TLS_REFUSED,)
    asks(good, "the authority of the request is trusted")
    asks(good, "also by name", at="localhost")
    asks(good, "each of several authorities is", authorities=other.pem + authority.pem)
    asks(good, "another authority is not", authorities=other.pem, wanted=refused)
    asks(good, "an authority of no request is not", authorities=None, wanted=refused)
    asks(authority.server(names=("other.example",), addresses=()), "another name is refused", at="localhost", wanted=refused)
    asks(authority.server(addresses=("127.0.0.2",)), "another address is refused", wanted=refused)
    asks(authority.server(first_day=-0.9, last_day=-0.1), "an expired certificate is refused", wanted=refused)
    asks(authority.server(first_day=0.1, last_day=0.9), "one of the future is refused", wanted=refused)
    old = authority.server(maximum_version=ssl.TLSVersion.TLSv1_2)
    asks(old, "TLS 1.2 is accepted where it may be", oldest_tls=12)
    asks(old, "TLS 1.2 is refused where 1.3 is the oldest", oldest_tls=13, wanted=refused)
    asks(good, "TLS 1.3 is accepted there", oldest_tls=13)
    asks(None, "a server of plain HTTP is an answer of http only")
    server = Server(says(answer()))
    reply = host.ask(server.url().replace("http:", "https:"), authorities=authority.pem)
    told("a server without TLS is refused for https", not reply.is_answer and not server.requests, reply)


def reach(host):
    listener = Server(says(answer()), tls=(authority := Authority("check")).server())
    urls = [listener.url(host=name) for name in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "127.0.0.2", "0.0.0.0")]
    for url in urls + ["https://10.255.255.1/", "https://192.168.255.254/", "https://169.254.169.254/", "https://[fe80::1]/"]:
        reply = host.ask(url, reach="public", authorities=authority.pem, timeout=5_000)
        told(f"the public internet only: {url.rsplit(':', 1)[0] if url in urls else url}",
             reply.outcome == b.ADDRESS_REFUSED and reply.was_sent is False, reply)
    told("nothing connected meanwhile", listener.connections == 0, listener.connections)
    reply = host.ask(listener.url(host="localhost"), reach="public-or-loopback", authorities=authority.pem)
    told("in development this device is reached", is_address(reply, "127.0.0.1", "::1"), reply)
    reply = host.ask("https://10.255.255.1/", reach="public-or-loopback", timeout=5_000)
    told("but no private network", reply.outcome == b.ADDRESS_REFUSED and reply.was_sent is False, reply)


def proxies(host, proxy):
    host.ask("http://127.0.0.1:9/", reach="public-or-loopback", timeout=3_000)
    host.ask("https://10.255.255.1/", reach="public", timeout=3_000)
    told("no proxy is used where the reach is limited", proxy.connections == 0, proxy.connections)


def cancelling(host):
    server = Server(lambda connection, request, server: until_gone(connection))
    number = host.begin(server.url(), timeout=600_000)
    server.wait_for(lambda: server.requests)
    host.cancel(number)
    reply = host.end(number)
    told("a cancelled request ends", reply.failure == "cancelled", reply)
    told("and its connection is closed", server.wait_for(lambda: server.gone == 1))
    number = host.begin(server.url(), timeout=600_000)
    told("the next one is carried out", server.wait_for(lambda: len(server.requests) == 2))
    host.cancel(number)
    host.end(number)


def concurrency(host):
    count = 8

    def waits(connection, request, server):
        server.wait_for(lambda: len(server.requests) >= count)
        connection.sendall(answer(body=request.line.split()[1].encode()))

    server = Server(waits)
    numbers = [host.begin(server.url(f"/{index}"), timeout=60_000) for index in range(count)]
    replies = [host.end(number) for number in numbers]
    told(f"{count} requests are under way together", len(server.requests) == count, len(server.requests))
    told("each gets its own answer", [reply.body for reply in replies] == [f"/{index}".encode() for index in range(count)],
         [str(reply) for reply in replies])


def keys(host, file):
    server = Server(says(answer()), tls=(authority := Authority("check")).server())
    reply = host.ask(server.url(), authorities=authority.pem)
    written = os.path.getsize(file) if os.path.exists(file) else 0
    told("no TLS keys are written where a variable asks for them", reply.is_answer and written == 0, written)


def leaving(start):
    """The process ends while requests are under way: in TLS handshakes, and in answers."""
    statuses = []
    for _ in range(5):
        server = Server(lambda connection, request, server: until_gone(connection), tls=(authority := Authority("check")).server())
        with start() as host:
            for _ in range(16):
                host.begin(server.url(), authorities=authority.pem, timeout=600_000)
            server.wait_for(lambda: server.requests)
        statuses.append(host.process.returncode)
    told("the host ends in order with requests under way", statuses == [0] * 5, statuses)
