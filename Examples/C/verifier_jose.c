// SPDX-License-Identifier: Apache-2.0
/* Base64 and signatures by libcrypto, JSON by Jansson. */
#include "verifier_jose.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/param_build.h>
#include <stdlib.h>
#include <string.h>

enum { COORDINATE_BYTES = 32, TEXT_BYTES = 4 * 1024 * 1024 };

/* Translates between the two alphabets. */
static void translate(char *text, size_t length, const char *from, const char *to) {
  for (size_t i = 0; i < length; i++) {
    const char *found = text[i] == '\0' ? NULL : strchr(from, text[i]);
    if (found != NULL) {
      text[i] = to[found - from];
    }
  }
}

static size_t encode(const unsigned char *bytes, size_t length, int is_url, char *text) {
  size_t written = (size_t)EVP_EncodeBlock((unsigned char *)text, bytes, (int)length);
  if (is_url) {
    translate(text, written, "+/", "-_");
    while (written > 0 && text[written - 1] == '=') {
      written--;
    }
    text[written] = '\0';
  }
  return written;
}

unsigned char *base64_decode(const char *text, size_t length, int is_url, size_t *decoded) {
  const size_t padded = (length + 3) / 4 * 4, padding = padded - length;
  if (length > TEXT_BYTES || padding == 3 || (!is_url && padding != 0)) {
    return NULL;
  }
  char *copy = malloc(padded + 1);
  unsigned char *bytes = malloc(padded / 4 * 3 + 1);
  size_t written = 0;
  int is_good = copy != NULL && bytes != NULL;
  if (is_good) {
    memcpy(copy, text, length);
    if (is_url) {
      translate(copy, length, "-_", "+/");
    }
    memset(copy + length, '=', padding);
    const int count = EVP_DecodeBlock(bytes, (unsigned char *)copy, (int)padded);
    /* The decoder counts padding as bytes, and is lenient: what it read is encoded again. */
    size_t equals = 0;
    while (equals < 2 && equals < padded && copy[padded - 1 - equals] == '=') {
      equals++;
    }
    is_good = count >= 0 && (size_t)count >= equals;
    if (is_good) {
      written = (size_t)count - equals;
      is_good = encode(bytes, written, is_url, copy) == length && memcmp(copy, text, length) == 0;
    }
  }
  free(copy);
  if (!is_good) {
    free(bytes);
    return NULL;
  }
  *decoded = written;
  return bytes;
}

json_t *base64_json(const char *text, size_t length) {
  size_t decoded = 0;
  unsigned char *bytes = base64_decode(text, length, 1, &decoded);
  if (bytes == NULL) {
    return NULL;
  }
  json_t *json = json_loadb((const char *)bytes, decoded, JSON_REJECT_DUPLICATES, NULL);
  free(bytes);
  return json;
}

int digest_of(const char *text, size_t length, char digest[DIGEST_BYTES]) {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  char encoded[EVP_MAX_MD_SIZE * 2];
  unsigned count = 0;
  if (EVP_Digest(text, length, bytes, &count, EVP_sha256(), NULL) != 1 ||
      encode(bytes, count, 1, encoded) != DIGEST_BYTES - 1) {
    return -1;
  }
  memcpy(digest, encoded, DIGEST_BYTES);
  return 0;
}

static int is_header_of(const json_t *header, const char *type) {
  const char *algorithm = json_string_value(json_object_get(header, "alg"));
  const char *found = json_string_value(json_object_get(header, "typ"));
  return algorithm != NULL && strcmp(algorithm, "ES256") == 0 && found != NULL &&
         strcmp(found, type) == 0 && json_object_get(header, "crit") == NULL;
}

int jws_read(struct jws *jws, const char *text, size_t length, const char *type) {
  memset(jws, 0, sizeof *jws);
  jws->text = text;
  const char *end = text + length, *first = memchr(text, '.', length);
  const char *second = first == NULL ? NULL : memchr(first + 1, '.', (size_t)(end - first - 1));
  if (second == NULL) {
    return -1;
  }
  jws->header = base64_json(text, (size_t)(first - text));
  jws->claims = base64_json(first + 1, (size_t)(second - first - 1));
  jws->signed_length = (size_t)(second - text);
  size_t decoded = 0;
  unsigned char *signature = base64_decode(second + 1, (size_t)(end - second - 1), 1, &decoded);
  if (signature == NULL) {
    return -1;
  }
  const int is_whole = decoded == SIGNATURE_BYTES;
  if (is_whole) {
    memcpy(jws->signature, signature, SIGNATURE_BYTES);
  }
  free(signature);
  return is_whole && json_is_object(jws->claims) && is_header_of(jws->header, type) ? 0 : -1;
}

