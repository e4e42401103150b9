#!/usr/bin/env python3
"""A user's life with the phone in the browser, from the first start to the wipe.

    phone_web.py URL PICTURES SCRATCH

URL is what the server has printed, PICTURES receives screenshots; SCRATCH holds the logs of server and provider.
Prints a line per check.
"""

import http.client
import pathlib
import re
import sys
import tempfile
from urllib.parse import parse_qs, urlsplit

from phone_web_page import Lost, Page, browser

PIN = "471108"
PERSONAL = re.compile(r"rowan|imogen|elspeth|1988-03-14", re.IGNORECASE)
KEY_MATERIAL = re.compile(r"[A-Za-z0-9_-]{40,}|-----BEGIN|[0-9a-f]{32,}")


def told(name, holds, reason=""):
    print(f"{'ok' if holds else 'not ok'} - the phone in the browser: {name}", flush=True)
    if not holds and reason:
        print("#   " + str(reason).replace("\n", "\n#   ")[:2000], flush=True)


# --- the chain of use cases --------------------------------------------------------------------------

def first_start(page):
    page.expect("UC1.1 1.1", "introduction-1")
    page.shoot("introduction")
    page.choose("pause-or-play")
    page.await_(".toast")
    page.expect("UC1.1 1.1", "introduction-1")
    for row in ("1.2", "1.3"):
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
    page.type_pin(PIN)
    page.expect("UC2.1 1.7", "configure-biometrics")
    page.choose("enable")
    page.await_(".sensor")
    page.shoot("sensor")
    page.finger("recognised")
    page.expect("UC2.1 1.9", "setup-done")
    page.choose("next")


def proofing(page):
    page.expect("UC3.1 2b", "proofing-start")
    page.click("#applicant")
    page.choose("scan")
    page.expect("UC3.1 3", "scan-enrolment-code")
    page.hold("nothing")
    page.await_(".toast")
    page.hold("poster")
    page.expect("UC3.1 5b", "code-retry")
    page.choose("scan-again")
    page.expect("UC3.1 3", "scan-enrolment-code")
    page.shoot("camera")
    page.hold("enrolment-code")
    page.expect("UC3.1 5c", "confirm-account")
    page.shoot("account")
    page.choose("scan-licence")
    page.expect("UC3.1 6", "scan-licence")
    page.shoot("licence")
    page.hold("licence-damaged")
    page.expect("UC3.1 8b", "licence-retry")
    page.choose("scan-again")
    page.expect("UC3.1 6", "scan-licence")
    upload(page, "applicant")
    page.expect("UC3.1 11", "wallet-ready")
    page.choose("continue")
    page.expect("UC7.1 1.1", "dashboard")


def upload(page, name):
    """Takes a picture file, as a user picks one."""
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
    told("the card says who she is", claims == {"family_name": "ROWAN", "age_equal_or_over.18": "yes"}, claims)
    page.click("#present")
    page.await_(".desk")
    page.look()
    seen = page.text(".desk")
    told("a verifier sees the claims that were chosen, and no others",
         "18 or older" in seen and not PERSONAL.search(seen), seen)
    page.shoot("verifier")
    page.click("#close-desk")
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
    told("it locks in the background and opens by a finger", page.text("#lock-state") == "unlocked")


def wrong_pins(page):
    page.choose("lock")
    page.expect("UC2.3 1.3", "open-with-pin")
    for number, row in enumerate(("2.1", "3.1", "4.1"), start=1):
        page.type_pin(f"90817{number}")
        page.expect(f"PF2.8 {row}", "wrong-pin")
        if row == "3.1":
            picture_of_the_readme(page)
        page.choose("close")
        page.expect("UC2.3 1.3", "open-with-pin")
    page.type_pin("908174")
    page.expect("PF2.8 5.1", "temporarily-blocked")
    told("a block counts down", page.text("[role=timer] .digits") in ("1:00", "0:59", "0:58"))
    page.theme("dark")
    page.look()
    page.shoot("blocked-dark")
    page.theme("light")
    page.minutes(1)
    page.expect("UC2.3 1.3", "open-with-pin")


def picture_of_the_readme(page):
    page.await_(".prompt")
    page.driver.execute_script("document.activeElement.blur()")
    page.shoot("readme")
    page.theme("dark")
    page.look()
    page.shoot("dark")
    page.size(390, 844, 2)
    for tab in ("phone", "flow", "wire"):
        page.click(f"#tab-{tab}")
        page.look()
        page.shoot(f"narrow-{tab}-dark")
    wide = page.driver.execute_script("return document.documentElement.scrollWidth")
    told("it fits a phone's width", wide <= 390, wide)
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


