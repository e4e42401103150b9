// SPDX-License-Identifier: Apache-2.0
/* One request of the HTTP bridge, carried out by libcurl. */
#ifndef HTTP_TRANSFER_H
#define HTTP_TRANSFER_H

#include <stdatomic.h>

#include <wallet_core.h>

/** A copy of a request, because a stack may still work on it when the library has given it up. */
typedef struct http_transfer {
  uint64_t call;
  /** Set by any thread: ends the transfer soon. */
  atomic_int is_cancelled;
  wallet_core_http_request request;
} http_transfer;

/** Copies the request; NULL if there is no memory. */
http_transfer *http_transfer_new(uint64_t call, const wallet_core_http_request *request);

/** Carries the request out and replies. */
void http_transfer_run(http_transfer *transfer);

/** Frees the copy, and wipes its body. */
void http_transfer_free(http_transfer *transfer);

#endif
