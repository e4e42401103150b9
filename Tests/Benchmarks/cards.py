#!/usr/bin/env python3
"""Makes the storage of a wallet as large as if it had more cards.

    cards.py STORAGE_DIRECTORY COUNT

The wallet has a PID. Its rows are copied under other names until there are COUNT of each. The copies do not open,
and no list names them; but a start looks through the whole file, and opens none of its cards.
"""

import pathlib
import sqlite3
import sys

path = pathlib.Path(sys.argv[1]) / "wallet.db"
database = sqlite3.connect(path)
with database:
    for table, rows in (("account", "name = 'card.pid'"), ("vault", "name = 'card.pid'"), ("slot", "true")):
        found = database.execute(f"SELECT name, value FROM {table} WHERE {rows}").fetchall()
        if not found:
            sys.exit(f"cards: there is no PID in {table}")
        for number in range(1, int(sys.argv[2])):
            database.executemany(
                f"INSERT INTO {table} VALUES (?, ?)", [(f"{name}.{number}", value) for name, value in found])
database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
database.close()