def link(page):
    field = page.await_("#link")
    field.clear()
    field.send_keys("https://wallet.example/login#v=1&m=link\n")
    page.expect("UC5.2 1", "login")
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
    page.click("#wipe")
    page.expect("UC1.1 1.1", "introduction-1")


CHAIN = (
    first_start, set_up, proofing, cards, locks, wrong_pins, airplane, update_required, dead_engine, link, rules_of_ios,
    reload, forgotten_pin)


# --- what holds all the time ---------------------------------------------------------------------------

def fetch(page, path, method="GET", **headers):
    """Asks the server as the page does, unless the headers say otherwise; "" leaves one out."""
    address = urlsplit(page.driver.current_url)
    cookie = page.driver.get_cookies()[0]
    sent = {"Host": address.netloc, "Cookie": f"{cookie['name']}={cookie['value']}"} | headers
    connection = http.client.HTTPConnection(address.netloc, timeout=10)
    try:
        connection.putrequest(method, path, skip_host=True)
        for name, value in sent.items():
            if value:
                connection.putheader(name, value)
        connection.putheader("Content-Length", "0")
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def check_strangers(page, url):
    """Other pages, and whoever else reaches loopback."""
    address = urlsplit(url)
    origin = f"http://{address.netloc}"
    here = fetch(page, "/")
    told("the page has a strict policy", here[0] == 200 and "default-src 'none'" in here[1]["Content-Security-Policy"]
         and "unsafe" not in here[1]["Content-Security-Policy"], here[1])
    refused = {
        "another host": fetch(page, "/", Host="evil.example")[0],
        "no cookie": fetch(page, "/feed", Cookie="")[0],
        "a wrong cookie": fetch(page, "/feed", Cookie=f"phone_web_{address.port}=x")[0],
        "a wrong token": fetch(page, "/?token=x", Cookie="")[0],
        "an order from another origin": fetch(page, "/do/wipe", "POST", Origin="http://evil.example")[0],
        "an order from another port": fetch(page, "/do/wipe", "POST", Origin="http://127.0.0.1:1")[0],
        "an order from nowhere": fetch(page, "/do/wipe", "POST")[0],
        "an order for another host": fetch(page, "/do/wipe", "POST", Host="evil.example", Origin="http://evil.example")[0],
        "an order without a cookie": fetch(page, "/do/wipe", "POST", Origin=origin, Cookie="")[0],
        "a file outside": fetch(page, "/../web.py")[0],
        "a file that is none of the page": fetch(page, "/pictures/applicant.aamva")[0],
    }
    told("others are refused", set(refused.values()) <= {403, 404, 421}, refused)
    allowed = fetch(page, "/do/activity", "POST", Origin=origin)
    told("the page itself is not", allowed[0] == 200 and b'"OK"' in allowed[2], allowed)


def check_secrets(page, scratch, wire):
    told("no PIN is on the wire", not [pin for pin in page.typed if pin in wire])
    told("no PIN is anywhere in the page", not [pin for pin in page.typed if pin in page.driver.page_source])
    logs = [path for path in pathlib.Path(scratch).rglob("*") if path.suffix in (".log", ".out")]
    found = [path.name for path in logs for pin in page.typed if pin.encode() in path.read_bytes()]
    told("no PIN is in a log of server or provider", len(logs) >= 3 and not found, found or logs)
    keys = [found for found in KEY_MATERIAL.findall(wire)]
    told("no key material is on the wire", not keys, keys[:5])
    told("no personal data is on the wire", not PERSONAL.search(wire), PERSONAL.findall(wire)[:5])
    for words in ("sealed …", "signature verified here", "wrong, 3 attempts left ✓", "issue_pid", "attempts_left"):
        told(f"the wire shows: {words}", words in wire)


def main():
    url, pictures, scratch = sys.argv[1:]
    driver = browser()
    try:
        page = Page(driver, url, pictures)
        page.theme("light")
        for part in CHAIN:
            if part is forgotten_pin:
                wire = page.wire()
            try:
                part(page)
                told(part.__name__.replace("_", " "), True)
            except Lost as problem:
                told(part.__name__.replace("_", " "), False, f"{problem}\n{page.errors()}")
                return
        check_strangers(page, url)
        check_secrets(page, scratch, wire + page.wire())
        told("the row that is said, lit and on the wire is the same, all the way", not page.unlit, "\n".join(page.unlit))
        told("every control has a name", not page.unnamed, "\n".join(page.unnamed))
        told("every text has enough contrast", not page.faint, "\n".join(sorted(page.faint)))
        errors = page.errors()
        told("the console has no error", not errors, "\n".join(errors))
        told("the token is not in the address bar", not parse_qs(urlsplit(driver.current_url).query))
    finally:
        driver.quit()


if __name__ == "__main__":
    sys.exit(main())
