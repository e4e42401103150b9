#!/usr/bin/env python3
"""Uses the phone in a terminal as a newcomer: from its start to a digital ID, guided only by its screens.

    newcomer.py PHONE_SCRIPT WALLET_PROVIDER BUILD_DIRECTORY

PHONE_SCRIPT is Examples/C/phone.sh, which this starts with --applicant. Prints a line per check.
"""
import re
import sys

from phone_in_terminal import Phone, check

PIN = "471108"
UP, F2 = "\x1b[A", "\x1bOQ"


def show_picture(phone, name):
    """Shows a picture to the camera by its number in the list."""
    phone.choose("Show a picture")
    phone.shows("Which picture", name)
    number = re.search(rf"(\d)  {re.escape(name)} ", phone.screen())
    phone.press(f"{number[1] if number else ''}\r")


def set_up(phone):
    check("--applicant says where the pictures are",
          phone.shows("introduction-1", "For the camera, at \"Show a picture\": /"), phone)
    phone.press(UP + F2)
    phone.choose("Next")
    check("arrows and function keys do nothing", phone.shows("introduction-2", " online "), phone)
    for step in ("introduction-1", "introduction-2", "introduction-3"):
        phone.choose("Back" if step == "introduction-1" else "Next")
        phone.shows(step)
    phone.choose("Next")
    phone.shows("privacy-considerations")
    phone.choose("Next")
    phone.shows("choose-pin")
    phone.press(PIN)
    phone.shows("repeat-pin")
    phone.press(PIN)
    phone.shows("configure-biometrics")
    phone.choose("Skip")
    phone.shows("setup-done")
    phone.choose("Next")


def get_id(phone):
    phone.shows("proofing-start")
    phone.choose("Scan QR code")
    show_picture(phone, "enrolment-code.png")
    check("the consent is split under headings",
          phone.shows("confirm-account", "| What is sent ", "| What is kept ", "| Your choice "), phone)
    phone.choose("Scan licence")
    show_picture(phone, "licence.png")
    check("the PIN is asked for before the digital ID",
          phone.shows("receive-with-pin", "Your digital ID is ready"), phone)
    phone.press(PIN)
    check("the pictures that were made lead to a digital ID",
          phone.shows("wallet-ready", "Your digital ID is in your wallet"), phone)
    phone.choose("Continue")
    check("the dashboard shows the digital ID", phone.shows("dashboard", "[#] Digital ID"), phone)


def miss_pin(phone):
    phone.choose("Lock")
    for number, left in enumerate(("3 attempts", "2 attempts", "1 attempt"), start=1):
        phone.shows(" ( ) ( )", "open-with-pin ")
        phone.press(f"90817{number}")
        check(f"wrong PIN {number} tells the attempts left", phone.shows(f"You have {left} left."), phone)
        phone.choose("Close")
    phone.shows(" ( ) ( )", "open-with-pin ")
    phone.press("908174")
    is_blocked = phone.shows("temporarily-blocked")
    offered = re.findall(r"\[.\] ([A-Z]\w+(?: \w+)*)", phone.screen())
    check("a blocked wallet offers its deletion last", is_blocked and offered[-1:] == ["Delete wallet"], phone)


def main():
    phone = Phone(*sys.argv[1:], "--applicant")
    set_up(phone)
    get_id(phone)
    miss_pin(phone)
    keys = re.findall(r"\[(.)\] (Next|Back)\b", phone.text)
    check("Next and Back have the same keys on all screens",
          set(keys) == {("n", "Next"), ("b", "Back")}, phone)
    check("every screen fits a terminal of 80 by 24", not phone.misfits(), phone)
    phone.press("Q")
    check("the script ends when its phone is switched off", phone.ends() == 0, phone)


main()
