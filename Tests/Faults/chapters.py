"""A wallet's life in chapters. Each begins with a start of the app and ends with a kill -9."""

from ledger import PIN_VALID, PIN_WRONG, Broken
from statuses import FINAL, is_named

PIN, NEW_PIN, WRONG_PIN = "471108", "308514", "471109"
MOST_STEPS = 30  # that a user takes before giving up

# The user's choice on each step from the locked wallet to the card.
STORY = {
    "open-with-pin": ("choose", "enter", PIN),
    "proofing-start": ("choose", "scan"),
    "scan-enrolment-code": ("scan", "1", "CODE"),
    "confirm-account": ("choose", "scan-licence"),
    "scan-licence": ("scan", "2", "LICENCE"),
    "receive-with-pin": ("choose", "enter", PIN),
    "wallet-ready": ("choose", "continue"),
    "dashboard": ("choose", "obtain-pid"),
}
# The user's choices when the wallet shows an error, the best first.
REMEDIES = ("try-again", "enter-pin", "scan-again", "scan", "continue", "next", "ok", "close", "exit")


class App:
    """The app: it sends commands to a host, repeats them after an error, and keeps the ledger."""

    def __init__(self, host, world, ledger, log=lambda text: None):
        self.host, self.world, self.ledger, self.log = host, world, ledger, log

    def ask(self, *words):
        words = list(words)
        self.ledger.begin(words)
        answer = self.host.ask(*words)
        self.log(f"{' '.join(words)}: {answer.line}")
        self.ledger.end(words, answer)
        if not is_named(words[0], answer):
            raise Broken(f"{words[0]}: {answer.line}: a status that the header does not name")
        if answer.status in FINAL:
            raise Broken(f"{words[0]}: {answer.line}: as if the wallet were lost")
        return answer

    def do(self, *words, good=lambda answer: answer.status == "OK", also=()):
        """Sends a command and, if it ends with an error, repeats it once, which must succeed."""
        answer = self.ask(*words)
        if answer.status == "OK":
            if not good(answer):
                raise Broken(f"{words[0]}: {answer.line}: not what it should be")
            return answer
        repeated = self.ask(*words)
        if repeated.status not in ("OK", *also) or repeated.status == "OK" and not good(repeated):
            raise Broken(f"{words[0]}: after {answer.line}, again: {repeated.line}")
        return repeated

    def pin(self, *words, outcome=PIN_VALID):
        return self.do(*words, good=lambda answer: answer.outcome == outcome)

    def value(self, name, wanted):
        return self.do(name, good=lambda answer: answer.number(0) == wanted)

    def obtain_pid(self):
        """From the locked wallet to the dashboard, step by step."""
        self.do("open")
        places = {"CODE": self.world.code, "LICENCE": self.world.licence}
        for _ in range(MOST_STEPS):
            kind, name, actions = self.ask("step").values
            known = actions.rstrip(",").split(",")
            if name == "dashboard" and "obtain-pid" not in known:
                return
            words = STORY.get(name)
            if words is None:
                remedy = next((action for action in REMEDIES if action in known), None)
                if remedy is None:
                    raise Broken(f"no way on from the step {name}, kind {kind}: {actions}")
                words = ("choose", remedy)
            self.do(*(places.get(word, word) for word in words), also=("STALE_STEP",))
        raise Broken(f"no card after {MOST_STEPS} steps")


def register(app):
    app.value("registered", 0)
    app.do("register", PIN, also=("ALREADY_REGISTERED",))
    app.value("registered", 1)


def wrong(app):
    app.pin("unlock", WRONG_PIN, outcome=PIN_WRONG)


def unlock(app):
    app.pin("unlock", PIN)
    app.do("lock")
    app.pin("unlock", PIN)


def proofing(app):
    app.obtain_pid()
    app.do("cards", good=lambda answer: answer.cards == 1)


def biometrics(app):
    app.pin("unlock", PIN)
    app.pin("enable", PIN)
    app.do("lock")
    app.do("finger")


def present(app):
    app.pin("unlock", PIN)
    app.do("cards", good=lambda answer: answer.cards == 1)
    app.do("present", "nonce-1", PIN, good=lambda answer: answer.outcome == PIN_VALID and answer.has_presentation)


def change(app):
    app.pin("unlock", PIN)
    app.pin("change", PIN, NEW_PIN)
    app.do("lock")
    app.pin("unlock", NEW_PIN)


def wipe(app):
    app.do("wipe")
    app.value("registered", 0)


CHAPTERS = {
    chapter.__name__: chapter
    for chapter in (register, wrong, unlock, proofing, biometrics, present, change, wipe)}


def play(name, app):
    app.do("start")
    CHAPTERS[name](app)
