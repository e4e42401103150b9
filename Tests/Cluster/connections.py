#!/usr/bin/env python3
"""Opens as many connections as a provider takes, and says what they cost.

    Tests/Cluster/connections.py URL PROCESS COUNT

Each asks for /health/live once and stays open. Then COUNT are open at the same time; the next one must be closed at
once, and all must still be answered. Prints the resident memory of PROCESS in KiB before the first, with all of them,
and after they are closed; ends with an error if a rule is broken.
"""

import asyncio
import itertools
import pathlib
import resource
import sys
from urllib.parse import urlsplit

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Support"))
from patience import PATIENCE  # noqa: E402

TOGETHER = 200  # being opened at the same time
REQUEST = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"


def resident(process):
    for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise SystemExit(f"connections: process {process} is gone")


async def ask(reader, writer):
    writer.write(REQUEST)
    await writer.drain()
    head = await reader.readuntil(b"\r\n\r\n")
    if b" 200 " not in head.splitlines()[0]:
        raise SystemExit(f"connections: {head!r}")
    length = next(line for line in head.lower().splitlines() if line.startswith(b"content-length:"))
    await reader.readexactly(int(length.split(b":")[1]))


def allow_files(count):
    """Debian lets a process open 1,024 files unless it asks for more."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY and most < count:
        raise SystemExit(f"connections: this system allows {most} open files, and {count} are needed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (count, most))


async def main(url, process, count):
    allow_files(count + 256)
    address = urlsplit(url)
    opening = asyncio.Semaphore(TOGETHER)

    async def opened():
        async with opening:
            streams = await asyncio.open_connection(address.hostname, address.port)
            await ask(*streams)
            return streams

    # The first answers need memory that is there for all that follow.
    first = await opened()
    before = resident(process)
    all_of_them = [first, *await asyncio.gather(*(opened() for _ in range(count - 1)))]
    during = resident(process)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        writer.write(REQUEST)
        if await asyncio.wait_for(reader.read(1), PATIENCE):
            raise SystemExit(f"connections: connection {count + 1} is answered")
    except ConnectionError:
        pass
    for streams in itertools.chain(all_of_them[:10], all_of_them[-10:]):
        await ask(*streams)
    for _, writer in all_of_them:
        writer.close()
    await asyncio.gather(*(writer.wait_closed() for _, writer in all_of_them), return_exceptions=True)
    # The provider has noticed that they are closed once it takes as many again.
    end = asyncio.get_running_loop().time() + PATIENCE
    while True:
        try:
            for _, writer in [await opened() for _ in range(64)]:
                writer.close()
            break
        except (ConnectionError, asyncio.IncompleteReadError):
            if asyncio.get_running_loop().time() > end:
                raise SystemExit("connections: closed ones are not noticed") from None
    print(before, during, resident(process))


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
