/* SQLite, with what Swift cannot call: macros that cast, and functions with variable arguments. */
#ifndef WALLET_SQLITE_SHIM_H
#define WALLET_SQLITE_SHIM_H

#include <sqlite3.h>

/* Binds a copy of `length` bytes; never NULL in SQL, also for no bytes. */
static inline int wallet_sqlite_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, int length) {
  return sqlite3_bind_blob(statement, index, bytes ? bytes : "", length, SQLITE_TRANSIENT);
}

/* Binds a copy of the text of `length` bytes in UTF-8. */
static inline int wallet_sqlite_bind_text(
    sqlite3_stmt *statement, int index, const char *text, int length) {
  return sqlite3_bind_text(statement, index, text ? text : "", length, SQLITE_TRANSIENT);
}

/* Turns a boolean option of a connection on or off. */
static inline int wallet_sqlite_set_option(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

#endif
