/* libpq, with wrappers for macros that Swift cannot import. */
#ifndef WALLET_POSTGRESQL_SHIM_H
#define WALLET_POSTGRESQL_SHIM_H

#include <libpq-fe.h>
#include <stdbool.h>
#include <string.h>

/* Returns the five characters of the SQLSTATE of a result; NULL if it has none. */
static inline const char *wallet_pg_sqlstate(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

/* Returns the primary message of an error, without the detail, which may quote rows. */
static inline const char *wallet_pg_message(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

/* Whether a notice says that the wait for the synchronous standby was ended. The name of the server's function is the
   same in every language and version. */
static inline bool wallet_pg_ends_wait_for_standby(const PGresult *notice) {
  const char *function = PQresultErrorField(notice, PG_DIAG_SOURCE_FUNCTION);
  return function && strcmp(function, "SyncRepWaitForLSN") == 0;
}

#endif
