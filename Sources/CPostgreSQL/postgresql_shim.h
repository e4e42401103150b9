/* libpq, with wrappers for macros that Swift cannot import. */
#ifndef WALLET_POSTGRESQL_SHIM_H
#define WALLET_POSTGRESQL_SHIM_H

#include <libpq-fe.h>

/* Returns the five characters of the SQLSTATE of a result; NULL if it has none. */
static inline const char *wallet_pg_sqlstate(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

/* Returns the primary message of an error, without the detail, which may quote rows. */
static inline const char *wallet_pg_message(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

#endif
