#!/usr/bin/python3
"""Tests what the comments of the Python package promise, in addition to what the players test.

    promises.py CONFIGURATION_FILE DIRECTORY

Prints a line per check. Each runs in a process of its own, because a process has only one wallet.
"""

import asyncio
import ctypes
import gc
import json
import multiprocessing
import pathlib
import queue
import re
import socket
import sys
import tempfile
import time
import traceback

from wallet_core import Category, Core, WalletCoreError
from wallet_core import library as c
from wallet_core.http import Outcome, Reach, Request
from wallet_core.keys import SoftwarePlatform

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Support"))
from patience import PATIENCE  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Examples/python"))
from http_stack import HTTPClientStack  # noqa: E402

HEADER = pathlib.Path(__file__).resolve().parents[3] / "Include/wallet_core.h"
PATIENCE_MS = int(PATIENCE * 1000)
APP = {"app_version": "1.0.0", "app_id": "org.example.promises"}


def started(configuration, directory, **options):
    core = Core()
    core.init_platform_support(SoftwarePlatform(directory))
    core.init(configuration, **APP, **options)
    return core


def refused(action, *arguments, **keywords):
    try:
        action(*arguments, **keywords)
    except WalletCoreError as error:
        return error.status
    return "OK"


def a_task_that_is_cancelled_loses_no_event(configuration, directory):
    async def run(client):
        wanted, found = {client.wipe() for _ in range(40)}, set()
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                event = await asyncio.wait_for(anext(client.events()), 0.001)
            except TimeoutError:
                continue
            if event["kind"] == "completion":
                found.add(event["request"])
                if len(wanted) < 200:
                    wanted.add(client.wipe())
            if len(found) == 200:
                break
        assert found == wanted and len(found) == 200, f"{len(found)} of {len(wanted)} completions came"

    asyncio.run(run(started(configuration, directory).attach("app")))


def two_tasks_share_the_events_of_a_client(configuration, directory):
    async def run(client):
        found = []

        async def take():
            async for event in client.events():
                found.append(event["kind"])

        tasks = [asyncio.create_task(take()) for _ in range(2)]
        while len(found) < 3:
            await asyncio.sleep(0.01)
        client.detach()
        await asyncio.wait_for(asyncio.gather(*tasks), PATIENCE)
        assert sorted(found) == ["configuration", "lock_state", "version_state"], found

    asyncio.run(run(started(configuration, directory).attach("app")))


def the_log_outlives_the_core_and_a_second_init(configuration, directory):
    lines, others = [], []
    # The log gets a line if the provider cannot be reached.
    unreachable = json.dumps({**json.loads(configuration), "provider_url": "http://127.0.0.1:1"}).encode()
    core = started(
        unreachable, directory, log=lambda level, subsystem, text: lines.append(text), log_level="debug")
    core.init(unreachable, **APP)
    client = core.attach("app")
    del core
    gc.collect()
    # If the callback had been freed, one of these would use its memory.
    kept = [c.OnLog(lambda *_: others.append(1)) for _ in range(500)]
    client.register(bytearray(b"471108"))
    while client.next_event(PATIENCE_MS)["kind"] != "completion":
        pass
    client.open_app()
    for _ in range(1000):
        if lines:
            break
        client.next_event(10)  # another thread writes the lines
    client.detach()
    assert kept and not others, "another function was called"
    assert lines, "the log got no line"


def a_text_with_a_nul_is_refused_instead_of_cut(configuration, directory):
    core = Core()
    cut = {"app_version": "1.0.0\0junk", "app_id": "org.example.promises"}
    assert refused(core.init, configuration, **cut) == "INVALID_ARGUMENT"
    assert not core.is_initialized
    core = started(configuration, directory)
    assert refused(core.attach, "app\0two") == "INVALID_ARGUMENT"
    client = core.attach("app")
    for status in (
        refused(client.open_app, "launch", "https://wallet.example/\0"), refused(client.choose, 1, "next\0"),
        refused(client.present, [("pid\0", [["family_name"]])], "nonce", "audience", bytearray(b"471108")),
        refused(client.present, [("pid", [])], "nonce", "https://a.example\0b", bytearray(b"471108")),
        refused(client.decide_replacement, "one\0two", "refuse", bytearray(b"471108")),
    ):
        assert status == "INVALID_ARGUMENT", status
    client.detach()


