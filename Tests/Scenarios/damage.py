#!/usr/bin/env python3
"""Damages the storage of a wallet.

    damage.py STORAGE_DIRECTORY [TABLE/]NAME   one sealed value; the table is "account" if none is named
    damage.py STORAGE_DIRECTORY --grown        adds damaged entries to the history, more than SQLite keeps in memory
    damage.py STORAGE_DIRECTORY --failing      spoils what those entries take of the file, also while it is in use

The wallet must not run, but for the last.
"""
import os
import sqlite3
import sys

PAGE = 4096
# SQLite keeps 2 MB of a file in memory. An entry of this size fills whole pages of its own.
ENTRIES, FILLING = 600, b"\xa5" * 2 * PAGE


def damage(database, path):
    table, _, name = path.rpartition("/")
    if table not in ("", "account", "vault", "slot"):
        sys.exit(f"no such table: {table}")
    with database:
        changed = database.execute(
            f"UPDATE {table or 'account'} SET value = zeroblob(64) WHERE name = ?", (name,))
    return changed.rowcount == 1


def grow(database):
    with database:
        database.executemany(
            "INSERT INTO vault(name, value) VALUES(?, ?)",
            ((f"activity.{number:020}", FILLING) for number in range(1, ENTRIES + 1)))
    return database.execute("PRAGMA page_size").fetchone() == (PAGE,)


def spoil(file):
    """A page of an entry has the number of the next one, and then only filling."""
    with open(file, "r+b") as opened:
        numbers = [number for number, page in enumerate(iter(lambda: opened.read(PAGE), b""))
                   if page[4:] == FILLING[:PAGE - 4]]
        for number in numbers:
            opened.seek(number * PAGE)
            opened.write(b"\xff" * PAGE)
    return len(numbers) >= ENTRIES


directory, how = sys.argv[1:]
path = os.path.join(directory, "wallet.db")
if how == "--failing":
    sys.exit(not spoil(path))
database = sqlite3.connect(path)
is_done = grow(database) if how == "--grown" else damage(database, how)
database.close()  # which moves what is in the log into the file
sys.exit(not is_done)
