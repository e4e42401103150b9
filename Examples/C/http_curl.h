// SPDX-License-Identifier: Apache-2.0
/*
 * A host's own HTTP stack behind the HTTP bridge: libcurl, one thread and one connection for each
 * request. Link with -lcurl and -pthread. The library itself then loads no libcurl.
 */
#ifndef HTTP_CURL_H
#define HTTP_CURL_H

#include <wallet_core.h>

/** Hands the bridge over. Call it before wallet_core_init() and before other threads use the
    environment. */
wallet_core_status http_curl_hand_over(wallet_core_error **error);

#endif
