#!/usr/bin/env python3
"""Tests the phone in a pseudo-terminal: drawing, keys, a kill, and that the terminal is restored.

    terminal.py PHONE CONFIGURATION_FILE STATE_DIRECTORY

PHONE_PICTURES names a directory with the pictures of Examples/samples/make-samples.sh, PHONE_PARTY that of a relying
party whose authorities the provider has.
Prints a line per check, in the form that Tests/ABI/run.sh counts.
"""
import os
import pathlib
import signal
import subprocess
import sys

from phone_in_terminal import Phone, check

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Hosts"))
from party import Party  # noqa: E402


def use(phone):
    check("the first step is drawn", phone.shows("introduction-1", "Your wallet", "[n] Next"), phone)
    phone.press("s")
    check("a key chooses an action", phone.shows("privacy-considerations"), phone)
    phone.press("n")
    phone.shows("choose-pin")
    phone.press("4711")
    check("a PIN is drawn as dots", phone.shows("(*) (*) (*) (*) ( ) ( )"), phone)
    check("a PIN is never echoed", "4711" not in phone.text, phone)
    phone.press("H")
    check("the home button puts the app in the background", phone.shows("in the background"), phone)
    phone.press("H")
    check("the home button returns without the typed digits", phone.shows("choose-pin", "( ) ( ) ( )"), phone)
    phone.press("471108")
    phone.shows("repeat-pin")
    phone.press("471108")
    phone.shows("configure-biometrics")
    phone.press("e")
    check("the sensor prompts", phone.shows("confirm-biometrics", "[r] recognised"), phone)
    phone.press("r")
    check("a finger confirms", phone.shows("setup-done"), phone)
    hold_pictures(phone)
    obtain_pid(phone)
    phone.choose("Back")
    party = Party(os.environ["PHONE_PARTY"])
    share(phone, party)
    read_history(phone)
    party.end()
    phone.press("K")
    check("after a kill the app starts again", phone.shows("scan-biometrics", " locked"), phone)
    phone.press("E")
    check("a new engine finds the wallet locked", phone.shows("has taken over", " locked"), phone)
    misfits = phone.misfits()
    check("every screen fits a terminal of 80 by 24", not misfits, phone)
    phone.press("Q")
    check("Q switches the phone off", phone.ends() == 0, phone)
    check("Q restores the terminal", phone.is_restored(), phone)


def hold_pictures(phone):
    pictures = os.environ["PHONE_PICTURES"]
    for label in ("Next", "Later", "Scan QR code", "Granted", "Show a picture"):
        phone.choose(label)
    check("the camera asks for a picture", phone.shows("Which picture"), phone)
    check("the camera says how to get pictures", phone.shows("There are no pictures", "--applicant"), phone)
    phone.press(f"{pictures}/nothing.png\r")
    check("the camera says that a picture has no code", phone.shows("no code in the picture"), phone)
    phone.choose("Show a picture")
    phone.press(f"{pictures}/no-such-picture.png\r")
    check("the camera names a missing picture", phone.shows("/no-such-picture.png: No such file"), phone)
    phone.choose("Show a picture")
    phone.press(f"{pictures}/poster.png\r")
    check("a scanned code answers the step", phone.shows("invalid-qr"), phone)


def show(phone, picture):
    phone.choose("Show a picture")
    phone.shows("Which picture")
    phone.press(f"{os.environ['PHONE_PICTURES']}/{picture}\r")


def obtain_pid(phone):
    subprocess.run([os.environ["PHONE_PROVIDER"], "enrol"], check=True)
    phone.choose("OK")
    show(phone, "enrolment-code.png")
    check("the account is asked for", phone.shows("Is this your account?", "@rowan.example"), phone)
    phone.choose("Scan licence")
    phone.shows("scan-licence ")
    show(phone, "licence-damaged.png")
    check("a barcode that cannot be read is reported", phone.shows("seen but not read"), phone)
    phone.choose("Scan again")
    phone.shows("scan-licence ")
    show(phone, "applicant.png")
    check("the PIN is asked for before the PID", phone.shows("receive-with-pin"), phone)
    phone.press("471108")
    check("a licence leads to a PID", phone.shows("wallet-ready"), phone)
    phone.choose("Continue")
    check("the dashboard has a card", phone.shows("dashboard", "[#] Digital ID"), phone)
    phone.choose("Show card")
    check("the card shows the person's data", phone.shows("Rowan", "Imogen Elspeth", "1988-03-14"), phone)
    check("the card says how the identity was proven", phone.shows("a driver's licence", "Valid until"), phone)
    is_even = all(len(line) == 78 for line in phone.screen().splitlines() if line.startswith("  |"))
    check("all lines have the same width", is_even, phone)


def open_link(phone, link):
    phone.press("L")
    phone.shows("Which link?")
    phone.press(f"{link}\r")


def share(phone, party):
    """Shares something by a link that comes while the wallet is locked, and refuses another request."""
    phone.choose("Lock")
    phone.shows("open-with-pin", " locked")
    open_link(phone, party.ask({"claims": [["given_name"], ["age_equal_or_over", "18"]]}))
    check("the unlock says that a request waits",
          phone.shows("open-with-pin", "A request for your data waits", " locked"), phone)
    phone.press("471108")
    check("after the unlock it comes", phone.shows("approve-sharing", "given_name, age_equal_or_over.18"), phone)
    phone.choose("Share")
    phone.shows("confirm-with-pin")
    phone.press("471108")
    check("the PIN shares the data", phone.shows("sharing-done"), phone)
    party.answered()
    phone.choose("See activity")
    check("what was shared is shown at once",
          phone.shows("activity-details", "sharing data, shared", "Example Shop", "given_name"), phone)
    phone.choose("Back")
    phone.choose("Close")
    phone.choose("Done")
    phone.shows("dashboard")
    open_link(phone, party.ask({"claims": [["family_name"]]}))
    phone.shows("approve-sharing")
    phone.choose("Stop")
    phone.choose("Yes, stop")
    party.answered(error="access_denied")
    phone.shows("sharing-stopped")


def read_history(phone):
    phone.choose("Close")
    phone.choose("Activities")
    check("the history has both, the newest first",
          phone.shows("activities", "1  20", "you stopped", "2  20", "Example Shop"), phone)
    phone.choose("See activity")
    phone.shows("The number of which one?")
    phone.press("9\r")
    check("a number that is none changes nothing", phone.shows("activities", "you stopped"), phone)
    phone.choose("See activity")
    phone.press("2\r")
    check("one of them is shown",
          phone.shows("activity-details", "sharing data, shared", "Digital ID: given_name"), phone)
    phone.choose("About the organisation")
    check("with who asked", phone.shows("about-organisation", "Example Shop", "localhost"), phone)
    phone.choose("Back")
    phone.choose("View the data")
    check("and what", phone.shows("requested-data", "age_equal_or_over.18"), phone)
    for _ in range(3):
        phone.choose("Back")
    phone.shows("dashboard")


def main():
    command = sys.argv[1:]
    use(Phone(*command))
    for number in (signal.SIGTERM, signal.SIGHUP):
        phone = Phone(*command)
        phone.shows("[r] recognised")
        phone.process.send_signal(number)
        holds = phone.ends() == -number and phone.is_restored()
        check(f"{number.name} ends the phone and restores the terminal", holds, phone)


main()
