#!/usr/bin/env python3
"""A user's life with the phone in the browser, from the first start to the wipe.

    phone_web.py URL PICTURES SCRATCH

URL is what the server has printed, PICTURES receives screenshots; SCRATCH holds the logs of server and provider.
Prints a line per check.
"""

import pathlib
import re
import sys
from urllib.parse import parse_qs, urlsplit

from phone_web_life import CHAIN, PERSONAL, forgotten_pin
from phone_web_page import Lost, Page, browser, fetch, told

KEY_MATERIAL = re.compile(r"[A-Za-z0-9_-]{40,}|-----BEGIN|[0-9a-f]{32,}")


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
        "an order for another host": fetch(
            page, "/do/wipe", "POST", Host="evil.example", Origin="http://evil.example")[0],
        "an order without a cookie": fetch(page, "/do/wipe", "POST", Origin=origin, Cookie="")[0],
        "a file outside": fetch(page, "/../web.py")[0],
        "a file that is none of the page": fetch(page, "/pictures/applicant.aamva")[0],
    }
    told("others are refused", set(refused.values()) <= {403, 404, 421}, refused)
    allowed = fetch(page, "/do/activity", "POST", Origin=origin)
    told("the page itself is not", allowed[0] == 200 and b'"OK"' in allowed[2], allowed)


def check_orders(page, url):
    """Orders that no page of ours would give."""
    origin = f"http://{urlsplit(url).netloc}"
    wanted = {
        "choose": "lacks 'serial'",
        "choose?serial=x&action=next": "invalid literal",
        "choose?serial=1&action=next": "STALE_STEP",
        "enter?serial=1": "STALE_STEP",
        "hold?serial=1&picture=../phone/configuration": "no such picture",
        "upload?serial=1": "takes PNG files",
        "finger?word=thumb": "called thumb",
        "policy?name=none": "no policy called none",
        "clock?minutes=soon": "invalid literal",
        "restart?rules=palm": "no rules of palm",
        "link?link=": "OK",
    }
    answers = {name: fetch(page, f"/do/{name}", "POST", Origin=origin)[2].decode() for name in wanted}
    wrong = {name: answer for name, answer in answers.items() if wanted[name] not in answer}
    told("an order that makes no sense gets a message that says so", not wrong, wrong)


def check_feed(page):
    """A page that was away gets what it has missed, and nothing twice."""
    first = first_entry(page, "0")
    told("the feed begins with all that is kept", first == 1, first)
    later = first_entry(page, "40")
    told("the feed goes on where the page was", later > 40, later)


def first_entry(page, seen):
    answer, connection = fetch(page, "/feed", keep=True, **{"Last-Event-ID": seen})
    try:
        return int(answer.readline().removeprefix(b"id: "))
    finally:
        connection.close()


def check_secrets(page, scratch, wire):
    told("no PIN is on the wire", not [pin for pin in page.typed if pin in wire])
    told("no PIN is anywhere in the page", not [pin for pin in page.typed if pin in page.driver.page_source])
    logs = [path for path in pathlib.Path(scratch).rglob("*") if path.suffix in (".log", ".out")]
    found = [path.name for path in logs for pin in page.typed if pin.encode() in path.read_bytes()]
    told("no PIN is in a log of server or provider", len(logs) >= 3 and not found, found or logs)
    keys = KEY_MATERIAL.findall(wire)
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
        check_orders(page, url)
        check_feed(page)
        check_secrets(page, scratch, wire + page.wire())
        told("the row that is said, lit and on the wire is always the same", not page.unlit, "\n".join(page.unlit))
        told("every control has a name", not page.unnamed, "\n".join(page.unnamed))
        told("every text has enough contrast", not page.faint, "\n".join(sorted(page.faint)))
        errors = page.errors()
        told("the console has no error", not errors, "\n".join(errors))
        told("the token is not in the address bar", not parse_qs(urlsplit(driver.current_url).query))
    finally:
        driver.quit()


if __name__ == "__main__":
    sys.exit(main())
