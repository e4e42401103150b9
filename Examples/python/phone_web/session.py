# SPDX-License-Identifier: Apache-2.0
"""A session: the state of the phone and its surroundings, and the actions that change it."""

from __future__ import annotations

import math
import threading
import time
from pathlib import Path
from typing import Any

from . import wire
from .feed import Feed
from .phone import Message, Phone
from .provider import Provider
from .verifier import AUDIENCE, Refused, Verifier

SHOWS_CARDS = ("dashboard", "card-details", "approve-sharing", "approve-login")


def in_words(pin: Message) -> str:
    """What the provider said of a PIN that was not right."""
    if pin["outcome"] == "wrong":
        left = pin["attempts_left"]
        return f"The PIN is wrong. You have {left} {'attempt' if left == 1 else 'attempts'} left."
    if pin["outcome"] == "blocked_temporarily":
        return f"The PIN is blocked for {math.ceil(pin['blocked_for_ms'] / 1000)} seconds."
    return "The PIN is blocked for good."


class Session:
    """Publishes everything that the page shows in `feed`: the state "phone", and the lines of the wire."""

    def __init__(self, feed: Feed, provider: Provider, verifier: Verifier, directory: Path, configuration: Path):
        self.feed, self.provider, self.verifier = feed, provider, verifier
        self._directory, self._configuration = directory, configuration
        self._phone = Phone(self._hear)
        self._lock = threading.RLock()
        self._restarting = threading.Lock()
        self._processes = 0
        self._calls: dict[int, tuple[str, float]] = {}  # open bridge calls: the key, and when the call began
        self._events = 0
        self._step_at = 0.0
        self._clock_ms = 0
        self._state: dict[str, Any] = {
            "engine": "alive", "step": None, "lock": None, "version": None, "prompt": False, "cards": None,
            "activities": None, "presented": None, "news": None, "is_background": False, "online": True, "rules": "android",
            "policy": "ok", "link": "", "core": ""}

    # --- the app ---------------------------------------------------------------------------------

    def restart(self, rules: str) -> Message:
        """Kills the app as the operating system would and opens it again, with the `rules` "android" or "ios"."""
        if rules not in ("android", "ios"):
            raise ValueError(f"the rules are android or ios, not {rules}")
        with self._restarting:  # two processes must not share a storage
            return self._restart(rules)

    def _restart(self, rules: str) -> Message:
        self._phone.kill_app()
        with self._lock:
            self._processes += 1
            self._calls.clear()
            self._state |= {"engine": "alive", "step": None, "lock": None, "prompt": False, "is_background": False,
                            "cards": None, "activities": None, "presented": None, "rules": rules}
            clock_ms, online = self._clock_ms, self._state["online"]
        self.note("app", "A new process of the app")
        self._publish()
        self._phone.start_app()
        answer = self._phone.ask(
            "start", directory=str(self._directory), configuration=str(self._configuration), rules=rules,
            clock_ms=clock_ms, online=online)
        if answer["status"] != "OK":
            return answer
        with self._lock:
            self._state["core"] = answer["version"]
        return self.open_app()

    def open_app(self) -> Message:
        """Opens the app again after the flows have ended."""
        return self._phone.ask("open", startup="launch")

    def kill_engine(self) -> Message:
        self.note("app", "The engine dies unannounced; the process lives on")
        return self._after(self._phone.ask("kill_engine"), engine="dead")

    def new_engine(self) -> Message:
        self.note("app", "A new engine takes over")
        answer = self._phone.ask("new_engine")
        if answer["status"] == "OK":
            answer = self._phone.ask("open", startup="resume")
        return self._after(answer, engine="alive")

    def stop(self) -> None:
        self._phone.kill_app()

    def _after(self, answer: Message, **changes: Any) -> Message:
        """Publishes what an instruction has changed, if it succeeded."""
        if answer["status"] == "OK":
            with self._lock:
                self._state |= changes
            self._publish()
        return answer

    # --- the user --------------------------------------------------------------------------------

    def choose(self, serial: int, action: str) -> Message:
        return self._phone.ask("choose", serial=serial, action=action)

    def choose_option(self, serial: int, option: int) -> Message:
        return self._phone.ask("choose_option", serial=serial, option=option)

    def enter(self, serial: int, pin: bytearray) -> Message:
        """Enters the PIN and overwrites it."""
        return self._phone.ask("enter", data=pin, serial=serial)

    def scan(self, serial: int, symbology: int, content: bytearray) -> Message:
        return self._phone.ask("scan", data=content, serial=serial, symbology=symbology)

    def activity(self) -> Message:
        return self._phone.ask("lifecycle", what="activity")

    def finger(self, word: str) -> Message:
        return self._phone.ask("finger", word=word)

    def present(self, card: str, paths: list[list[str | int]], pin: bytearray) -> Message:
        """Shows the claims at the paths to the verifier, and overwrites the PIN."""
        answer = self._phone.ask(
            "present", data=pin, card=card, paths=paths, nonce=self.verifier.nonce(), audience=AUDIENCE)
        return self._requested(answer, "present")

    def close_verifier(self, number: int) -> Message:
        """Closes the verifier's view with that number; a newer one stays."""
        with self._lock:
            is_shown = self._state["presented"] is not None and self._state["presented"]["number"] == number
        return self._after({"status": "OK"}, **({"presented": None} if is_shown else {}))

    def wipe(self) -> Message:
        return self._requested(self._phone.ask("wipe"), "wipe")

    def _requested(self, answer: Message, what: str) -> Message:
        if "request" in answer:
            self.note("host", f"{what}() is request {answer['request']}")
        return answer

    # --- the outside world -----------------------------------------------------------------------

    def background(self, is_background: bool) -> Message:
        what = "background" if is_background else "foreground"
        self.note("host", f"The app goes to the {what}")
        return self._after(self._phone.ask("lifecycle", what=what), is_background=is_background)

    def airplane_mode(self, is_on: bool) -> Message:
        return self._after(self._phone.ask("device", online=not is_on), online=not is_on)

    def open_link(self, link: str) -> Message:
        self.note("host", "The system hands the app a universal link")
        return self._phone.ask("open", startup="resume", link=link)

    def clock(self, milliseconds: int) -> Message:
        """Moves the clocks of the core and of the provider."""
        self.provider.advance_clock(milliseconds)
        with self._lock:
            self._clock_ms += milliseconds
        minutes = milliseconds // 60_000
        self.note("time", "A minute passes" if minutes == 1 else f"{minutes} minutes pass")
        return self._after(self._phone.ask("clock", milliseconds=milliseconds))

    def policy(self, name: str) -> Message:
        self.provider.set_update_policy(name)
        return self._after({"status": "OK"}, policy=name)

    def applicant(self) -> Message:
        link = self.provider.new_applicant()
        return self._after({"status": "OK"}, link=link)

    # --- messages of the app -----------------------------------------------------------------------

    def _hear(self, message: Message) -> None:
        if "event" in message:
            self._hear_event(message["event"])
        elif "bridge" in message:
            self._hear_bridge(message)
        elif "prompt" in message:
            self._after({"status": "OK"}, prompt=message["prompt"])
        elif "ended" in message:
            self._after({"status": "OK"}, engine="ended", step=None, prompt=False, cards=None)
        elif "failure" in message:
            self._tell_user(message["failure"])
            self._publish()

    def _hear_event(self, event: Message) -> None:
        with self._lock:
            self._events += 1
            key = f"event-{self._events}"
        self.feed.publish_wire({"key": key, "kind": "event", "at": self._clock(), "event": wire.event(event)})
        with self._lock:
            getattr(self, f"_on_{event['kind']}", lambda _: None)(event)
        self._publish()

    def _on_step(self, step: Message) -> None:
        self._state["step"], self._step_at = step, self._now()
        if step["name"] in SHOWS_CARDS:
            self._phone.tell("cards")
        if step["name"] in ("activities", "activity-details"):
            self._phone.tell("activities")

    def _on_cards_changed(self, _: Message) -> None:
        if self._state["step"] is not None and self._state["step"]["name"] in SHOWS_CARDS:
            self._phone.tell("cards")

    def _on_lock_state(self, lock: Message) -> None:
        self._state["lock"] = lock
        if lock["is_locked"]:
            self._state |= {"cards": None, "presented": None, "activities": None}

    def _on_version_state(self, version: Message) -> None:
        self._state["version"] = version

    def _on_completion(self, completion: Message) -> None:
        if "cards" in completion:
            self._state["cards"] = completion["cards"]
        elif "activities" in completion:
            self._state["activities"] = completion["activities"]
        elif "presentations" in completion:
            self._state["presented"] = self._shown_to_verifier(completion["presentations"][0])
        elif "pin" in completion:
            self._tell_user(in_words(completion["pin"]))
        elif "error" in completion and completion["status_name"] not in ("LOCKED", "CANCELLED"):
            self._tell_user(f"{completion['status_name']}: {completion['error']['message']}")

    def _tell_user(self, text: str) -> None:
        self._state["news"] = {"number": self._events, "text": text}

    def _shown_to_verifier(self, presentation: str) -> Message:
        try:
            now = time.time() + self._clock_ms / 1000
            seen = {"claims": self.verifier.look_at(presentation, now)}
        except Refused as refusal:
            seen = {"refused": str(refusal)}
        return {"number": self._events, "audience": AUDIENCE, **seen}

    def _hear_bridge(self, message: Message) -> None:
        call, what = message["call"], message["what"]
        known, began = self._calls.get(call, ("", time.monotonic()))
        identifier = wire.kind_of_key(message["key"]) if "key" in message else known
        line = {"key": f"bridge-{self._processes}-{call}", "kind": "bridge", "at": self._clock(),
                "function": message["bridge"], "identifier": identifier, "what": what}
        if what == "asked":
            self._calls[call] = (identifier, began)
        else:
            line["took_ms"] = round((time.monotonic() - began) * 1000)
            self._calls.pop(call, None)
        self.feed.publish_wire(line)

    # --- publishing --------------------------------------------------------------------------------

    def exchange(self, line: Message) -> None:
        """Publishes a request to the provider, or the same line again with its answer."""
        self.feed.publish_wire({"at": self._clock(), **line})

    def note(self, kind: str, text: str) -> None:
        with self._lock:
            self._events += 1
            key = f"note-{self._events}"
        self.feed.publish_wire({"key": key, "kind": kind, "at": self._clock(), "text": text})

    def _now(self) -> float:
        """Milliseconds on the clock of this session, which can be moved."""
        return time.monotonic() * 1000 + self._clock_ms

    @staticmethod
    def _clock() -> str:
        return time.strftime("%H:%M:%S")

    def _publish(self) -> None:
        with self._lock:
            age = round(self._now() - self._step_at)
            self.feed.publish_state("phone", {**self._state, "step_age_ms": age, "clock_ms": self._clock_ms})

    @property
    def step_name(self) -> str:
        return (self._state["step"] or {}).get("name", "")

    def offers(self, action: str) -> bool:
        return any(each["name"] == action for each in (self._state["step"] or {}).get("actions", []))
