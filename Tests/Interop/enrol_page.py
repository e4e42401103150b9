#!/usr/bin/env python3
"""Drives a provider's enrolment page in Chromium, while a phone scans it from the screen.

    enrol_page.py URL SCANNER PICTURES STATES [PHONE...]

SCANNER is the program `scan` of Examples/C, PICTURES a directory with the samples, in which the
screenshot is laid as enrol-page.png. PHONE is the command of a phone that scans it; STATES receives each
state that the page is seen in, for the phone to wait for. Prints a line per check.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import time
import traceback
import urllib.request

from selenium.common.exceptions import NoSuchElementException, WebDriverException
from selenium.webdriver.common.by import By

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Support"))
from chromium import browser, steadily, was_replaced  # noqa: E402
from patience import PROGRAM_PATIENCE, eventually  # noqa: E402

STATES = ("issued", "claimed", "proofed", "expired", "failed")
# As in Examples/samples/licence.png.
PERSON = {
    "family name": "Rowan",
    "given name": "Imogen Elspeth",
    "birth": "1988-03-14",
    "mail": "imogen.rowan@example.org",
}
LINK = re.compile(rb"https://[^/?#\s]+/b#(?=.*\bv=1\b)(?=.*\bn=[A-Za-z0-9_-]{43}(&|$))\S+")


def told(name, holds, reason=""):
    print(f"{'ok' if holds else 'not ok'} - the enrolment page: {name}", flush=True)
    if not holds and reason:
        print("#   " + str(reason).replace("\n", "\n#   "), flush=True)
    return holds


def is_gone(element):
    try:
        return not element.tag_name
    except WebDriverException:
        return True


class Page:
    def __init__(self, driver, url, scanner, pictures):
        self.driver, self.url = driver, url
        self.scanner, self.picture = scanner, pathlib.Path(pictures, "enrol-page.png")

    def field(self, words):
        """The input with this label, as a screen reader finds it."""
        for label in self.driver.find_elements(By.TAG_NAME, "label"):
            if words in label.text.lower():
                name = label.get_attribute("for")
                return (self.driver.find_element(By.ID, name) if name
                        else label.find_element(By.TAG_NAME, "input"))
        raise NoSuchElementException(f"no input is labelled {words}")

    def enrol(self, person, check=True):
        self.driver.get(self.url + "/enrol")
        for words, value in person.items():
            # Typing a date depends on the browser's language.
            self.driver.execute_script("arguments[0].value = arguments[1]", self.field(words), value)
        if not check:
            self.driver.execute_script("document.forms[0].noValidate = true")
        self.press("")

    def press(self, words):
        """Presses the button with these words and waits until its page is gone, because a click does not wait."""
        def click():
            page = self.driver.find_element(By.TAG_NAME, "html")
            self.button(words).click()
            return page

        page = steadily(click, was_replaced)
        if not eventually(lambda: is_gone(page)):
            raise WebDriverException(f"no page comes behind the button '{words}'")

    def button(self, words):
        buttons = self.driver.find_elements(By.CSS_SELECTOR, "button, input[type=submit]")
        for button in buttons:
            if words in (button.text or button.get_attribute("value") or "").lower():
                return button
        raise NoSuchElementException(f"no button has the words {words}")

    def awaits(self, selector):
        """Whether such an element appears."""
        return bool(eventually(lambda: steadily(lambda: self.driver.find_elements(By.CSS_SELECTOR, selector))))

    def text(self):
        return steadily(lambda: self.driver.execute_script("return document.body.innerText"))

    def state(self):
        """The first word of the page that names a state."""
        found = re.search(rf"\b({'|'.join(STATES)})\b", self.text().lower())
        return found[1] if found else ""

    def code(self, theme="light", width=1000):
        """The code that a camera reads from the screen."""
        media = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        self.driver.set_window_size(width, 1200)
        return eventually(self.scanned)

    def scanned(self):
        steadily(lambda: self.driver.save_screenshot(str(self.picture)))
        return subprocess.run(
            [self.scanner, "--raw", self.picture], capture_output=True, check=False).stdout


def check_answer(page):
    """The headers of the page."""
    with urllib.request.urlopen(page.driver.current_url) as answer:
        headers, html = answer.headers, answer.read().decode()
    policy = headers.get("Content-Security-Policy", "")
    told("a strict policy", "default-src 'none'" in policy and "unsafe" not in policy, policy)
    told("it is not cached", "no-store" in headers.get("Cache-Control", ""), headers)
    told("no script", "<script" not in html.lower() and "javascript:" not in html.lower())
    told("refreshes itself", re.search(r'http-equiv="?refresh', html, re.IGNORECASE))


def check_code(page):
    """Returns the link."""
    link = page.code()
    told("the QR code is read from a screenshot", LINK.fullmatch(link), link[:60])
    for theme, width in (("dark", 1000), ("light", 500), ("dark", 500)):
        told(f"also {theme} and {width} pixels wide", page.code(theme, width) == link)
    return link


def check_hostile(page):
    person = {**PERSON, "family name": "<b id=injected>O'Neil & \"Co\"</b>",
              "mail": "<img id=injected src=x>@example.org"}
    # The browser would not send an invalid e-mail address.
    page.enrol(person, check=False)
    told("refuses markup in names", page.awaits("[role=alert]"))
    fields = [page.field(words).get_attribute("value") for words in ("family name", "mail")]
    told("shows it as text", fields == [person["family name"], person["mail"]], fields)
    told("markup is no markup", not page.driver.find_elements(By.ID, "injected"))


def check_new_code(page, link):
    try:
        page.press("new code")
    except NoSuchElementException:
        told("offers a new code", False, page.text())
        return
    other = page.code()
    told("a new code is another one", LINK.fullmatch(other) and other != link, other[:60])


def follow(page, states, phone):
    """Runs the phone, and reads the page meanwhile."""
    states.write_text("")
    seen, end = [], time.monotonic() + PROGRAM_PATIENCE
    with subprocess.Popen(phone, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            while process.poll() is None and time.monotonic() < end:
                state = page.state()
                if state and seen[-1:] != [state]:
                    seen.append(state)
                    states.write_text("".join(name + "\n" for name in seen))
                time.sleep(0.1)
        finally:
            process.kill()
        output = process.communicate()[0]
    told("the phone that scanned it has a PID", process.returncode == 0, output[-1500:])
    told("it turned to claimed and to proofed by itself", seen == ["issued", "claimed", "proofed"], seen)


def check(page, options):
    page.enrol(PERSON)
    told("an account is created", page.state() == "issued", page.text())
    check_answer(page)
    check_new_code(page, check_code(page))
    told("no e-mail address is on the screen", PERSON["mail"] not in page.text(), page.text())
    if options.phone:
        page.code()
        follow(page, options.states, options.phone)
    check_hostile(page)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("scanner")
    parser.add_argument("pictures")
    parser.add_argument("states", type=pathlib.Path)
    parser.add_argument("phone", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    driver = browser("--window-size=1000,1200")
    try:
        check(Page(driver, options.url, options.scanner, options.pictures), options)
    except WebDriverException as problem:
        # Without the native stack trace.
        where = "".join(traceback.format_tb(problem.__traceback__))
        told("the browser can be driven", False, f"{problem.msg}\n{where}")
    finally:
        driver.quit()


if __name__ == "__main__":
    sys.exit(main())
