#!/usr/bin/python3
"""Reads what Patroni's /cluster answers.

    members.py leader FILE    prints the number of the running leader: 2 for db2; fails if there is none
    members.py whole FILE     succeeds if the three stream on one timeline, one of them synchronously
"""

import json
import sys
from collections import Counter

word, path = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    members = json.load(file).get("members", [])
leaders = [member for member in members if member["role"] == "leader" and member.get("state") == "running"]
if len(leaders) != 1:
    sys.exit(1)
if word == "leader":
    print(leaders[0]["name"].removeprefix("db"))
else:
    roles = Counter(member["role"] for member in members)
    standbys = [member for member in members if member["role"] != "leader"]
    are_same = len({member.get("timeline") for member in members}) == 1
    # Patroni 3.0 says `running` of a standby, later versions `streaming`.
    # Each says its own position, a moment apart.
    are_there = all(
        member.get("state") in ("running", "streaming") and isinstance(lag := member.get("lag"), int) and lag < 1 << 24
        for member in standbys
    )
    if not (roles == {"leader": 1, "sync_standby": 1, "replica": 1} and are_same and are_there):
        sys.exit(1)
