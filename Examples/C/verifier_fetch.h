// SPDX-License-Identifier: Apache-2.0
/* A document from the web. */
#ifndef VERIFIER_FETCH_H
#define VERIFIER_FETCH_H

#include <stddef.h>

/*
 * Fetches a document of that media type over https; over http from this machine only, which is where
 * examples run. Returns memory to be freed with free(), or NULL.
 */
char *fetch(const char *address, const char *type, size_t *length);

#endif
