"""Makes the mistakes of Tests/Hosts/README.md in Python."""

import asyncio
import ctypes
import pathlib
import sys

from wallet_core import WalletCoreError
from wallet_core import library as c
from wallet_core.bridges import bridges
from wallet_core.keys import SoftwarePlatform

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Support"))
from patience import PATIENCE  # noqa: E402

_kept = []  # callbacks that the library may call


class ForgetfulPlatform(SoftwarePlatform):
    """A platform for mistakes: `on_public_key` runs before the next call of `public_key` is answered,
    `after_public_key` after it, and `instead_of_signing` instead of every answer of `sign`."""

    instead_of_signing = None
    on_public_key = None
    after_public_key = None

    def public_key(self, call, identifier):
        before, self.on_public_key = self.on_public_key, None
        after, self.after_public_key = self.after_public_key, None
        if before is not None:
            before()
        super().public_key(call, identifier)
        if after is not None:
            after(call)

    def sign(self, call, identifier, payload):
        if self.instead_of_signing is not None:
            self.instead_of_signing()
        else:
            super().sign(call, identifier, payload)


def attach_before_init(player):
    player.core.attach("app")


def bridge_without_sign(player):
    signing, encryption, utilities = bridges(player.core.library, player.platform)
    signing.sign = c.OnPayload()
    hand_over(player, signing, encryption, utilities)


def short_struct(player):
    signing, encryption, utilities = bridges(player.core.library, player.platform)
    signing.struct_size = 8
    hand_over(player, signing, encryption, utilities)


def hand_over(player, *structs):
    player.core.call("init_platform_support", *map(ctypes.byref, structs))


def empty_configuration(player):
    player.core.init(b"", app_version="1.0.0", app_id="org.example.phone")


def attach_twice(player):
    player.core.attach("app")


def never_detach(player):
    clients = []
    try:
        while True:
            clients.append(player.core.attach(f"client-{len(clients)}"))
    finally:
        for client in clients:
            client.detach()


def use_after_detach(player):
    client = player.core.attach("gone")
    client.detach()
    client.next_event(0)


def never_take(player):
    client = player.core.attach("idle")
    try:
        for _ in range(65):
            client.wipe()
    finally:
        client.detach()


def never_free(player):
    client = player.core.attach("leak")
    taken = []
    try:
        while len(taken) < 100_000:
            event = ctypes.c_void_p()
            player.core.call("client_next_event", client.number, int(PATIENCE * 1000), ctypes.byref(event))
            taken.append(event)
            client.wipe()
    finally:
        for event in taken:
            player.core.library.wallet_core_event_free(event)
        client.detach()


async def reply_twice(player):
    answers = []
    player.platform.after_public_key = lambda call: answers.append(call.reply())
    await registered(player)
    return {"status": answers[0]}


def never_reply(player):
    player.platform.instead_of_signing = lambda: player.say({"unanswered": "sign"})


async def wait_in_callback(player):
    problems = []

    def wait():
        try:
            player.client.next_event(0)
        except WalletCoreError as error:
            problems.append(error)

    player.platform.on_public_key = wait
    await registered(player)
    raise problems[0]


async def registered(player):
    """Registers a wallet with another client, and waits until the request has ended."""
    client = player.core.attach("mistake")
    request = client.register(bytearray(b"471108"))
    async for event in client.events():
        if event.get("request") == request:
            break
    client.detach()


async def detach_in_callback(player):
    client = player.core.attach("push")
    problems = []

    def detach(_, event):
        player.core.library.wallet_core_event_free(event)
        try:
            client.detach()
        except WalletCoreError as error:
            problems.append(error)

    callback = c.OnEvent(detach)
    _kept.append(callback)
    player.core.call("set_event_callback", client.number, callback, None, None, None)
    while not problems:
        await asyncio.sleep(0.01)
    client.detach()
    raise problems[0]


def choose_without_step(player):
    player.client.choose(1, "next")
