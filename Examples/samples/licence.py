#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the barcode content of an invented driver's licence in the layout of the AAMVA card standard.

    licence.py --family-name ROWAN --given-names IMOGEN --birth-date 1988-03-14 > licence.aamva

For tests and demonstrations: the content proves nothing, and a provider that asks the issuer learns that
there is no such licence.
"""

import argparse
import datetime
import sys

SEPARATOR, RECORD_SEPARATOR, TERMINATOR = "\n", "\x1e", "\r"

# Number: state, country, city, postal code.
ISSUERS = {
    636000: ("VA", "USA", "RICHMOND", "23220"),
    636001: ("NY", "USA", "ALBANY", "12207"),
    636012: ("ON", "CAN", "OTTAWA", "K1P 1J1"),
    636014: ("CA", "USA", "SACRAMENTO", "95814"),
}


def years_later(day, years):
    """The same day years later; 29 February becomes the 28th if there is none."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return day.replace(year=day.year + years, day=28)


def date_text(day, version, country):
    """The day in the card's order: year first in the first edition, and in Canada since the third; else month first."""
    is_year_first = version == 1 or (version >= 3 and country == "CAN")
    return day.strftime("%Y%m%d" if is_year_first else "%m%d%Y")


def privileges(version):
    """Class, restrictions and endorsements, which only drivers' licences have."""
    names = ("DAR", "DAS", "DAT") if version == 1 else ("DCA", "DCB", "DCD")
    return list(zip(names, ("D", "NONE", "NONE")))


def names(card):
    given, _, middle = card.given_names.partition(" ")
    if card.version == 1:
        parts = [card.family_name, given, *middle.split()]
        return [("DAA", ",".join(parts))]
    if card.version <= 3:
        return [("DCS", card.family_name), ("DCT", ",".join(card.given_names.split())), ("DCU", "")]
    return [
        ("DCS", card.family_name), ("DDE", "N"), ("DAC", given), ("DDF", "N"),
        ("DAD", ",".join(middle.split()) or "NONE"), ("DDG", "N")]


def dates(card, country):
    return [
        (name, date_text(day, card.version, country))
        for name, day in (("DBD", card.issue_date), ("DBB", card.birth_date), ("DBA", card.expiry_date))]


def looks(version):
    """Sex, and since the second edition eye colour and height."""
    if version == 1:
        return [("DBC", "F")]
    return [("DBC", "2"), ("DAY", "GRN"), ("DAU", "068 in")]


def address(state, city, postal_code, country):
    code = postal_code if country == "CAN" else postal_code + "0000"
    return [("DAG", "17 EXAMPLE ROW"), ("DAI", city), ("DAJ", state), ("DAK", code.ljust(11))]


def document(card, country):
    """What identifies the card besides its number, since the second edition."""
    if card.version == 1:
        return []
    elements = [("DCF", "2024A0047110815"), ("DCG", "CDN" if (card.version, country) == (2, "CAN") else country)]
    if card.version == 2:
        elements.append(("DCE", "4"))
    if card.version <= 3 and card.kind != "ID":
        elements.append(("DCH", "NONE"))
    return elements


def content(card):
    state, country, city, postal_code = ISSUERS[card.issuer]
    elements = [
        ("DAQ", card.number),
        *([] if card.kind == "ID" else privileges(card.version)),
        *names(card),
        *dates(card, country),
        *looks(card.version),
        *address(state, city, postal_code, country),
        *document(card, country),
    ]
    kept = [name + value for name, value in elements if name not in card.omit]
    own = "Z" + state[0]  # the jurisdiction's subfile
    return framed(card, [(card.kind, kept), (own, [own + "A" + "SAMPLE"])])


def framed(card, subfiles):
    """The subfiles after a header with exact offsets and lengths."""
    numbers = f"{card.issuer:06}{card.version:02}"
    if card.version > 1:
        numbers += "00"
    start = f"@{SEPARATOR}{RECORD_SEPARATOR}{TERMINATOR}ANSI {numbers}{len(subfiles):02}"
    offset = len(start) + 10 * len(subfiles)
    designators = body = ""
    for kind, elements in subfiles:
        text = kind + SEPARATOR.join(elements) + TERMINATOR
        counted = len(text) - (card.version == 1)  # the first edition did not count the terminator
        designators += f"{kind}{offset:04}{counted:04}"
        offset += len(text)
        body += text
    return (start + designators + body).encode("iso-8859-1")


def arguments():
    day = datetime.date.fromisoformat
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n")[0],
        epilog="Dates are YYYY-MM-DD. Issuers: " + ", ".join(f"{n} {i[0]}" for n, i in ISSUERS.items()))
    parser.add_argument("--version", type=int, choices=range(1, 11), default=10, metavar="1..10")
    parser.add_argument("--kind", choices=["DL", "ID", "EN"], default="DL")
    parser.add_argument("--issuer", type=int, choices=ISSUERS, default=636000, metavar="NUMBER")
    parser.add_argument("--family-name", required=True)
    parser.add_argument("--given-names", required=True, help="the first name, then others, separated by blanks")
    parser.add_argument("--birth-date", type=day, required=True)
    parser.add_argument("--expiry-date", type=day, help="four years from today by default")
    parser.add_argument("--issue-date", type=day, help="five years before the expiry by default")
    parser.add_argument("--number", default="T64235789")
    parser.add_argument("--omit", action="append", default=[], help="an element to leave out, e.g. DBB")
    card = parser.parse_args()
    card.expiry_date = card.expiry_date or years_later(datetime.date.today(), 4)
    card.issue_date = card.issue_date or years_later(card.expiry_date, -5)
    return card


if __name__ == "__main__":
    sys.stdout.buffer.write(content(arguments()))
