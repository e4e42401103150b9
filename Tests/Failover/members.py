#!/usr/bin/python3
"""Reads what Patroni's /cluster answers at several machines, a file each.

    members.py leader FILE...    prints the number of the running leader, 2 for db2, if all say the same
    members.py whole FILE...     succeeds if all say of the same leader that two standbys stream from it, one of them
                                 synchronously

A machine that was cut off says for a while what was so before.
"""

import json
import sys
from collections import Counter

# Bytes. Each standby says its own position, a moment apart.
LAG = 1 << 24


def leader(members):
    found = [member["name"] for member in members if member["role"] == "leader" and member.get("state") == "running"]
    return found[0] if len(found) == 1 else None


def is_whole(members):
    standbys = [member for member in members if member["role"] != "leader"]
    return (
        Counter(member["role"] for member in members) == {"leader": 1, "sync_standby": 1, "replica": 1}
        and len({member.get("timeline") for member in members}) == 1
        # Patroni 3.0 says `running` of a standby, later versions `streaming`.
        and all(member.get("state") in ("running", "streaming") for member in standbys)
        and all(isinstance(lag := member.get("lag"), int) and lag < LAG for member in standbys)
    )


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file).get("members", [])


word, *paths = sys.argv[1:]
views = [read(path) for path in paths]
leaders = {leader(view) for view in views}
if len(leaders) != 1 or None in leaders:
    sys.exit(1)
if word == "leader":
    print(leaders.pop().removeprefix("db"))
elif not all(map(is_whole, views)):
    sys.exit(1)
