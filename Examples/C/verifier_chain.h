// SPDX-License-Identifier: Apache-2.0
/* Certificate chains in the header of a JWS, below a trusted authority. */
#ifndef VERIFIER_CHAIN_H
#define VERIFIER_CHAIN_H

#include <jansson.h>
#include <openssl/x509.h>
#include <stdint.h>

/* What the signer at the beginning of the chain signs. */
enum chain_role { CHAIN_OF_ISSUER, CHAIN_OF_STATUS_LIST };

/* The authorities of a PEM file, to be freed with X509_STORE_free(); NULL if it has none. */
X509_STORE *chain_anchors(const char *path);

/*
 * The key of the signer if the chain in `x5c` leads to one of the anchors at that time, in seconds since
 * 1970; to be freed with EVP_PKEY_free(). NULL if not. If `issuer` is not NULL, the signer's certificate
 * has to name it.
 */
EVP_PKEY *chain_key(
    const json_t *x5c, X509_STORE *anchors, enum chain_role role, const char *issuer, int64_t now);

#endif
