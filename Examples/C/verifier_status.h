// SPDX-License-Identifier: Apache-2.0
/* The status of a credential in the issuer's list (Token Status List). */
#ifndef VERIFIER_STATUS_H
#define VERIFIER_STATUS_H

#include <jansson.h>
#include <openssl/x509.h>
#include <stdint.h>

/*
 * Fetches the list that `status`, a claim of the credential, points to. Returns NULL if the credential is
 * valid, or the reason to refuse it: it is revoked, or no trusted list says that it is not.
 */
const char *status_refusal(const json_t *status, X509_STORE *anchors, int64_t now);

#endif
