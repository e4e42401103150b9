/* libpq, with what Swift cannot import: macros that are characters. */
#ifndef WALLET_POSTGRESQL_SHIM_H
#define WALLET_POSTGRESQL_SHIM_H

#include <libpq-fe.h>

/* The five characters that say what kind of error a result is; NULL where it has none. */
static inline const char *wallet_pg_sqlstate(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

/* The first line of an error, without the detail, which may quote rows. */
static inline const char *wallet_pg_message(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

#endif
