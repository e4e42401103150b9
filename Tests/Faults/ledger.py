"""What the wallet was told to do and what it acknowledged: what must hold after any fault.

Each thing is NO, MAYBE (asked for, no answer yet, or an answer that leaves it open) or YES
(acknowledged).
"""

import copy

NO, MAYBE, YES = "no", "maybe", "yes"
PIN_VALID, PIN_WRONG = 1, 2
ATTEMPTS = 4  # in a round of the provider


class Broken(Exception):
    """A promise that was not kept."""


class Ledger:
    def __init__(self):
        self.registration = self.pid = self.biometrics = self.wipe = NO
        self.pins = []  # one of these is right; the newest first
        self.counted = 0  # wrong attempts that the provider has surely counted

    def copy(self):
        return copy.deepcopy(self)

    def begin(self, words):
        """Records a command before it is sent."""
        name, *rest = words
        if name == "register" and self.registration != YES:
            self.registration = MAYBE
            if rest[0] not in self.pins:
                self.pins.insert(0, rest[0])
        elif name == "change":
            self.counted = 0
            self.pins = [rest[1], rest[0]]
        elif name in ("unlock", "enable") or words[:2] == ["choose", "enter"]:
            if rest[-1] in self.pins:
                self.counted = 0
            if name == "enable" and self.biometrics == NO:
                self.biometrics = MAYBE
        elif words[:2] == ["scan", "2"] and self.pid == NO:
            self.pid = MAYBE
        elif name == "wipe" and self.wipe == NO:
            self.wipe = MAYBE

    def end(self, words, answer):
        """Records the answer."""
        name, *rest = words
        if name == "register" and answer.status in ("OK", "ALREADY_REGISTERED"):
            # A repetition that finds a wallet shows that an earlier attempt made it.
            self.registration = YES
            if answer.status == "OK":
                self.pins = [rest[0]]
        elif name == "change":
            # "After any other completion it is the former one."
            changed = answer.status == "OK" and answer.outcome == PIN_VALID
            self.pins = [rest[1]] if changed else [rest[0]]
        elif name == "enable" and answer.status == "OK" and answer.outcome == PIN_VALID:
            self.biometrics = YES
        elif name == "step" and answer.values[1] == "wallet-ready":
            self.pid = YES
        elif name == "wipe" and answer.status == "OK":
            self.wipe = YES
        if answer.status == "OK" and name in ("unlock", "enable", "change"):
            self.check_attempt(answer)

    def check_attempt(self, answer):
        if answer.outcome != PIN_WRONG:
            return
        self.counted += 1
        if answer.attempts_left > ATTEMPTS - self.counted:
            raise Broken(
                f"{self.counted} wrong PINs were acknowledged, and {answer.attempts_left} attempts are left")
