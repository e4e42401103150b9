#!/usr/bin/env python3
"""What a host saw of the library, written so that two hosts can be compared.

A stream keeps only its latest value while it waits, so how values of different streams fall between one
another, and which steps that end by themselves are seen at all, is a matter of time. What each stream says,
one value after the other, is not.

    trace.py JOURNAL     # of the C phone, see PHONE_JOURNAL: prints what play.py --trace writes
"""

import json
import re
import sys

# The arguments of steps in the order in which they are printed.
ARGUMENTS = (
    "attempts_left", "is_final_round", "blocked_for_ms", "locks_in_ms", "biometrics", "protection", "reason",
    "status_name", "has_pid", "is_biometric_unlock_enabled", "failure", "reasons", "account_label", "minimum_age",
    "retry_after_ms", "reference",
)
# What is another one in each run, whoever plays.
OF_THE_RUN = ("serial", "request", "reference", "presentation", "issued_at", "expires_at", "iat", "exp", "trail")

# They run while a host plays, one that has less of a busy machine for longer; scenarios say what they are.
COUNT_DOWNS = ("blocked_for_ms", "blocked_in_ms", "locks_in_ms", "retry_after_ms")
DURATION = re.compile(r"\d+ (seconds?|minutes?)")


def steady(name, value):
    """As text; durations in full seconds, rounded up, for time runs while they are looked at."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int) and name.endswith("_ms"):
        return str((value + 999) // 1000 * 1000)
    return str(value)


def argument(step, name):
    """What a scenario means by a name: an argument, "kind" or "beneath"; empty where there is none."""
    if name == "kind":
        return step["step_kind"]
    if name == "beneath":
        return step.get("beneath", "")
    return steady(name, step["arguments"].get(name, ""))


def line_of(step):
    """A step on one line."""
    words = [step["use_case"], step["row"], step["step_kind"], step["name"]]
    words.append("[" + " ".join(action["name"] for action in step["actions"]) + "]")
    if step.get("beneath"):
        words.append("beneath=" + step["beneath"])
    words += [f"{name}={argument(step, name)}" for name in ARGUMENTS if name in step["arguments"]]
    return " ".join(words + ["!" + notice for notice in step["notices"]])


def claim(card, name):
    """A claim of a card as text, "age_equal_or_over.18" for one inside of a claim; or one of its texts."""
    value = card["claims"]
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    value = card.get(name, "") if value is None else value
    return str(value).lower() if isinstance(value, bool) else str(value)


def comparable(value, name=""):
    """The same in each run of a scenario."""
    if name in OF_THE_RUN:
        return "…"
    if name in COUNT_DOWNS and isinstance(value, int) and value > 0:
        return "…"
    if isinstance(value, dict) and any(name in value.get("arguments", {}) for name in COUNT_DOWNS):
        value = {**value, "message": DURATION.sub("…", value["message"])}
    if isinstance(value, dict) and "reference" in value.get("arguments", {}):
        value = {**value, "message": value["message"].replace(value["arguments"]["reference"], "…")}
    if isinstance(value, dict):
        return {key: comparable(value[key], key) for key in sorted(value)}
    if isinstance(value, list):
        return [comparable(item, name) for item in value]
    return steady(name, value) if isinstance(value, int) and name.endswith("_ms") else value


class Recorder:
    """Each stream of each life of the app, and the completions."""

    def __init__(self):
        self.lives = [{}]

    def life(self):
        self.lives.append({})

    def event(self, event):
        if event.get("step_kind") in ("progress", "system-prompt") or "locks_in_ms" in event:
            return  # the warning of a lock, and its end, may be overtaken by what follows
        seen = self.lives[-1].setdefault(event["kind"], [])
        line = json.dumps(comparable(event), ensure_ascii=False)
        # A new client is told the current value, which the one before may have had already.
        if event["kind"] in ("completion", "step") or not seen or seen[-1] != line:
            seen.append(line)

    def text(self):
        parts = []
        for number, life in enumerate(self.lives, 1):
            for kind in sorted(life):
                lines = life[kind]
                if kind in ("configuration", "version_state"):
                    lines = lines[-1:]  # what a slow host had not taken yet was overtaken by what came next
                parts.append(f"# life {number}, {kind}\n" + "\n".join(lines) + "\n")
        return "".join(parts)


def main():
    recorder = None
    with open(sys.argv[1], encoding="utf-8") as journal:
        for line in journal:
            event = json.loads(line)
            if event["kind"] != "life":
                recorder.event(event)
            elif recorder is None:
                recorder = Recorder()
            else:
                recorder.life()
    print(recorder.text(), end="")


if __name__ == "__main__":
    main()
