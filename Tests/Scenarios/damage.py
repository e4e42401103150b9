#!/usr/bin/env python3
"""Damages one sealed value of a wallet that is not running.

    damage.py STORAGE_DIRECTORY [TABLE/]NAME      the table is "account" if none is named
"""
import os
import sqlite3
import sys

directory, path = sys.argv[1:]
table, _, name = path.rpartition("/")
if table not in ("", "account", "vault", "slot"):
    sys.exit(f"no such table: {table}")
database = sqlite3.connect(os.path.join(directory, "wallet.db"))
with database:
    changed = database.execute(
        f"UPDATE {table or 'account'} SET value = zeroblob(64) WHERE name = ?", (name,))
sys.exit(changed.rowcount != 1)
