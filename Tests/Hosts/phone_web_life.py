"""The parts of the test of the phone in the browser, in their order."""

import itertools
import pathlib
import re
import tempfile

import phone_web_newcomer as newcomer
from phone_web_page import fetch, told
from selenium.webdriver.common.keys import Keys

PIN = "471108"
PERSONAL = re.compile(r"rowan|imogen|elspeth|1988-03-14", re.IGNORECASE)


def first_start(page):
    page.expect("UC1.1 1.1", "introduction-1")
    page.shoot("introduction")
    told("the page says that it runs the testing build", says_testing_build(page), page.text(".build"))
    page.choose("pause-or-play")
    page.await_(".toast")
    page.expect("UC1.1 1.1", "introduction-1")
    by_tab(page)
    introduction(page, ("1.3",))


def says_testing_build(page):
    return "Testing build" in page.text(".build") and page.await_(".build").is_displayed()


def by_tab(page):
    """Goes from the top of the page to its end without a mouse."""
    page.tab_to("#theme")
    met = page.tab_to('#phone [data-action="next"]')
    page.press(Keys.ENTER)
    page.expect("UC1.1 1.2", "introduction-2")
    met += page.tab_to("#wire .lines")
    parts = [part for part, _ in itertools.groupby(each["part"] for each in met)]
    told("Tab goes through the page as it is read",
         parts == ["world", "column-phone", "column-flow", "column-wire"], parts)
    unseen = [each["name"] for each in met if not each["is_seen"]]
    told("the focused control is visible", not unseen, unseen)


def introduction(page, rows):
    for row in rows:
        page.choose("next")
        page.expect(f"UC1.1 {row}", f"introduction-{row[-1]}")
    page.choose("next")
    page.expect("UC1.1 1.4", "privacy-considerations")
    page.choose("next")


def set_up(page):
    page.expect("UC2.1 1.1", "choose-pin")
    page.type_pin("123456")
    page.expect("UC2.1 2.1", "pin-too-simple")
    page.choose("ok")
    page.expect("UC2.1 1.1", "choose-pin")
    page.tap_pin(PIN)
    page.expect("UC2.1 1.3", "repeat-pin")
    page.type_pin("471109")
    page.expect("UC2.1 3.1", "pin-differs-retry")
    page.choose("try-again")
    page.expect("UC2.1 1.3", "repeat-pin")
    page.shoot("pin")
    page.typed.add(PIN)
    sent = page.press_at_once([*PIN, "9", "9", "Backspace", "1"])
    told("a PIN is sent once, whatever keys come while it is being sent", sent == 1, sent)
    page.expect("UC2.1 1.7", "configure-biometrics")
    page.choose("enable")
    page.await_(".sensor")
    page.shoot("sensor")
    page.finger("recognised")
    page.expect("UC2.1 1.9", "setup-done")
    page.choose("next")


def proofing(page):
    page.expect("UC3.1 2b", "proofing-start")
    newcomer.applicant_in_sight(page)
    page.click("#applicant")
    page.choose("scan")
    page.expect("UC3.1 3", "scan-enrolment-code")
    page.hold("nothing")
    page.await_(".toast")
    with tempfile.TemporaryDirectory() as directory:
        newcomer.picture_without_a_code(page, pathlib.Path(directory, "holiday.png"))
    page.hold("poster")
    page.expect("UC3.1 5b", "code-retry")
    page.choose("scan-again")
    page.expect("UC3.1 3", "scan-enrolment-code")
    page.shoot("camera")
    page.hold("enrolment-code")
    page.expect("UC3.1 5c", "confirm-account")
    newcomer.consent(page)
    page.shoot("account")
    page.choose("scan-licence")
    page.expect("UC3.1 6", "scan-licence")
    page.shoot("licence")
    page.hold("licence-damaged")
    page.expect("UC3.1 8b", "licence-retry")
    page.choose("scan-again")
    page.expect("UC3.1 6", "scan-licence")
    upload(page, "applicant")
    page.expect("UC3.1 9c", "receive-with-pin")
    page.shoot("receive")
    page.type_pin(PIN)
    page.expect("UC3.1 11", "wallet-ready")
    page.choose("continue")
    page.expect("UC7.1 1.1", "dashboard")


def upload(page, name):
    """Uploads a picture file, as a user does."""
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        file.write(fetch(page, f"/pictures/{name}.png")[2])
        file.flush()
        page.await_("#picture").send_keys(file.name)
        page.until("nothing was read", lambda: not page.all("#picture"))


