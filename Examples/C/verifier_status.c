// SPDX-License-Identifier: Apache-2.0
/* Reads one entry of a status list that a signer below the issuer's own authority has signed. */
#include "verifier_status.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "verifier_chain.h"
#include "verifier_fetch.h"
#include "verifier_jose.h"

enum { CLOCK_DIFFERENCE = 60, LIST_BYTES = 16 * 1024 * 1024, PIECE_BYTES = 16 * 1024 };

static const char no_list[] = "its status list cannot be fetched";
static const char bad_list[] = "its status list is not to be trusted";

/* 1 if the list is of that address, of now, and signed below the anchors. */
static int is_trusted(const struct jws *list, const char *uri, X509_STORE *anchors, int64_t now) {
  const char *subject = json_string_value(json_object_get(list->claims, "sub"));
  const json_t *issued = json_object_get(list->claims, "iat");
  const json_t *expires = json_object_get(list->claims, "exp");
  if (subject == NULL || strcmp(subject, uri) != 0 || !json_is_integer(issued) ||
      json_integer_value(issued) > now + CLOCK_DIFFERENCE ||
      (expires != NULL && !(json_is_integer(expires) && now < json_integer_value(expires)))) {
    return 0;
  }
  EVP_PKEY *key =
      chain_key(json_object_get(list->header, "x5c"), anchors, CHAIN_OF_STATUS_LIST, NULL, now);
  const int is_signed = key != NULL && jws_is_signed(list, key);
  EVP_PKEY_free(key);
  return is_signed;
}

/* The byte at `position` of what was compressed with zlib; -1 if the data is bad or ends before. */
static int byte_at(const unsigned char *data, size_t length, uint64_t position) {
  unsigned char piece[PIECE_BYTES];
  z_stream stream = {.next_in = (unsigned char *)data, .avail_in = (unsigned)length};
  uint64_t inflated = 0;
  int byte = -1, result = inflateInit(&stream);
  if (result != Z_OK) {
    return -1;
  }
  /* A small text can become very long: only a piece of it is kept. */
  while (result == Z_OK && inflated <= LIST_BYTES) {
    stream.next_out = piece;
    stream.avail_out = sizeof piece;
    result = inflate(&stream, Z_NO_FLUSH);
    const uint64_t end = inflated + (sizeof piece - stream.avail_out);
    if (position >= inflated && position < end) {
      byte = piece[position - inflated];
    }
    inflated = end;
  }
  inflateEnd(&stream);
  return result == Z_STREAM_END && inflated <= LIST_BYTES ? byte : -1;
}

/* The value of an entry; -1 if the list does not have it. */
static int value_at(const json_t *list, uint64_t index) {
  const json_t *bits = json_object_get(list, "bits"), *text = json_object_get(list, "lst");
  const json_int_t width = json_integer_value(bits); /* 0 if it is no integer */
  if ((width != 1 && width != 2 && width != 4 && width != 8) || !json_is_string(text)) {
    return -1;
  }
  const uint64_t each = 8 / (uint64_t)width;
  size_t length = 0;
  unsigned char *data =
      base64_decode(json_string_value(text), json_string_length(text), 1, &length);
  const int byte = data == NULL ? -1 : byte_at(data, length, index / each);
  free(data);
  return byte < 0 ? -1 : byte >> index % each * (uint64_t)width & ((1 << width) - 1);
}

const char *status_refusal(const json_t *status, X509_STORE *anchors, int64_t now) {
  const json_t *entry = json_object_get(status, "status_list");
  const json_t *index = json_object_get(entry, "idx");
  const char *uri = json_string_value(json_object_get(entry, "uri"));
  if (uri == NULL || !json_is_integer(index) || json_integer_value(index) < 0) {
    return "it has no status";
  }
  size_t length = 0;
  char *token = fetch(uri, "application/statuslist+jwt", &length);
  if (token == NULL) {
    return no_list;
  }
  struct jws list;
  const char *reason = bad_list;
  if (jws_read(&list, token, length, "statuslist+jwt") == 0 &&
      is_trusted(&list, uri, anchors, now)) {
    const int value =
        value_at(json_object_get(list.claims, "status_list"), (uint64_t)json_integer_value(index));
    reason = value == 0 ? NULL : value < 0 ? bad_list : "it has been revoked";
  }
  jws_free(&list);
  free(token);
  return reason;
}
