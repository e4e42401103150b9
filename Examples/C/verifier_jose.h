// SPDX-License-Identifier: Apache-2.0
/* Base64, digests and signatures of JSON, as JOSE has them; of the algorithms ES256 alone. */
#ifndef VERIFIER_JOSE_H
#define VERIFIER_JOSE_H

#include <jansson.h>
#include <openssl/evp.h>
#include <stddef.h>

enum { DIGEST_BYTES = 44, SIGNATURE_BYTES = 64 };

/* A compact JWS. `text` is the caller's. */
struct jws {
  json_t *header, *claims;
  const char *text;
  size_t signed_length;
  unsigned char signature[SIGNATURE_BYTES];
};

/*
 * Decodes base64url without padding, or base64 with it if `is_url` is 0. Returns memory to be freed with
 * free(), or NULL for anything that the encoder would have written otherwise.
 */
unsigned char *base64_decode(const char *text, size_t length, int is_url, size_t *decoded);

/* Reads an object or array of JSON in base64url without padding. Returns NULL for anything else. */
json_t *base64_json(const char *text, size_t length);

/* The SHA-256 of a text in base64url, with its end. Returns 0, or -1 if libcrypto fails. */
int digest_of(const char *text, size_t length, char digest[DIGEST_BYTES]);

/*
 * Reads a JWS of that type whose header says ES256 and has no `crit`. Returns 0, or -1 for anything else.
 * Frees nothing of the caller's; `jws` is to be freed in both cases.
 */
int jws_read(struct jws *jws, const char *text, size_t length, const char *type);
void jws_free(struct jws *jws);

/* 1 if that key has signed it. */
int jws_is_signed(const struct jws *jws, EVP_PKEY *key);

/* The key in a JWK of P-256, to be freed with EVP_PKEY_free(); NULL for any other. */
EVP_PKEY *jwk_key(const json_t *jwk);

/* 1 if an ES256 signature can be checked with the key. */
int is_p256(const EVP_PKEY *key);

#endif
