// SPDX-License-Identifier: Apache-2.0
/* Which addresses a request may reach. */
#ifndef HTTP_ADDRESS_H
#define HTTP_ADDRESS_H

#include <sys/socket.h>

#include <wallet_core.h>

/** Whether a request with `reach` may connect to `address`. */
int http_address_is_allowed(const struct sockaddr *address, wallet_core_http_reach reach);

#endif
