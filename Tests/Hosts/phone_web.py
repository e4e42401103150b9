#!/usr/bin/env python3
"""Uses the phone in the browser from the first start to the wipe.

    phone_web.py URL PICTURES SCRATCH

URL is what the server has printed, PICTURES receives screenshots, SCRATCH has the logs of server and provider.
Prints a line per check.
"""

import base64
import contextlib
import http.client
import http.server
import json
import pathlib
import re
import sys
import threading
from urllib.parse import urlencode, urlsplit

from phone_web_life import CHAIN, PERSONAL, forgotten_pin
from phone_web_page import PATIENCE, Page, fetch, key_of, told

from chromium import browser  # of Tests/Support, which phone_web_page has put on the path

# A registration with a key for key agreement (X25519) and an invalid signature.
FORGED = ({"alg": "ES256", "typ": "wallet-instruction+jwt"},
          {"instruction": "register", "hardware_key": "MCowBQYDK2VuAyEA" + "A" * 43})
KEY_MATERIAL = re.compile(r"[A-Za-z0-9_-]{40,}|-----BEGIN|[0-9a-f]{32,}")
KEY_NAME = re.compile(r"wallet_core\.\w+\.[0-9a-f]+")


def send_to_recorder(scratch):
    """Sends a message to the recorder's port, as any program can. It must change nothing for the phone."""
    [document] = pathlib.Path(scratch).rglob("phone/configuration.json")
    address = json.loads(document.read_bytes())["provider_url"]
    parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in FORGED]
    body = json.dumps({"signature": ".".join([*parts, "A" * 86])})
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.request("POST", "/v2/instructions/register", body, {"Content-Type": "application/json"})
        told("the recorder passes a forged registration on to the provider, which refuses it",
             400 <= connection.getresponse().status < 500)


def check_strangers(page, url):
    """Checks requests of other pages and of other programs on loopback."""
    address = urlsplit(url)
    origin = f"http://{address.netloc}"
    here = fetch(page, "/")
    told("the page has a strict policy", here[0] == 200 and "default-src 'none'" in here[1]["Content-Security-Policy"]
         and "unsafe" not in here[1]["Content-Security-Policy"], here[1])
    refused = {
        "another host": fetch(page, "/", Host="evil.example")[0],
        "no cookie": fetch(page, feed_of(page), Cookie="")[0],
        "a wrong cookie": fetch(page, feed_of(page), Cookie=f"phone_web_{address.port}=x")[0],
        "the feed by a cookie alone": fetch(page, "/feed")[0],
        "the feed by another key": fetch(page, "/feed?key=x")[0],
        "a wrong token": fetch(page, "/?token=x", Cookie="")[0],
        "an order from another origin": fetch(page, "/do/wipe", "POST", Origin="http://evil.example")[0],
        "an order from another port": fetch(page, "/do/wipe", "POST", Origin="http://127.0.0.1:1")[0],
        "an order from nowhere": fetch(page, "/do/wipe", "POST")[0],
        "an order for another host": fetch(
            page, "/do/wipe", "POST", Host="evil.example", Origin="http://evil.example")[0],
        "an order without a cookie": fetch(page, "/do/wipe", "POST", Origin=origin, Cookie="")[0],
        "an order by a cookie alone": fetch(page, "/do/wipe", "POST", Origin=origin, **{"Phone-Web-Key": ""})[0],
        "an order by another key": fetch(page, "/do/wipe", "POST", Origin=origin, **{"Phone-Web-Key": "x"})[0],
        "a file outside": fetch(page, "/../web.py")[0],
        "a file that is none of the page": fetch(page, "/pictures/applicant.aamva")[0],
    }
    told("requests of others are refused", set(refused.values()) <= {403, 404, 421}, refused)
    allowed = fetch(page, "/do/activity", "POST", Origin=origin)
    told("requests of the page are not refused", allowed[0] == 200 and b'"OK"' in allowed[2], allowed)


def feed_of(page):
    return f"/feed?{urlencode({'key': key_of(page)})}"


class OtherServer(http.server.BaseHTTPRequestHandler):
    """Another server on loopback that the user visits."""

    def do_GET(self):
        self.server.got.append(self.headers.get("Cookie", ""))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def check_other_server(page, url):
    """Browsers send cookies to every port of a host. The cookie that another server gets must not be enough."""
    origin = f"http://{urlsplit(url).netloc}"
    key, cookie = key_of(page), page.driver.get_cookies()[0]
    # With threads, because browsers open connections on which they ask nothing.
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), OtherServer) as other:
        other.got = []
        threading.Thread(target=other.serve_forever, daemon=True).start()
        here = page.driver.current_window_handle
        page.driver.switch_to.new_window("tab")
        page.driver.get(f"http://127.0.0.1:{other.server_address[1]}/")
        left = key_of(page)
        page.driver.close()
        page.driver.switch_to.window(here)
        other.shutdown()
    got = other.got[0]
    told("another server on loopback gets the cookie, but not the key",
         cookie["value"] in got and key and key not in got and not left, "the cookie did not come")
    refused = {
        "a token": fetch(page, f"/?{urlencode({'token': cookie['value']})}", Cookie=got)[0],
        "the feed": fetch(page, "/feed", Cookie=got)[0],
        "an order": fetch(
            page, "/do/wipe", "POST", Cookie=got, Origin=origin, **{"Phone-Web-Key": cookie["value"]})[0],
    }
    told("the cookie alone gives no access to the feed or the phone", set(refused.values()) == {403}, refused)


