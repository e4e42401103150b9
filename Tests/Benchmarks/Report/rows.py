"""What is compared, what is only reported, and the reasons for missed goals.

The goal of a compared row: ahead of every peer, and within LIMIT times of plain C where that exists. Where
the peers leave out a part of the work on purpose, only plain C counts.
"""

from dataclasses import dataclass

LIMIT = 1.2

SUBJECTS = {
    "ours": "wallet_core",
    "askar": "aries-askar",
    "sqlcipher": "SQLCipher",
    "limit": "plain C",
    "unguarded": "plain C, ordinary memory",
    "handover": "plain C, the hand-over alone",
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
    races_peers: bool = True


GUARDED = (
    "The library keeps records in guarded memory: before an inaccessible page, locked, never dumped, wiped, and read-only"
    " once filled. Several of one reading share a block of 16 KiB, which is protected and wiped once for all of them. It"
    " also decrypts each record again, while SQLCipher has the decrypted pages of the previous read in ordinary memory;"
    " with more records than its cache can take it must decrypt them again, and becomes slower. To decrypt a record of"
    " 2 KiB alone takes about as long as SQLCipher needs to find and copy one. Guarded memory and sealing are intended"
    " and stay."
)
CHECK = "Beside the check, the library locks its directory and looks at the schema and the length of the file."
HAND_OVERS = (
    "A choice of the library also checks what has changed since the last one (the lock, the version, blocks, links), sets"
    " its alarms, and passes clients that may have callbacks, pull, or be taken over. The step is created once for all"
    " clients, so its share falls as the number of clients grows."
)
LOOK = (
    "A completion passes two threads as in the limit, with the same two looks into the directory. In addition a"
    " request has a cancellation and a lock epoch, and has to wait for a wipe. Requests of one kind go through one worker,"
    " in order, as the header promises; aries-askar reads a name in memory, on as many threads as there are cores."
)
QUESTION = (
    "The library also checks whether the wallet has to be locked by now, which takes the times of the configuration, and"
    " that this is not the child of a fork."
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

COUNTS = (1, 100, 1000, 10000)


def many(records: int) -> str:
    return f"{records:,} record{'s' * (records > 1)}"


STORE = [
    *(
        Row(f"open {count}", f"open with the raw key, {many(count)}, read one", "us", reason=CHECK, races_peers=False)
        for count in COUNTS
    ),
    *(Row(f"seal {count}", f"seal {many(count)}, one commit", "us", reason=GUARDED) for count in COUNTS),
    *(Row(f"read {count}", f"read {many(count)}", "us", reason=GUARDED) for count in COUNTS),
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
    Row("registered", "is a wallet registered, asked without a request", "ns", reason=QUESTION),
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
