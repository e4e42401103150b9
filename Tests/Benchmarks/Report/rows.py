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
    "The core keeps each record in guarded memory: a page of its own before one that nobody may touch, locked, never"
    " dumped, wiped, and read-only once filled, which alone is two system calls for a record. And it opens each record"
    " anew, where SQLCipher has the decrypted pages of the read before in ordinary memory; of more records than its"
    " cache holds it has to open them again, and falls behind. Guard and sealing are wanted and stay."
)
CHECK = (
    "The core reads the whole database at every opening and refuses a damaged one (`quick_check` and the length of"
    " the file), so this grows with the file; the others find damage when they step on it. It is what"
    " STORAGE_CORRUPT at start-up costs; a wallet has a few cards, where it is a fraction of a millisecond."
)
HAND_OVERS = (
    "Both hand over once to each client, and a choice first walks the tables of the flows and makes the step: title,"
    " message, choices, trail. The limit hands on a number. The step is made once for all"
    " clients, so its share falls as clients come."
)
LOOK = (
    "A completion passes two threads as in the limit, and the same two looks into the directory. Beyond that a"
    " request has a cancellation and an epoch of the lock, checks for a wipe to finish, and tells the flows that"
    " something may have changed, which they look at on the worker. All requests go through one worker, in order;"
    " aries-askar reads a name in memory, on as many threads as there are cores."
)
REBIND = (
    "A take-over also ends the client before, locks the wallet, and starts a thread with room for host code. The"
    " promise is 100 ms."
)
CALL = (
    "An atomic load and the check that this is not the child of a fork, where the limit, and SQLCipher's number of"
    " its version, return at once: some two nanoseconds."
)
SIGNATURE = "The message is copied once and the signature is an array of Swift."

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
