// SPDX-License-Identifier: Apache-2.0
/* libcrypto judges the path; the rules for what stands in `x5c` are those of HAIP 1.0. */
#include "verifier_chain.h"

#include <openssl/pem.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

#include "verifier_jose.h"

enum { MOST_CERTIFICATES = 4 };

/* The purpose of a signer of status lists. */
static const char status_signing[] = "2.999.1.30";

X509_STORE *chain_anchors(const char *path) {
  X509_STORE *anchors = X509_STORE_new();
  FILE *file = fopen(path, "r");
  int count = 0;
  if (anchors != NULL && file != NULL) {
    X509 *certificate;
    while ((certificate = PEM_read_X509(file, NULL, NULL, NULL)) != NULL) {
      count += X509_STORE_add_cert(anchors, certificate) == 1;
      X509_free(certificate);
    }
  }
  if (file != NULL) {
    fclose(file);
  }
  if (count == 0) {
    X509_STORE_free(anchors);
    return NULL;
  }
  return anchors;
}

static X509 *read_certificate(const json_t *text) {
  size_t length = 0;
  /* Standard base64, unlike everything else in a JWS. */
  unsigned char *der =
      json_is_string(text)
          ? base64_decode(json_string_value(text), json_string_length(text), 0, &length)
          : NULL;
  const unsigned char *position = der;
  X509 *certificate = der == NULL ? NULL : d2i_X509(NULL, &position, (long)length);
  if (certificate != NULL && position != der + length) {
    X509_free(certificate);
    certificate = NULL;
  }
  free(der);
  return certificate;
}

/* The certificates of `x5c`, the signer's first. NULL if one is none, or an anchor: trust never comes
 * from the message. */
static STACK_OF(X509) * read_chain(const json_t *x5c) {
  const size_t count = json_array_size(x5c); /* 0 if it is no array */
  STACK_OF(X509) *chain = sk_X509_new_null();
  int is_good = chain != NULL && count >= 1 && count <= MOST_CERTIFICATES;
  for (size_t i = 0; is_good && i < count; i++) {
    X509 *certificate = read_certificate(json_array_get(x5c, i));
    is_good = certificate != NULL && (X509_get_extension_flags(certificate) & EXFLAG_SI) == 0 &&
              sk_X509_push(chain, certificate) > 0;
    if (!is_good) {
      X509_free(certificate);
    }
  }
  if (!is_good) {
    sk_X509_pop_free(chain, X509_free);
    return NULL;
  }
  return chain;
}

/* 1 if the path leads to an anchor, with each certificate that was sent and no other. */
static int is_path(STACK_OF(X509) * chain, X509_STORE *anchors, int64_t now) {
  X509_STORE_CTX *context = X509_STORE_CTX_new();
  int is_good = 0;
  if (context != NULL &&
      X509_STORE_CTX_init(context, anchors, sk_X509_value(chain, 0), chain) == 1) {
    X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_time(parameters, (time_t)now);
    /* An anchor need not have signed itself. */
    X509_VERIFY_PARAM_set_flags(parameters, X509_V_FLAG_X509_STRICT | X509_V_FLAG_PARTIAL_CHAIN);
    is_good = X509_verify_cert(context) == 1 &&
              sk_X509_num(X509_STORE_CTX_get0_chain(context)) == sk_X509_num(chain) + 1;
  }
  X509_STORE_CTX_free(context);
  return is_good;
}

/* A signer of PIDs states no purpose, a signer of status lists has that one. */
static int has_purpose_of(X509 *signer, enum chain_role role) {
  EXTENDED_KEY_USAGE *purposes = X509_get_ext_d2i(signer, NID_ext_key_usage, NULL, NULL);
  int has_status = 0;
  for (int i = 0; purposes != NULL && i < sk_ASN1_OBJECT_num(purposes); i++) {
    char text[sizeof status_signing + 1];
    OBJ_obj2txt(text, sizeof text, sk_ASN1_OBJECT_value(purposes, i), 1);
    has_status |= strcmp(text, status_signing) == 0;
  }
  const int has_none = (X509_get_extension_flags(signer) & EXFLAG_XKUSAGE) == 0;
  EXTENDED_KEY_USAGE_free(purposes);
  return role == CHAIN_OF_ISSUER ? has_none : has_status;
}

static int may_sign(X509 *signer, enum chain_role role) {
  const uint32_t flags = X509_get_extension_flags(signer);
  return (flags & (EXFLAG_INVALID | EXFLAG_CA)) == 0 && (flags & EXFLAG_KUSAGE) != 0 &&
         (X509_get_key_usage(signer) & KU_DIGITAL_SIGNATURE) != 0 && has_purpose_of(signer, role);
}

/* 1 if `issuer` is among the addresses that the certificate names or, where it names none, an https
 * address at one of its hosts. */
static int names(X509 *signer, const char *issuer) {
  GENERAL_NAMES *all = X509_get_ext_d2i(signer, NID_subject_alt_name, NULL, NULL);
  int is_named = 0, addresses = 0;
  for (int i = 0; i < sk_GENERAL_NAME_num(all); i++) {
    const GENERAL_NAME *name = sk_GENERAL_NAME_value(all, i);
    if (name->type == GEN_URI) {
      const ASN1_IA5STRING *address = name->d.uniformResourceIdentifier;
      addresses++;
      is_named |= (size_t)ASN1_STRING_length(address) == strlen(issuer) &&
                  memcmp(ASN1_STRING_get0_data(address), issuer, strlen(issuer)) == 0;
    }
  }
  GENERAL_NAMES_free(all);
  static const char scheme[] = "https://";
  if (addresses == 0 && strncmp(issuer, scheme, strlen(scheme)) == 0 &&
      strpbrk(issuer, "@\\") == NULL) {
    const char *host = issuer + strlen(scheme);
    is_named = X509_check_host(
                   signer, host, strcspn(host, ":/?#"),
                   X509_CHECK_FLAG_NO_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT, NULL) == 1;
  }
  return is_named;
}

EVP_PKEY *chain_key(
    const json_t *x5c, X509_STORE *anchors, enum chain_role role, const char *issuer, int64_t now) {
  STACK_OF(X509) *chain = read_chain(x5c);
  if (chain == NULL) {
    return NULL;
  }
  X509 *signer = sk_X509_value(chain, 0);
  EVP_PKEY *key = NULL;
  if (is_path(chain, anchors, now) && may_sign(signer, role) &&
      (issuer == NULL || names(signer, issuer))) {
    key = X509_get_pubkey(signer);
  }
  sk_X509_pop_free(chain, X509_free);
  return key;
}
