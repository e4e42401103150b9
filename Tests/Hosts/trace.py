#!/usr/bin/env python3
"""Writes the events that a host got from the library so that two hosts can be compared.

    trace.py WANTED FOUND   prints FOUND; of what came before a kill, as much as WANTED has, see `up_to_kill`

A stream keeps only its latest value until it is taken. So the order of values of different streams depends on
timing, and so does which steps that end by themselves are seen at all. The order of values in one stream does not.
"""

import json
import pathlib
import re
import sys

# The arguments of steps in the order in which they are printed.
ARGUMENTS = (
    "attempts_left", "is_final_round", "blocked_for_ms", "locks_in_ms", "biometrics", "protection", "reason",
    "status_name", "has_pid", "is_biometric_unlock_enabled", "failure", "reasons", "account_label", "minimum_age",
    "retry_after_ms", "reference", "block_age_ms", "is_permanently_blocked", "is_pid_expired",
    "organisation", "host", "purpose", "is_request_waiting",
)
# Members that differ in each run.
OF_THE_RUN = ("serial", "request", "reference", "presentations", "issued_at", "expires_at", "iat", "exp",
    "last_failed_at", "last_shared_at", "at", "trail")

# Count-downs and an age, which depend on the speed of the machine; scenarios check their values.
AGE = "block_age_ms"
COUNT_DOWNS = ("blocked_for_ms", "blocked_in_ms", "locks_in_ms", "retry_after_ms", "takes_effect_in_ms")
KILLED = ", killed"  # the end of a heading
DURATION = re.compile(r"\d+ (seconds?|minutes?|hours?)")


def steady(name, value):
    """The value as text. Durations are rounded up to full seconds, because time passes before they are read."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int) and name.endswith("_ms"):
        return str((value + 999) // 1000 * 1000)
    return str(value)


def argument(step, name):
    """The value that a scenario names: an argument, "kind" or "beneath"; empty if there is none."""
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
    """A claim of a card as text, "age_equal_or_over.18" for one inside another; or one of the card's other texts."""
    value = card["claims"]
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    value = card.get(name, "") if value is None else value
    return str(value).lower() if isinstance(value, bool) else str(value)


def comparable(value, name=""):
    """The value without what differs in each run of a scenario."""
    if name in OF_THE_RUN:
        return "…"
    # The status list of a card is fetched in the background.
    if name == "state" and value in ("unchecked", "valid"):
        return "…"
    if name == AGE or name in COUNT_DOWNS and isinstance(value, int) and value > 0:
        return "…"
    if isinstance(value, dict) and any(name in value.get("arguments", {}) for name in (AGE, *COUNT_DOWNS)):
        value = {**value, "message": DURATION.sub("…", value["message"])}
    if isinstance(value, dict) and "reference" in value.get("arguments", {}):
        value = {**value, "message": value["message"].replace(value["arguments"]["reference"], "…")}
    if name == "sharing" and isinstance(value, dict):
        value = {**value, "id": "…"}  # ids of cards do not differ
    if isinstance(value, dict):
        return {key: comparable(value[key], key) for key in sorted(value)}
    if isinstance(value, list):
        return [comparable(item, name) for item in value]
    return steady(name, value) if isinstance(value, int) and name.endswith("_ms") else value


class Recorder:
    """The events of each run of the app, by their kind."""

    def __init__(self):
        self.runs = [{}]
        self.killed = set()  # the indices of runs that were killed while the library worked

    def begin_run(self, was_killed=False):
        if was_killed:
            self.killed.add(len(self.runs) - 1)
        self.runs.append({})

    def event(self, event):
        if event["kind"] == "cards_changed":
            return  # work in the background sends it, and it only says that the cards should be read again
        if event.get("step_kind") in ("progress", "system-prompt") or "locks_in_ms" in event:
            return  # the warning before a lock may be replaced by the value that follows
        seen = self.runs[-1].setdefault(event["kind"], [])
        line = json.dumps(comparable(event), ensure_ascii=False)
        # A new client gets the current value, which the former client may have got already.
        if event["kind"] in ("completion", "step") or not seen or seen[-1] != line:
            seen.append(line)

    def text(self):
        parts = []
        for number, run in enumerate(self.runs, 1):
            end = KILLED if number - 1 in self.killed else ""
            for kind in sorted(run):
                lines = run[kind]
                if kind in ("configuration", "version_state"):
                    if end:
                        continue  # it may have missed the last one, too
                    lines = lines[-1:]  # a slow host may have missed the earlier values
                parts.append(f"# run {number}, {kind}{end}\n" + "\n".join(lines) + "\n")
        return "".join(parts)


def sections(text):
    """The lines of each stream, by its heading."""
    found = {}
    for line in text.splitlines():
        if line.startswith("# "):
            lines = found.setdefault(line, [])
        else:
            lines.append(line)
    return found


def up_to_kill(wanted, found):
    """FOUND as text. A host that is killed may have got the last values of a stream and not have passed them on. So
    where the app was killed, a stream of one host that begins like that of the other counts as the same."""
    wanted, found = sections(wanted), sections(found)
    for heading in [*wanted, *found]:
        if heading.endswith(KILLED):
            ours, theirs = wanted.get(heading, []), found.get(heading, [])
            both = min(len(ours), len(theirs))
            if ours[:both] == theirs[:both] and (both > 0 or max(len(ours), len(theirs)) == 1):
                found[heading] = ours
    parts = {heading: found[heading] for heading in [*wanted, *found] if found.get(heading)}
    return "".join("\n".join([heading, *lines]) + "\n" for heading, lines in parts.items())


if __name__ == "__main__":
    print(up_to_kill(*(pathlib.Path(name).read_text() for name in sys.argv[1:])), end="")