def check_other_tab(page, url):
    """Checks a tab that was not opened by the printed URL."""
    here = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    page.driver.get(f"http://{urlsplit(url).netloc}/")
    page.await_(".device.lost")
    told("a tab without the key says how to open the page", "prints in this tab" in page.text(".toast"),
         page.text(".toast"))
    page.errors()  # drops that tab's error about the refused feed
    page.driver.close()
    page.driver.switch_to.window(here)


def check_orders(page, url):
    """Sends commands that the page would never send."""
    origin = f"http://{urlsplit(url).netloc}"
    wanted = {
        "choose": "lacks 'serial'",
        "choose?serial=x&action=next": "invalid literal",
        "choose?serial=1&action=next": "STALE_STEP",
        "enter?serial=1": "STALE_STEP",
        "hold?serial=1&picture=../phone/configuration": "no such picture",
        "upload?serial=1": "takes PNG files",
        "upload?serial=1&name=holiday.jpg": "holiday.jpg: the camera takes PNG files",
        "close-verifier": "lacks 'number'",
        "finger?word=thumb": "called thumb",
        "policy?name=none": "no policy called none",
        "clock?minutes=soon": "invalid literal",
        "restart?rules=palm": "not palm",
        "link?link=": "OK",
    }
    answers = {name: fetch(page, f"/do/{name}", "POST", Origin=origin)[2].decode() for name in wanted}
    wrong = {name: answer for name, answer in answers.items() if wanted[name] not in answer}
    told("an invalid command gets a message that says why", not wrong, wrong)


def check_feed(page):
    """Checks that a page that reconnects gets the entries that it has missed, and none twice."""
    first = first_entry(page, "0")
    told("the feed begins with the first entry", first == 1, first)
    later = first_entry(page, "40")
    told("the feed goes on after the last entry that the page has", later > 40, later)


def first_entry(page, seen):
    answer, connection = fetch(page, feed_of(page), keep=True, **{"Last-Event-ID": seen})
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
    named = KEY_NAME.findall(wire)
    told("the wire shows only the purpose of a key's identifier",
         "sign(wallet_core.signing…)" in wire and not named, named)
    told("no personal data is on the wire", not PERSONAL.search(wire), PERSONAL.findall(wire)[:5])
    for words in ("sealed …", "signature verified here", "wrong, 3 attempts left ✓", "issue_pid", "attempts_left"):
        told(f"the wire shows: {words}", words in wire)


class Ended(Exception):
    """A check failed and was reported."""


@contextlib.contextmanager
def attempt(name, page=None):
    """Turns any failure in it, such as a lost page or a crashed browser, into a failed check and ends the test."""
    try:
        yield
    except Exception as problem:
        errors = []
        with contextlib.suppress(Exception):  # the browser may be what went wrong
            errors = page.errors() if page else []
        what = str(problem).split("Stacktrace:")[0].strip()  # of the browser's machine code
        told(name, False, "\n".join([f"{type(problem).__name__}: {what}", *errors]))
        raise Ended from problem
    told(name, True)


def live(page):
    """Runs all parts. Returns the text of the wire before the wallet was deleted."""
    wire = ""
    for part in CHAIN:
        if part is forgotten_pin:
            wire = page.wire()
        with attempt(part.__name__.replace("_", " "), page):
            part(page)
    return wire


def check_all(page, url, scratch, wire):
    check_strangers(page, url)
    check_other_server(page, url)
    check_orders(page, url)
    check_feed(page)
    check_secrets(page, scratch, wire + page.wire())
    told("heading, diagram and wire always show the same row", not page.unlit, "\n".join(page.unlit))
    told("every control has a name", not page.unnamed, "\n".join(page.unnamed))
    told("every text has enough contrast", not page.faint, "\n".join(sorted(page.faint)))
    errors = page.errors()
    told("the console has no error", not errors, "\n".join(errors))
    address = page.driver.current_url
    told("the token is not in the address bar", key_of(page) and key_of(page) not in address, "it is")
    check_other_tab(page, url)


def main():
    url, pictures, scratch = sys.argv[1:]
    driver = None
    try:
        with attempt("a browser starts"):
            driver = browser("--hide-scrollbars")
        with attempt("the page opens"):
            page = Page(driver, url, pictures)
            page.theme("light")
        with attempt("a forged registration comes to the recorder first"):
            send_to_recorder(scratch)
        wire = live(page)
        with attempt("every check is made", page):
            check_all(page, url, scratch, wire)
    except Ended:
        pass
    finally:
        if driver:
            driver.quit()


if __name__ == "__main__":
    sys.exit(main())
