#!/usr/bin/env python3
"""Reserves a port on loopback for the servers of a script.

    hold_port.py FILE

Writes the port to FILE and runs until FILE is gone, or the session that started it has ended. A server can listen on
the port if it sets SO_REUSEADDR, as servers do, because this socket never listens. A port that was merely free a
moment ago may be given to another process.
"""

import os
import socket
import sys
import time


def is_alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


path, session = sys.argv[1], os.getsid(0)
with socket.socket() as held:
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    with open(path + ".new", "w", encoding="ascii") as file:
        file.write(f"{held.getsockname()[1]}\n")
    os.rename(path + ".new", path)
    while os.path.exists(path) and is_alive(session):
        time.sleep(1)