def a_pin_is_overwritten_and_a_str_is_refused(configuration, directory):
    client = started(configuration, directory).attach("app")
    for ask in (client.register, client.unlock, client.check_pin, client.enable_biometric_unlock):
        pin = bytearray(b"471108")
        refused(ask, pin)
        assert pin == bytes(6), f"{ask.__name__} leaves the PIN"
    pin = bytearray(b"471108")
    refused(client.decide_replacement, "s", "refuse", pin)
    assert pin == bytes(6), "decide_replacement leaves the PIN"
    pin = bytearray(b"471108")
    refused(client.present, [("pid\0", [])], "nonce", "audience", pin)
    assert pin == bytes(6), "a presentation that is refused leaves the PIN"
    for ask in (client.register, client.unlock):
        try:
            ask("471108")
        except TypeError:
            continue
        raise AssertionError("a PIN that cannot be overwritten was accepted")
    client.detach()


def end_of_registration_with(platform, configuration):
    core = Core()
    core.init_platform_support(platform)
    core.init(configuration, **APP)
    client = core.attach("app")
    request = client.register(bytearray(b"471108"))
    while (event := client.next_event(PATIENCE_MS)).get("request") != request:
        pass
    client.detach()
    return event


def a_function_of_the_platform_may_raise(configuration, directory):
    class Broken(SoftwarePlatform):
        def public_key(self, call, identifier):
            raise RuntimeError("no hardware today")

    event = end_of_registration_with(Broken(directory), configuration)
    assert event["status_name"] in ("DEVICE_INSECURE", "BRIDGE_FAILED"), event


def a_device_check_that_says_neither_is_the_hosts_mistake(configuration, directory):
    class Unclear(SoftwarePlatform):
        def device_secure(self, call):
            call.reply(b"\x01\x01")

    event = end_of_registration_with(Unclear(directory), configuration)
    assert event["status_name"] == "BRIDGE_FAILED" and "device_secure" in event["error"]["message"], event


def a_prompt_that_was_cancelled_before_it_opened_stays_closed(configuration, directory):
    class Call:
        def __init__(self, number):
            self.number, self.secret = number, bytearray()

    platform, opened = SoftwarePlatform(directory), []
    platform.on_prompt = opened.append
    platform.cancel(7)
    platform.decrypt(Call(7), "wallet_core.biometric.1", True, bytes(40))
    assert opened == [] and not platform.finger("recognised"), opened
    platform.decrypt(Call(8), "wallet_core.biometric.1", True, bytes(40))
    platform.cancel(8)
    assert opened == [True, False], opened


def a_request_that_was_cancelled_before_it_came_is_not_sent(configuration, directory):
    replies = queue.Queue()

    class Call:
        number = 7

        def fail(self, outcome, was_sent, message=""):
            replies.put((outcome, was_sent))

    with socket.create_server(("127.0.0.1", 0)) as server:
        call = Call()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        call.request = Request("GET", url, [], None, None, 12, Reach.ANY, 5.0, 5.0, 1000, 1000, False)
        stack = HTTPClientStack()
        stack.cancel(7)
        stack.send(call)
        assert replies.get(timeout=PATIENCE) == (Outcome.TIMED_OUT, False)
        server.setblocking(False)
        try:
            server.accept()
        except BlockingIOError:
            return
    raise AssertionError("it connected")


def a_library_of_another_abi_is_refused(configuration, directory):
    c.ABI_VERSION = 999
    try:
        Core()
    except OSError as problem:
        assert "ABI" in str(problem)
    else:
        raise AssertionError("it was accepted")


def structs_have_the_sizes_of_the_header(configuration, directory):
    sizes = dict(re.findall(r"WALLET_CORE_ASSERT_SIZE\((\w+), (\d+)\);", HEADER.read_text(encoding="utf-8")))
    structs = {
        "wallet_core_signing_key_bridge": c.SigningKeyBridge, "wallet_core_encryption_key_bridge": c.EncryptionKeyBridge,
        "wallet_core_utilities_bridge": c.UtilitiesBridge, "wallet_core_options": c.Options}
    for name, struct in structs.items():
        assert ctypes.sizeof(struct) == int(sizes[name]), name


def an_error_has_the_status_and_message_of_the_library(configuration, directory):
    client = started(configuration, directory).attach("app")
    try:
        client.choose(1, "next")
    except WalletCoreError as error:
        assert (error.status, error.category) == ("STALE_STEP", Category.WALLET_STATE), (error.status, error.category)
        assert error.message and str(error) == f"STALE_STEP: {error.message}", str(error)
        assert error.data == {}, error.data
    else:
        raise AssertionError("a choice without a step was taken")
    client.detach()


