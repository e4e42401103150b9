"""Pairs of presented copies that share one thing, which the comparison has to find."""

import json

from pid_issuer import LIST_ENTRIES, Issuer, decoded, encoded


def pair(change):
    """Presentations of two copies, made alike by `change`, which gets their drafts."""
    issuer = Issuer()
    first, second = issuer.draft(), issuer.draft()
    second.payload["status"]["status_list"]["idx"] = (first.index + 1) % LIST_ENTRIES
    change(first, second)
    for draft in (first, second):
        draft.shown = list(draft.disclosures.values())
    return [first.presentation(), second.presentation()]


def payload(*path):
    """The second gets the first one's member at that path."""
    def change(first, second):
        there, here = first.payload, second.payload
        for step in path[:-1]:
            there, here = there[step], here[step]
        here[path[-1]] = there[path[-1]]
    return change


def disclosures(first, second):
    second.disclosures = first.disclosures


def salt(first, second):
    text = json.loads(decoded(first.disclosures["birthdate",]))[0]
    second.disclosures["given_name",] = encoded([text, "given_name", "Imogen"])


def members(part, one, other):
    """A member of each in one part of the card or of the binding."""
    def change(first, second):
        getattr(first, part).update(one)
        getattr(second, part).update(other)
    return change


ALIKE = {
    "a holder's key": payload("cnf"),
    "an index": payload("status", "status_list", "idx"),
    "digests": payload("age_equal_or_over"),
    "disclosures": disclosures,
    "a salt of another claim": salt,
    "a number that nobody knows": members("payload", {"batch": 7}, {"batch": 7}),
    "a text in another place": members("payload", {"a": "text"}, {"b": ["text"]}),
    "a kid": members("header", {"kid": "1"}, {"kid": "1"}),
    "a kid of the binding": members("binding_header", {"kid": "1"}, {"kid": "1"}),
    "an id in the binding": members("binding", {"wallet": "1"}, {"wallet": "1"}),
}