def cards(page):
    page.await_("#phone .card")
    page.look()
    page.shoot("dashboard")
    page.choose("card")
    page.expect("UC7.1 2.1", "card-details")
    claims = {name: page.text(f'#phone [data-claim="{name}"]') for name in ("family_name", "age_equal_or_over.18")}
    told("the card says who she is", claims == {"family_name": "Rowan", "age_equal_or_over.18": "yes"}, claims)
    page.click("#present")
    page.type_pin("471109")
    page.until("a wrong PIN is not told", lambda: "You have 3 attempts left" in page.text("#phone .toasts"))
    told("a wrong PIN shows a verifier nothing", not page.all(".verifier"), page.text("#phone"))
    page.type_pin(PIN)
    page.await_(".verifier")
    page.look()
    seen = page.text(".verifier")
    told("a verifier sees the claims that were chosen, and no others",
         "18 or older" in seen and not PERSONAL.search(seen), seen)
    told("the page says what every card shows besides", all(
        name in seen for name in ("holder’s key (cnf)", "iss", "vct", "iat", "exp", "digests")), seen)
    page.shoot("verifier")
    newcomer.closed_verifier(page)
    page.choose("back")
    page.expect("UC7.1 1.1", "dashboard")


def locks(page):
    page.minutes(4)
    page.expect("UC9.7 1.2", "inactivity-warning")
    page.await_("[role=timer]")
    page.shoot("warning")
    page.choose("continue")
    page.expect("UC7.1 1.1", "dashboard")
    page.click("#background")
    page.await_(".launcher")
    page.minutes(5)
    page.until("it does not lock", lambda: "locked" == page.text("#lock-state"))
    page.click("#background")
    page.await_(".sensor")
    page.finger("not-recognised")
    page.expect("UC2.3 4.1", "biometric-not-recognised")
    page.choose("try-again")
    page.await_(".sensor")
    page.finger("recognised")
    page.expect("UC7.1 1.1", "dashboard")
    told("the wallet locks in the background, and a finger unlocks it", page.text("#lock-state") == "unlocked")


def seconds_left(page):
    minutes, seconds = page.text("[role=timer] .digits").split(":")
    return int(minutes) * 60 + int(seconds)


def wrong_pins(page):
    page.choose("lock")
    page.expect("UC2.3 1.3", "open-with-pin")
    for number, (row, left) in enumerate(
            (("2.1", "3 attempts"), ("3.1", "2 attempts"), ("4.1", "1 attempt")), start=1):
        page.type_pin(f"90817{number}")
        page.expect(f"PF2.8 {row}", "wrong-pin")
        newcomer.attempts_left(page, left)
        if row == "3.1":
            picture_of_the_readme(page)
        page.choose("close")
        page.expect("UC2.3 1.3", "open-with-pin")
    page.type_pin("908174")
    page.expect("PF2.8 5.1", "temporarily-blocked")
    newcomer.blocked(page)
    first = seconds_left(page)
    page.until("the block does not count down", lambda: seconds_left(page) < first)
    told("a block counts down from a minute", 0 < first <= 60, first)
    page.theme("dark")
    page.look()
    page.shoot("blocked-dark")
    page.theme("light")
    page.minutes(1)
    page.expect("UC2.3 1.3", "open-with-pin")


def picture_of_the_readme(page):
    page.await_(".prompt")
    page.unfold("check_pin")
    page.shoot("readme")
    page.unfold("check_pin")
    page.theme("dark")
    page.look()
    page.shoot("dark")
    page.size(390, 844, 2)
    for tab in ("phone", "flow", "wire"):
        page.click(f"#tab-{tab}")
        page.look()
        page.shoot(f"narrow-{tab}-dark")
    wide = page.driver.execute_script("return document.documentElement.scrollWidth")
    told("the page fits a phone's width", wide <= 390, wide)
    told("the page says on a phone too that it runs the testing build", says_testing_build(page), page.text(".build"))
    page.theme("light")
    page.shoot("narrow-wire")
    page.click("#tab-phone")
    page.shoot("narrow-phone")
    page.size(1600, 1000)


def airplane(page):
    page.click("#airplane")
    page.type_pin(PIN)
    page.expect("PF2.8 1.1", "no-internet")
    page.shoot("airplane")
    page.click("#airplane")
    page.until("it stays off line", lambda: page.all('#airplane[aria-checked="false"]'))
    page.choose("try-again")
    page.expect("UC2.3 1.3", "open-with-pin")
    page.type_pin(PIN)
    page.expect("UC7.1 1.1", "dashboard")