def every_event_and_error_is_freed_once(configuration, directory):
    core = started(configuration, directory)
    counts = {}

    def count(name):
        function = getattr(core.library, name)

        def counted(pointer, *rest):
            counts.setdefault(name, []).append(getattr(pointer, "value", pointer))
            return function(pointer, *rest)

        setattr(core.library, name, counted)

    for name in ("event_json", "event_free", "error_message", "error_free"):
        count(f"wallet_core_{name}")
    client = core.attach("app")
    for _ in range(20):
        assert refused(client.choose, 1, "next") == "STALE_STEP"
        request = client.wipe()
        while client.next_event().get("request") != request:
            pass
    assert client.next_event(0) is None
    client.detach()
    assert refused(client.next_event) == "CLIENT_DETACHED"
    assert len(counts["wallet_core_event_json"]) >= 23, counts
    assert counts["wallet_core_event_free"] == counts["wallet_core_event_json"], counts
    assert len(counts["wallet_core_error_message"]) >= 21, counts
    assert counts["wallet_core_error_free"] == counts["wallet_core_error_message"], counts


def a_client_that_was_detached_is_refused(configuration, directory):
    core = started(configuration, directory)
    client = core.attach("app")
    client.detach()
    for action in (client.next_event, client.wipe, client.detach, lambda: client.choose(1, "next")):
        assert refused(action) == "CLIENT_DETACHED", action
    client.interrupt()
    client.abandon()
    core.attach("app").detach()  # its name is free


def a_call_may_be_answered_after_its_client_was_detached(configuration, directory):
    calls = queue.SimpleQueue()

    class Late(SoftwarePlatform):
        def public_key(self, call, identifier):
            calls.put((call, identifier))

    core = Core()
    core.init_platform_support(Late(directory))
    core.init(configuration, **APP)
    client = core.attach("app")
    client.register(bytearray(b"471108"))
    call, identifier = calls.get(timeout=PATIENCE)
    client.detach()
    gc.collect()
    SoftwarePlatform(directory).public_key(call, identifier)
    assert call.reply() == "UNKNOWN_CALL", "it was answered twice"
    core.attach("app").detach()


def a_decision_on_a_replacement_is_passed_on(configuration, directory):
    client = started(configuration, directory).attach("app")

    def decide(session, decision):
        return refused(client.decide_replacement, session, decision, bytearray(b"471108"))

    assert decide("", "refuse") == "INVALID_ARGUMENT"
    try:
        decide("s", "perhaps")
    except KeyError:
        pass
    else:
        raise AssertionError("an unknown decision was accepted")
    request = client.register(bytearray(b"471108"))
    while (event := client.next_event()).get("request") != request:
        pass
    assert event["status"] == 0 and "replacement" not in event, event
    # Nobody waits, so the PIN is right and nothing is decided.
    for decision in ("refuse", "allow"):
        request = client.decide_replacement("s", decision, bytearray(b"471108"))
        while (event := client.next_event()).get("request") != request:
            pass
        assert event["pin"]["outcome"] == "valid" and "replacement" not in event, event
    client.detach()


PROMISES = [
    a_task_that_is_cancelled_loses_no_event, two_tasks_share_the_events_of_a_client,
    the_log_outlives_the_core_and_a_second_init, a_text_with_a_nul_is_refused_instead_of_cut,
    a_pin_is_overwritten_and_a_str_is_refused, a_function_of_the_platform_may_raise,
    a_device_check_that_says_neither_is_the_hosts_mistake, a_prompt_that_was_cancelled_before_it_opened_stays_closed,
    a_request_that_was_cancelled_before_it_came_is_not_sent, a_library_of_another_abi_is_refused, structs_have_the_sizes_of_the_header,
    an_error_has_the_status_and_message_of_the_library, every_event_and_error_is_freed_once,
    a_decision_on_a_replacement_is_passed_on, a_client_that_was_detached_is_refused,
    a_call_may_be_answered_after_its_client_was_detached,
]


def check(promise, configuration, directory, answers):
    try:
        promise(configuration, directory)
        answers.put("")
    except BaseException:
        answers.put(traceback.format_exc())


def main():
    configuration = pathlib.Path(sys.argv[1]).read_bytes()
    pathlib.Path(sys.argv[2]).mkdir(parents=True, exist_ok=True)
    processes = multiprocessing.get_context("spawn")
    for promise in PROMISES:
        with tempfile.TemporaryDirectory(dir=sys.argv[2]) as directory:
            answers = processes.SimpleQueue()
            child = processes.Process(target=check, args=(promise, configuration, directory, answers))
            child.start()
            child.join(PATIENCE)
            reason = "" if child.exitcode == 0 else f"the process ended with {child.exitcode}"
            child.kill()
            reason = reason or answers.get()
        print(f"{'not ok' if reason else 'ok'} - {promise.__name__.replace('_', ' ')}", flush=True)
        if reason:
            print("#   " + reason.replace("\n", "\n#   "), flush=True)


if __name__ == "__main__":
    main()
