/* SQLite, with wrappers for what Swift cannot call: macros that cast and variadic functions. */
#ifndef WALLET_SQLITE_SHIM_H
#define WALLET_SQLITE_SHIM_H

#include <sqlite3.h>

/* Binds a copy of `length` bytes; never NULL in SQL, even if there are no bytes. */
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

/* Returns the errno of the last I/O error, which is in one of three objects; 0 for none. */
static inline int wallet_sqlite_system_errno(sqlite3 *database) {
  int code = sqlite3_system_errno(database);
  if (code != 0) return code;
  sqlite3_file *log = (sqlite3_file *)0;
  sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (log && log->pMethods) log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &code);
  if (code == 0) sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &code);
  return code;
}

#endif
