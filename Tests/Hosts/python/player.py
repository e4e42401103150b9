#!/usr/bin/python3
"""Plays instructions of Tests/Hosts/README.md with the Python package.

player.py CONFIGURATION_FILE STATE_DIRECTORY
"""

import asyncio
import base64
import json
import sys
import threading
from pathlib import Path

import misuse
from http_stack import HTTPClientStack
from wallet_core import Core, WalletCoreError

_writing = threading.Lock()


def say(what):
    with _writing:
        print(json.dumps(what), flush=True)


class Player:
    say = staticmethod(say)

    def __init__(self, configuration, directory):
        self.configuration = Path(configuration).read_bytes()
        self.core = Core()
        # So everything that a scenario does is done without libcurl.
        self.core.set_http_stack(HTTPClientStack())
        self.platform = misuse.ForgetfulPlatform(directory)
        self.platform.on_prompt = lambda is_open: say({"prompt": "open" if is_open else "closed"})
        self.client, self.tasks = None, []

    # --- the outside world. Each method returns members of the answer besides the status, or nothing

    def platform_(self, kind):
        self.platform.kind = kind

    def biometrics(self, what):
        self.platform.biometrics = what

    def camera(self, what):
        self.platform.camera = what

    def device(self, what):
        self.platform.is_secure = what == "secure"

    def keys(self, what):
        self.platform.has_key_store = what != "unavailable"
        if what == "lost":
            self.platform.lose_keys()

    def network(self, fault, count):
        self.platform.is_online = fault != "no-internet"
        self.core.testing.set_network_fault(fault, int(count))

    def clock(self, milliseconds):
        self.core.testing.advance_clock(int(milliseconds))
        if self.core.is_initialized:
            self.core.is_locked()  # any call makes the wallet do what is due

    def stop_clock(self):
        self.core.testing.stop_clock()

    def calendar(self, seconds):
        self.core.testing.advance_calendar(int(seconds))

    def kill_at(self, point):
        self.core.testing.set_crash_point(point)

    def passes(self, point):
        return {"passes": self.core.testing.crash_point_count(point)}

    def finger(self, word, times="1"):
        if not self.platform.finger(word, int(times)):
            raise LookupError("no prompt is open")

    # --- the app --------------------------------------------------------------------------------

    async def start(self):
        self.core.init_platform_support(self.platform)
        self.core.init(self.configuration, app_version="1.0.0", app_id="org.example.phone")
        await self.rebind()

    async def rebind(self):
        self.client = self.core.attach("app", take_over=True)
        self.tasks.append(asyncio.create_task(self.take(self.client)))

    async def take(self, client):
        async for event in client.events():
            say({"event": event})

    def open(self, startup, link=None):
        self.client.open_app(startup, link)

    def lifecycle(self, event):
        self.core.lifecycle(event)

    def lock(self):
        self.core.lock()

    def choose(self, serial, action):
        self.client.choose(int(serial), action)

    def enter(self, serial, digits):
        self.client.choose(int(serial), "enter", bytearray(digits.encode()))

    def scan(self, serial, symbology, content):
        self.client.choose_scanned(int(serial), int(symbology), base64.b64decode(content))

    def choose_option(self, serial, option):
        self.client.choose_option(int(serial), int(option))

    def cards(self):
        return {"request": self.client.cards()}

    def activities(self):
        return {"request": self.client.activities()}

    def wipe(self):
        return {"request": self.client.wipe()}

    def register(self, digits):
        return {"request": self.client.register(bytearray(digits.encode()))}

    def unlock(self, digits):
        return {"request": self.client.unlock(bytearray(digits.encode()))}

    def present(self, card, claims, nonce, audience, digits):
        paths = [] if claims == "none" else [[name] for name in claims.split(",")]
        pin = bytearray(digits.encode())
        return {"request": self.client.present([(card, paths)], nonce, audience, pin)}

    def locked(self):
        return {"value": self.core.is_locked()}

    def registered(self):
        return {"value": self.core.has_registration()}

    def biometric_unlock(self):
        return {"value": self.core.is_biometric_unlock_enabled()}

    async def stress(self, rounds, digits):
        for _ in range(int(rounds)):
            self.client = self.core.attach("app", take_over=True)
            events = self.client.events()
            await anext(events)
            self.client.unlock(bytearray(digits.encode()))
            self.tasks.append(asyncio.create_task(self.drain(events)))
        await self.rebind()
        return {"rounds": int(rounds)}

    async def drain(self, events):
        async for _ in events:
            pass

    def misuse(self, name):
        return getattr(misuse, name.replace("-", "_"))(self)

    # --- input and output -----------------------------------------------------------------------

    async def do(self, words):
        method = getattr(self, {"platform": "platform_"}.get(words[0], words[0].replace("-", "_")))
        try:
            more = method(*words[1:])
            if asyncio.iscoroutine(more):
                more = await more
            return {"status": "OK", **(more or {})}
        except WalletCoreError as error:
            return {"status": error.status, "message": error.message}
        except Exception as problem:  # reported in the answer
            return {"status": "FAILED", "message": f"{type(problem).__name__}: {problem}"}

    async def play(self):
        loop = asyncio.get_running_loop()
        while line := (await loop.run_in_executor(None, sys.stdin.readline)).split():
            if line == ["quit"]:
                break
            say({"answer": await self.do(line)})
        if self.client is not None:
            self.client.detach()
            await asyncio.gather(*self.tasks)


if __name__ == "__main__":
    asyncio.run(Player(*sys.argv[1:3]).play())
    if "libcurl" in Path("/proc/self/maps").read_text():
        sys.exit("libcurl was loaded")