void jws_free(struct jws *jws) {
  json_decref(jws->header);
  json_decref(jws->claims);
  jws->header = jws->claims = NULL;
}

/* The signature as libcrypto takes it: DER. */
static int in_der(const unsigned char signature[SIGNATURE_BYTES], unsigned char **der) {
  BIGNUM *r = BN_bin2bn(signature, COORDINATE_BYTES, NULL);
  BIGNUM *s = BN_bin2bn(signature + COORDINATE_BYTES, COORDINATE_BYTES, NULL);
  ECDSA_SIG *pair = ECDSA_SIG_new();
  int length = -1;
  if (r != NULL && s != NULL && pair != NULL && ECDSA_SIG_set0(pair, r, s) == 1) {
    r = s = NULL;
    length = i2d_ECDSA_SIG(pair, der);
  }
  BN_free(r);
  BN_free(s);
  ECDSA_SIG_free(pair);
  return length;
}

int jws_is_signed(const struct jws *jws, EVP_PKEY *key) {
  unsigned char *der = NULL;
  const int length = in_der(jws->signature, &der);
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  const int is_signed =
      length > 0 && context != NULL && is_p256(key) &&
      EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, key) == 1 &&
      EVP_DigestVerify(
          context, der, (size_t)length, (const unsigned char *)jws->text, jws->signed_length) == 1;
  EVP_MD_CTX_free(context);
  OPENSSL_free(der);
  return is_signed;
}

int is_p256(const EVP_PKEY *key) {
  char group[32];
  size_t length = 0;
  return key != NULL && EVP_PKEY_is_a(key, "EC") &&
         EVP_PKEY_get_utf8_string_param(
             key, OSSL_PKEY_PARAM_GROUP_NAME, group, sizeof group, &length) == 1 &&
         strcmp(group, SN_X9_62_prime256v1) == 0;
}

/* Makes the key of a point; libcrypto checks that it is on the curve. */
static EVP_PKEY *point_key(const unsigned char *point, size_t length) {
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  OSSL_PARAM *parameters = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  EVP_PKEY *key = NULL;
  if (builder != NULL && context != NULL &&
      OSSL_PARAM_BLD_push_utf8_string(
          builder, OSSL_PKEY_PARAM_GROUP_NAME, SN_X9_62_prime256v1, 0) == 1 &&
      OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, length) == 1 &&
      (parameters = OSSL_PARAM_BLD_to_param(builder)) != NULL &&
      EVP_PKEY_fromdata_init(context) == 1 &&
      EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
    EVP_PKEY_free(key);
    key = NULL;
  }
  OSSL_PARAM_free(parameters);
  OSSL_PARAM_BLD_free(builder);
  EVP_PKEY_CTX_free(context);
  return key;
}

EVP_PKEY *jwk_key(const json_t *jwk) {
  unsigned char point[1 + 2 * COORDINATE_BYTES] = {4 /* not compressed */};
  static const char *const names[] = {"x", "y"};
  const char *type = json_string_value(json_object_get(jwk, "kty"));
  const char *curve = json_string_value(json_object_get(jwk, "crv"));
  if (type == NULL || curve == NULL || strcmp(type, "EC") != 0 || strcmp(curve, "P-256") != 0) {
    return NULL;
  }
  for (size_t i = 0; i < 2; i++) {
    const json_t *text = json_object_get(jwk, names[i]);
    size_t decoded = 0;
    unsigned char *bytes =
        json_is_string(text)
            ? base64_decode(json_string_value(text), json_string_length(text), 1, &decoded)
            : NULL;
    const int is_whole = bytes != NULL && decoded == COORDINATE_BYTES;
    if (is_whole) {
      memcpy(point + 1 + i * COORDINATE_BYTES, bytes, COORDINATE_BYTES);
    }
    free(bytes);
    if (!is_whole) {
      return NULL;
    }
  }
  return point_key(point, sizeof point);
}
