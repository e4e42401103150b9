"""What is compared, what is only reported, and why a goal is missed.

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
    "The core keeps each record in guarded memory: a page of its own before an inaccessible one, locked, never"
    " dumped, wiped, and read-only once filled, which alone is two system calls per record. It also opens each record"
    " again, while SQLCipher has the decrypted pages of the previous read in ordinary memory; with more records than"
    " its cache holds SQLCipher has to open them again, and is slower. Guarding and sealing are intended and stay."
)
CHECK = (
    "The core reads the whole database at every opening and refuses a damaged one (`quick_check` and the length of"
    " the file), so this grows with the file; the others find damage when they read it. This is the cost"
    " of STORAGE_CORRUPT at start-up; for the few cards of a wallet it is a fraction of a millisecond."
)
HAND_OVERS = (
    "Both hand over once to each client, and a choice first walks the tables of the flows and makes the step: title,"
    " message, choices, trail. The limit passes a number. The step is made once for all clients, so its share falls"
    " with more clients."
)
LOOK = (
    "A completion passes two threads and makes the same two directory look-ups as the limit. Beyond that a request"
    " has a cancellation and an epoch of the lock, checks for a wipe to finish, and tells the flows that something may"
    " have changed, which they check in the job queue. All requests go through one job queue, in order; aries-askar"
    " reads a name in memory, on as many threads as there are cores."
)
REBIND = (
    "A take-over also ends the previous client, locks the wallet, and starts a thread for host code. The"
    " promise is 100 ms."
)
CALL = (
    "An atomic load and the check that this is not the child of a fork, while the limit, and SQLCipher's version"
    " number, return at once: some two nanoseconds."
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
