# SPDX-License-Identifier: Apache-2.0
"""The commands of the page, by the name that it posts to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .camera import Camera, Scan, samples
from .session import Session
from .web import Orders

Words = dict[str, str]
Answer = dict[str, Any]


def orders(session: Session, camera: Camera, pictures: Path) -> Orders:
    def hold(scan: Scan, serial: int) -> Answer:
        """Answers the step with a scan; chooses `unreadable` for a code that cannot be read, if the step offers it."""
        if scan.data is not None:
            return session.scan(serial, scan.symbology, scan.data)
        if scan.is_unreadable and session.offers("unreadable"):
            return session.choose(serial, "unreadable")
        what = "A code is there, but it cannot be read." if scan.is_unreadable else "There is no code in the picture."
        return {"status": "OK", "news": what}

    def hold_sample(words: Words, _: bytearray) -> Answer:
        name = words["picture"]
        if name not in samples(session.step_name):
            raise ValueError(f"there is no such picture: {name}")
        path = pictures / f"{name}.png"
        if not path.exists():
            raise ValueError("make a new applicant first: the code and the licence are hers")
        return hold(camera.look(path, session.step_name), int(words["serial"]))

    def hold_upload(words: Words, body: bytearray) -> Answer:
        scan = camera.look_at_upload(bytes(body), session.step_name, words.get("name", "the picture"))
        return hold(scan, int(words["serial"]))

    def pictures_for(words: Words, _: bytearray) -> Answer:
        return {"status": "OK", "pictures": [
            {"name": name, "label": label} for name, label in samples(words["step"]).items()
            if (pictures / f"{name}.png").exists()]}

    def present(words: Words, body: bytearray) -> Answer:
        return session.present(words["card"], json.loads(words["paths"]), body)

    return {
        "choose": lambda words, _: session.choose(int(words["serial"]), words["action"]),
        "option": lambda words, _: session.choose_option(int(words["serial"]), int(words["option"])),
        "enter": lambda words, body: session.enter(int(words["serial"]), body),
        "hold": hold_sample,
        "upload": hold_upload,
        "pictures": pictures_for,
        "present": present,
        "activity": lambda *_: session.activity(),
        "finger": lambda words, _: session.finger(words["word"]),
        "background": lambda words, _: session.background(words["is"] == "on"),
        "kill-engine": lambda *_: session.kill_engine(),
        "new-engine": lambda *_: session.new_engine(),
        "open-app": lambda *_: session.open_app(),
        "restart": lambda words, _: session.restart(words["rules"]),
        "airplane": lambda words, _: session.airplane_mode(words["is"] == "on"),
        "link": lambda words, _: session.open_link(words["link"]),
        "clock": lambda words, _: session.clock(int(words["minutes"]) * 60_000),
        "policy": lambda words, _: session.policy(words["name"]),
        "close-verifier": lambda words, _: session.close_verifier(int(words["number"])),
        "wipe": lambda *_: session.wipe(),
        "applicant": lambda *_: session.applicant(),
    }
