// SPDX-License-Identifier: Apache-2.0
/* What a verifier checks, in this order: the issuer, the holder, the claims, the times, the status. */
#include "verifier.h"

#include <jansson.h>
#include <openssl/rand.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verifier_chain.h"
#include "verifier_claims.h"
#include "verifier_jose.h"
#include "verifier_status.h"

enum { CLOCK_DIFFERENCE = 60, PRESENTATION_SECONDS = 300 };

/* The three parts of a presentation; `bound` is all that comes before the key binding. */
struct parts {
  const char *credential, *disclosures, *binding;
  size_t credential_length, disclosures_length, binding_length, bound_length;
};

static int split(const char *presentation, struct parts *parts) {
  const char *first = strchr(presentation, '~'), *last = strrchr(presentation, '~');
  if (first == NULL) {
    return -1;
  }
  *parts = (struct parts){
      .credential = presentation,
      .credential_length = (size_t)(first - presentation),
      .disclosures = first + 1,
      .disclosures_length = (size_t)(last - first),
      .binding = last + 1,
      .binding_length = strlen(last + 1),
      .bound_length = (size_t)(last + 1 - presentation),
  };
  return 0;
}

static int has_text(const json_t *object, const char *name, const char *wanted) {
  const char *found = json_string_value(json_object_get(object, name));
  return found != NULL && strcmp(found, wanted) == 0;
}

/* A time that may be missing; 0 if it is there and is none. */
static int is_time(const json_t *claims, const char *name) {
  const json_t *time = json_object_get(claims, name);
  return time == NULL || json_is_integer(time);
}

/* 1 if the claims are of now: issued, valid and not yet expired. */
static int is_current(const json_t *claims, int64_t now) {
  const json_t *expires = json_object_get(claims, "exp");
  return is_time(claims, "iat") && is_time(claims, "nbf") && is_time(claims, "exp") &&
         json_integer_value(json_object_get(claims, "iat")) <= now + CLOCK_DIFFERENCE &&
         json_integer_value(json_object_get(claims, "nbf")) <= now + CLOCK_DIFFERENCE &&
         (expires == NULL || now < json_integer_value(expires));
}

static int is_issued(const struct jws *credential, X509_STORE *anchors, int64_t now) {
  const json_t *issuer = json_object_get(credential->claims, "iss");
  if (issuer != NULL && !json_is_string(issuer)) {
    return 0;
  }
  EVP_PKEY *key = chain_key(
      json_object_get(credential->header, "x5c"), anchors, CHAIN_OF_ISSUER,
      json_string_value(issuer), now);
  const int is_signed = key != NULL && jws_is_signed(credential, key);
  EVP_PKEY_free(key);
  return is_signed;
}

/* Why the key binding is refused, or NULL: the card's key has signed the nonce, for this verifier, now,
 * with what is disclosed. */
static const char *binding_refusal(
    const struct verifier *verifier, const struct parts *parts, const json_t *credential) {
  struct jws binding;
  char digest[DIGEST_BYTES];
  EVP_PKEY *holder = jwk_key(json_object_get(json_object_get(credential, "cnf"), "jwk"));
  const char *reason = NULL;
  if (jws_read(&binding, parts->binding, parts->binding_length, "kb+jwt") != 0 || holder == NULL ||
      !jws_is_signed(&binding, holder)) {
    reason = "its holder did not sign it";
  } else if (
      digest_of(parts->credential, parts->bound_length, digest) != 0 ||
      !has_text(binding.claims, "sd_hash", digest) ||
      !has_text(binding.claims, "aud", verifier->audience)) {
    reason = "it was made for somebody else";
  } else if (!has_text(binding.claims, "nonce", verifier->nonce)) {
    reason = "it answers another question";
  } else if (
      !json_is_integer(json_object_get(binding.claims, "iat")) ||
      json_integer_value(json_object_get(binding.claims, "iat")) <
          verifier->now - PRESENTATION_SECONDS ||
      !is_current(binding.claims, verifier->now)) {
    reason = "it was not made now";
  }
  EVP_PKEY_free(holder);
  jws_free(&binding);
  return reason;
}

/* Members that belong to the credential and say nothing about its holder. */
static void remove_terms(json_t *claims) {
  static const char *const terms[] = {"iss", "vct", "vct#integrity", "aka_vcts", "iat",
                                      "nbf", "exp", "cnf",           "status"};
  for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
    json_object_del(claims, terms[i]);
  }
}

static char *judge(
    const struct verifier *verifier, const struct parts *parts, const struct jws *credential,
    X509_STORE *anchors, const char **reason) {
  if (!is_issued(credential, anchors, verifier->now)) {
    *reason = "its issuer did not sign it";
    return NULL;
  }
  if (!has_text(credential->claims, "vct", verifier->type)) {
    *reason = "it is of another type";
    return NULL;
  }
  *reason = binding_refusal(verifier, parts, credential->claims);
  if (*reason != NULL) {
    return NULL;
  }
  json_t *claims = claims_of(credential->claims, parts->disclosures, parts->disclosures_length);
  if (claims == NULL) {
    *reason = "a claim in it was not issued";
    return NULL;
  }
  *reason = is_current(claims, verifier->now)
                ? status_refusal(json_object_get(claims, "status"), anchors, verifier->now)
                : "it has expired, or is not valid yet";
  char *text = NULL;
  if (*reason == NULL) {
    remove_terms(claims);
    text = json_dumps(claims, JSON_COMPACT | JSON_SORT_KEYS);
    *reason = text == NULL ? "memory is short" : NULL;
  }
  json_decref(claims);
  return text;
}

int verifier_make_nonce(char nonce[VERIFIER_NONCE_BYTES]) {
  unsigned char bytes[(VERIFIER_NONCE_BYTES - 1) / 2];
  if (RAND_bytes(bytes, sizeof bytes) != 1) {
    return -1;
  }
  for (size_t i = 0; i < sizeof bytes; i++) {
    snprintf(nonce + 2 * i, 3, "%02x", bytes[i]);
  }
  return 0;
}

char *verifier_look_at(
    const struct verifier *verifier, const char *presentation, const char **reason) {
  struct parts parts;
  struct jws credential;
  if (split(presentation, &parts) != 0) {
    *reason = "it is no presentation";
    return NULL;
  }
  X509_STORE *anchors = chain_anchors(verifier->anchors);
  char *claims = NULL;
  if (anchors == NULL) {
    *reason = "there are no anchors to trust";
    return NULL;
  }
  if (jws_read(&credential, parts.credential, parts.credential_length, "dc+sd-jwt") == 0) {
    claims = judge(verifier, &parts, &credential, anchors, reason);
  } else {
    *reason = "it is no credential";
  }
  jws_free(&credential);
  X509_STORE_free(anchors);
  return claims;
}
