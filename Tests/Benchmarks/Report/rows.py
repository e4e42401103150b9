"""What is compared, what is only told, and why a goal is missed where it is.

The goal of a compared row: ahead of every peer, and within LIMIT times of plain C where that exists.
"""

from dataclasses import dataclass

LIMIT = 1.2

SUBJECTS = {
    "ours": "wallet_core",
    "askar": "aries-askar",
    "sqlcipher": "SQLCipher",
    "limit": "plain C",
    "unguarded": "plain C, ordinary memory",
}
PEERS = ("askar", "sqlcipher")


@dataclass(frozen=True)
class Row:
    """One line: its key in the measures, and whether more is better."""

    key: str
    title: str
    unit: str
    more: bool = False
    reason: str = ""


GUARDED = (
    "The limit keeps each record in guarded memory as the core does (a mapping of its own between pages"
    " that nobody may touch, locked, wiped), and aries-askar and SQLCipher keep it in ordinary memory, which"
    " the column at the right is the limit of: the guard is most of the difference, and it is wanted."
)
CHECK = (
    "The core reads the whole database once at every opening and refuses a damaged one (`quick_check`, and the"
    " length of the file); the peers and the limit find damage when they step on it. It grows with the file"
    " and is the price of the status STORAGE_CORRUPT at start-up."
)
HAND_OVERS = (
    "A choice goes through the flows' thread, which walks the tables, makes the step with its texts and hands it"
    " to each client; the limit's thread hands on a number. What is not hand-over is the step itself."
)
LOOK = (
    "A request carries a cancellation, an epoch of the lock and an outcome that the flows hear of as well, and"
    " looks into the storage directory; askar's cheapest call reads a name in memory."
)
REBIND = (
    "A take-over also locks the wallet, has the flows show the step anew to whoever attached, and starts a"
    " thread with a stack for host code; the promise is 100 ms."
)

STORE = [
    *(
        Row(f"open {count}", f"open with the raw key, {count} records, read one", "us", reason=CHECK)
        for count in (1, 100, 1000)
    ),
    *(Row(f"seal {count}", f"seal {count} records, one commit", "us", reason=GUARDED) for count in (1, 100, 10000)),
    *(Row(f"read {count}", f"read {count} records", "us", reason=GUARDED) for count in (1, 100, 10000)),
]
KEYS = [
    Row("password", "derive (Argon2id, 3 passes, 64 MiB), open 100 records, read one", "us", reason=CHECK),
    Row("derive", "the derivation alone", "us"),
    Row("sign", "an Ed25519 signature", "us"),
    Row("call", "the cheapest call", "ns", reason="An atomic load and a check that the process was not forked."),
]
DELIVERY = [
    Row(f"{door} {clients} {kind}", f"{title}, {clients} client{'s' * (clients > 1)}, {what}", unit, more, HAND_OVERS)
    for door, title in (("callback", "step by callback"), ("pull", "step by pull"))
    for clients in (1, 2, 4, 8)
    for kind, what, unit, more in (
        ("median", "median", "us", False),
        ("p99", "99 of 100", "us", False),
        ("rate", "events per second", "/s", True),
    )
]
REQUESTS = [
    Row(f"request {threads} {kind}", f"request to completion, {threads} thread{'s' * (threads > 1)}, {what}", unit, more, LOOK)
    for threads in (1, 2, 4, 8)
    for kind, what, unit, more in (
        ("median", "median", "us", False),
        ("p99", "99 of 100", "us", False),
        ("rate", "per second", "/s", True),
    )
] + [
    Row("rebind median", "rebind: take-over to all four values, median", "us", reason=REBIND),
    Row("rebind p99", "rebind, 99 of 100", "us", reason=REBIND),
]
AT_REST = [
    Row("load", "dlopen to the return of the first call", "us"),
    Row("size", "the library's file", "B"),
    Row("resident load", "memory after loading", "B"),
    Row("private load", "of that, held by no file", "B"),
    Row("private store", "and with an open store of 100 records", "B"),
]
