#!/usr/bin/env python3
"""A TLS server on loopback that forwards each connection to a port of this machine.

    tls_forward.py CERTIFICATE KEY PORT

Prints its own port, and runs until its input ends.
"""

import contextlib
import socket
import ssl
import sys
import threading

context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])


def copy(source, target):
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


def serve(connection):
    with contextlib.suppress(OSError), connection, context.wrap_socket(connection, server_side=True) as client:
        with socket.create_connection(("127.0.0.1", int(sys.argv[3]))) as server:
            threading.Thread(target=copy, args=(client, server), daemon=True).start()
            copy(server, client)


def accept(listener):
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


with socket.socket() as listener:
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    print(listener.getsockname()[1], flush=True)
    threading.Thread(target=accept, args=(listener,), daemon=True).start()
    sys.stdin.read()
