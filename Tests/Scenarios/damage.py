#!/usr/bin/env python3
"""Damages one sealed value of a wallet that is not running.

    damage.py STORAGE_DIRECTORY NAME
"""
import os
import sqlite3
import sys

directory, name = sys.argv[1:]
database = sqlite3.connect(os.path.join(directory, "wallet.db"))
with database:
    changed = database.execute("UPDATE account SET value = zeroblob(64) WHERE name = ?", (name,))
sys.exit(changed.rowcount != 1)
