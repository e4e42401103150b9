"""What is compared, what is only reported, and the reasons for missed goals.

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
    """One line of a table: its key in the measures, and whether more is better."""

    key: str
    title: str
    unit: str
    more: bool = False
    reason: str = ""


GUARDED = (
    "The library keeps each record in guarded memory: on its own page before an inaccessible one, locked, never"
    " dumped, wiped, and read-only once filled, which alone takes two system calls for each record. It also decrypts"
    " each record again, while SQLCipher has the decrypted pages of the previous read in ordinary memory; with more"
    " records than its cache can take it must decrypt them again, and becomes slower. Guarded memory and sealing are"
    " intended and stay."
)
CHECK = (
    "The library reads the whole database at every opening and refuses a damaged one (`quick_check` and the length of"
    " the file), so this grows with the file; the others find damage only when they read it. This is the cost of"
    " STORAGE_CORRUPT at start-up. A wallet has a few cards, for which it is a fraction of a millisecond."
)
HAND_OVERS = (
    "Both pass one event to each client, but a choice first runs the tables of the flows and creates the step: title,"
    " message, choices, trail. The limit passes on a number. The step is created once for all clients, so its share"
    " falls as the number of clients grows."
)
LOOK = (
    "A completion passes two threads as in the limit, with the same two looks into the directory. In addition a"
    " request has a cancellation and a lock epoch, checks whether a wipe must be completed, and notifies the flows of"
    " possible changes, which the worker then checks. Requests of one kind go through one worker, in order;"
    " aries-askar reads a name in memory, on as many threads as there are cores."
)
REBIND = (
    "A take-over also ends the former client, locks the wallet, and starts a thread that can run host code. The goal"
    " is 100 ms."
)
CALL = (
    "An atomic load and the check that this is not the child of a fork, while the limit and SQLCipher's version"
    " function return at once: about two nanoseconds."
)
SIGNATURE = "The message is copied once and the signature is a Swift array."

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
    Row("sign", "an Ed25519 signature", "us", reason=SIGNATURE),
    Row("call", "the cheapest call", "ns", reason=CALL),
]
DELIVERY = [
    Row(f"{way} {clients} {kind}", f"{title}, {clients} client{'s' * (clients > 1)}, {what}", unit, more, HAND_OVERS)
    for way, title in (("callback", "step by callback"), ("pull", "step by pull"))
    for clients in (1, 2, 4, 8)
    for kind, what, unit, more in (
        ("median", "median", "us", False),
        ("p99", "99th percentile", "us", False),
        ("rate", "events per second", "/s", True),
    )
]
REQUESTS = [
    Row(f"request {threads} {kind}", f"request to completion, {threads} thread{'s' * (threads > 1)}, {what}", unit, more, LOOK)
    for threads in (1, 2, 4, 8)
    for kind, what, unit, more in (
        ("median", "median", "us", False),
        ("p99", "99th percentile", "us", False),
        ("rate", "per second", "/s", True),
    )
] + [
    Row("rebind median", "rebind: take-over to all four values, median", "us", reason=REBIND),
    Row("rebind p99", "rebind, 99th percentile", "us", reason=REBIND),
]
AT_REST = [
    Row("load", "dlopen to the return of the first call", "us"),
    Row("size", "the library's file", "B"),
    Row("resident load", "memory after loading", "B"),
    Row("private load", "of that, held by no file", "B"),
    Row("private store", "and with an open store of 100 records", "B"),
]