def update_required(page):
    page.pick("#policy", "required")
    page.click("#restart")
    page.expect("PF1.4 2.1", "update-needed")
    page.shoot("update")
    page.choose("store")
    page.await_(".toast")
    page.expect("PF1.4 2.1", "update-needed")
    page.choose("close")
    page.expect("PF1.4 2.1", "end")
    page.pick("#policy", "recommended")
    page.click(".app-icon")
    page.await_(".sensor")
    page.finger("recognised")
    page.expect("UC7.1 1.1", "dashboard")
    page.await_('[data-notice="update-recommended"]')
    page.pick("#policy", "ok")


def dead_engine(page):
    page.click("#engine")
    page.until("the engine lives", lambda: "The engine is dead" in page.text("#phone"))
    page.look()
    page.shoot("dead-engine")
    page.click("#engine")
    page.await_(".sensor")
    told("a new engine finds the wallet locked", page.text("#lock-state") == "locked")
    page.finger("cancelled")
    page.expect("UC2.3 1.3", "open-with-pin")
    page.type_pin(PIN)
    page.expect("UC7.1 1.1", "dashboard")


def open_link(page, text):
    field = page.await_("#link")
    field.clear()
    field.send_keys(f"{text}\n")


def history(page):
    page.choose("activities")
    page.expect("UC6.1 1.1", "activities")
    page.until("the history is not drawn", lambda: page.text("#phone .empty") == "Nothing yet.")
    page.choose("back")
    page.expect("UC7.1 1.1", "dashboard")


def waiting_request(page):
    """A request comes while the wallet is locked. Nobody is at its address."""
    page.choose("lock")
    page.expect("UC2.3 1.3", "open-with-pin")
    open_link(page, "openid4vp://?client_id=x509_san_dns%3A127.0.0.1&request_uri=https%3A%2F%2F127.0.0.1%3A1%2Frequest")
    page.until("the unlock does not tell of it", lambda: "A request for your data waits" in page.text("#phone"))
    page.type_pin(PIN)
    page.expect("UC5.1 1.1", "unknown-verifier")
    told("a request that comes to a locked wallet waits, and the unlock says so", True)
    page.choose("close")
    page.expect("UC7.1 1.1", "dashboard")


def link(page):
    open_link(page, "https://wallet.example/issuance#v=1&m=link")
    page.expect("UC4.1 1", "issuance")
    page.shoot("link")
    page.choose("done")
    page.expect("UC7.1 1.1", "dashboard")


def rules_of_ios(page):
    page.pick("#rules", "ios")
    page.await_(".sensor")
    page.finger("not-recognised")
    page.expect("UC2.3 2.1", "biometric-not-recognised")
    told("the rules of iOS hold after a restart of the app", "iOS rules" in page.text(".status-bar"))
    page.choose("close")
    page.expect("UC2.3 1.3", "open-with-pin")


def reload(page):
    before = len(page.wire())
    page.driver.refresh()
    page.expect("UC2.3 1.3", "open-with-pin")
    page.until("the wire is gone", lambda: len(page.wire()) >= before - 200)
    told("a page that is loaded again sees the same step and all of the wire", True)


def forgotten_pin(page):
    page.choose("forgot-pin")
    page.expect("UC2.3 6.1", "forgot-pin")
    page.choose("delete-wallet")
    page.expect("UC9.4 1.1", "wipe")
    page.shoot("wipe")
    page.choose("cancel")
    page.expect("UC2.3 6.1", "forgot-pin")


def deletion(page):
    page.choose("delete-wallet")
    page.expect("UC9.4 1.1", "wipe")
    page.choose("confirm-delete")
    page.expect("UC1.1 1.1", "introduction-1")
    told("the flow was walked to its end", "UC9.4 1.2a" in page.text(".trail button").split("\n"), page.text(".trail"))


def wipe_by_the_app(page):
    """Wipes a new wallet, which is set up after the old one was deleted."""
    introduction(page, ("1.2", "1.3"))
    for row, name in (("1.1", "choose-pin"), ("1.3", "repeat-pin")):
        page.expect(f"UC2.1 {row}", name)
        page.type_pin(PIN)
    page.expect("UC2.1 1.7", "configure-biometrics")
    page.click("#wipe")
    page.expect("UC1.1 1.1", "introduction-1")


CHAIN = (
    first_start, set_up, proofing, cards, locks, wrong_pins, airplane, update_required, dead_engine, link, history,
    waiting_request, rules_of_ios, reload, forgotten_pin, deletion, wipe_by_the_app)
