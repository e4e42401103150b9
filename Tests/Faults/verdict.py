"""Opens a wallet with a fresh host and compares it with what was acknowledged.

"The next start is always in one of these states", says wallet_core.h: not registered, registered and
locked, or one with a way out. Which of them are allowed is what the ledger says.
"""

from chapters import WRONG_PIN, App
from host import Died, Hangs, Host
from ledger import MAYBE, NO, PIN_VALID, PIN_WRONG, YES, Broken, Ledger
from statuses import FINAL

OTHER_PIN = "582037"  # for a registration that is completed or made anew
# Files that a wipe keeps: the configuration, also if a power cut has left a part of a newer one.
NO_PART_OF_A_WALLET = {
    "wallet.lock", "configuration.json", ".configuration.json.new", "update-policy.json",
    ".update-policy.json.new"}


class Verdict:
    def __init__(self, program, world, ledger, log=lambda text: None):
        self.program, self.world, self.ledger, self.log = program, world, ledger, log
        self.host = None

    def problem(self):
        """None, or the broken promise."""
        self.host = Host(self.program, self.world.configuration, str(self.world.device))
        try:
            self.check()
            return self.host.end()
        except (Broken, Died, Hangs) as problem:
            return str(problem)
        finally:
            if self.host.process.poll() is None:
                self.host.kill()

    def app(self, ledger=None):
        return App(self.host, self.world, ledger or Ledger(), self.log)

    def ask(self, *words):
        answer = self.host.ask(*words)
        self.log(f"afterwards: {' '.join(words)}: {answer.line}")
        return answer

    def check(self):
        started = self.ask("start")
        if started.status != "OK":
            raise Broken(f"the next start: {started.line}")
        found = self.ask("registered")
        if found.status != "OK":
            self.check_damage(found)
        elif found.number(0) == 0:
            self.check_absence()
        else:
            self.check_presence()

    def is_free_to_be_lost(self):
        return self.ledger.registration != YES or self.ledger.wipe != NO

    def check_damage(self, answer):
        """A state that only a wipe ends; allowed only if nothing was acknowledged."""
        if answer.status not in FINAL or not self.is_free_to_be_lost():
            raise Broken(f"the next start finds {answer.line}, the registration was {self.ledger.registration}")
        self.start_over()

    def check_absence(self):
        if not self.is_free_to_be_lost():
            raise Broken("an acknowledged registration is lost")
        if self.ledger.wipe != NO:
            self.start_over()
            return
        self.register_anew()

    def start_over(self):
        self.app().do("wipe")
        self.app().value("registered", 0)
        left = {name.removeprefix("storage/") for name in self.world.device_files()}
        left -= NO_PART_OF_A_WALLET
        if left:
            raise Broken(f"a wipe has left {', '.join(sorted(left))}")
        self.register_anew()

    def register_anew(self):
        """Completes an interrupted registration, with any PIN, in the same account; or starts over."""
        if self.ledger.wipe == NO and self.world.wallets_at_provider() > 1:
            raise Broken("the registration has made several accounts")
        app = self.app()
        app.do("register", OTHER_PIN)
        if self.ledger.wipe == NO and self.world.wallets_at_provider() != 1:
            raise Broken("the registration was completed in another account")
        app.do("lock")
        app.pin("unlock", OTHER_PIN)

    def check_presence(self):
        if self.ledger.registration == NO:
            raise Broken("there is a wallet that was never requested")
        if self.ledger.wipe == YES:
            raise Broken("an acknowledged wipe has left the wallet")
        self.check_lock()
        if self.ledger.wipe == MAYBE:
            self.check_half_wiped()
            return
        self.check_attempts()
        self.check_pins()
        self.check_cards()
        self.check_biometrics()

    def check_lock(self):
        if self.ask("locked").number(0) != 1:
            raise Broken("the wallet starts unlocked")

    def check_half_wiped(self):
        """The account may be gone at the provider, the wallet still there."""
        answer = self.ask("unlock", self.ledger.pins[0])
        is_open = answer.status == "OK" and answer.outcome == PIN_VALID
        if not is_open and answer.status not in FINAL:
            raise Broken(f"half wiped, and an unlock answers {answer.line}")
        self.start_over()

    def check_attempts(self):
        if self.ledger.counted > 0:
            answer = self.ask("unlock", WRONG_PIN)
            if answer.status != "OK" or answer.outcome != PIN_WRONG:
                raise Broken(f"a wrong PIN answers {answer.line}")
            self.ledger.check_attempt(answer)

    def check_pins(self):
        """Exactly one of the PINs that may be right opens the wallet."""
        right = []
        for pin in self.ledger.pins:
            answer = self.ask("unlock", pin)
            if answer.status != "OK" or answer.outcome not in (PIN_VALID, PIN_WRONG):
                raise Broken(f"an unlock answers {answer.line}")
            if answer.outcome == PIN_VALID:
                right.append(pin)
                self.app().do("lock")
        if len(right) != 1:
            raise Broken(f"{len(right)} of {len(self.ledger.pins)} PINs are right")
        self.pin = right[0]
        self.app().pin("unlock", self.pin)

    def check_cards(self):
        cards = self.ask("cards")
        if cards.status != "OK" or cards.cards < (self.ledger.pid == YES) or cards.cards > (self.ledger.pid != NO):
            raise Broken(f"the card was {self.ledger.pid}, and the cards are {cards.line}")
        if cards.cards > 0:
            self.app().do("present", "nonce-2", self.pin, good=lambda answer: answer.has_presentation)

    def check_biometrics(self):
        enabled = self.ask("biometric")
        if enabled.status != "OK" or self.ledger.biometrics == YES and enabled.number(0) != 1:
            raise Broken(f"biometric unlock was {self.ledger.biometrics}, and is {enabled.line}")
        if enabled.number(0) == 1:
            self.app().do("lock")
            self.app().do("finger")
