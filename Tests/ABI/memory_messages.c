/*
 * The PIN messages of memory_search, as the provider got them: whoever finds signature, signed text,
 * its hash or a PIN public key can try PINs against it.
 */

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory_stages.h"

enum { PIECE = 48, LONGEST = 16 << 10 };

static void add(struct traces *traces, const char *name, const void *bytes, size_t length) {
  for (size_t i = 0; i < traces->count; i++) {
    if (traces->list[i].length == length && memcmp(traces->list[i].bytes, bytes, length) == 0) {
      return;
    }
  }
  struct trace *trace = &traces->list[traces->count];
  if (traces->count == MOST_TRACES || length > sizeof trace->bytes) {
    printf("# too many traces, or one that is too long\n");
    abort();
  }
  trace->name = name;
  trace->length = length;
  memcpy(trace->bytes, bytes, length);
  traces->count++;
}

void add_trace(struct traces *traces, const char *name, const uint8_t *bytes, size_t length) {
  char text[65];
  sodium_bin2base64(text, sizeof text, bytes, length, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  add(traces, name, bytes, length);
  add(traces, name, text, strlen(text));
}

/* Three pieces of a long text, of which other messages have no part. */
static void add_pieces(struct traces *traces, const char *name, const char *text) {
  size_t length = strlen(text);
  for (size_t quarter = 1; quarter < 4 && length >= 4 * PIECE; quarter++) {
    add(traces, name, text + length / 4 * quarter, PIECE);
  }
}

/* Decodes a text of any length; the bytes end with a zero. */
static int decode(char *bytes, size_t size, const char *text, size_t length) {
  size_t count = 0;
  int status = sodium_base642bin(
      (uint8_t *)bytes, size - 1, text, length, NULL, &count, NULL,
      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  bytes[status == 0 ? count : 0] = 0;
  return status == 0;
}

/*
 * A compact JWS by a PIN key: the end of its header, which names its type, and the signed text from
 * `from` on, which no other message has, as JSON and encoded; the signature, in halves.
 */
static int add_signed(struct traces *traces, const char *compact, const char *from) {
  char claims[LONGEST];
  uint8_t signature[64];
  const char *second = strchr(compact, '.'), *third = strrchr(compact, '.');
  if (second == NULL || second - compact < PIECE || third - second < 2 * PIECE ||
      !decode(claims, sizeof claims, second + 1, (size_t)(third - second - 1)) ||
      !decoded(signature, sizeof signature, third + 1)) {
    return 0;
  }
  const char *start = strstr(claims, from);
  if (start == NULL || strlen(start) < PIECE) {
    return 0;
  }
  add(traces, "the header of a PIN message", second - PIECE, PIECE);
  add(traces, "the signed JSON", start, PIECE);
  add(traces, "the signed text", second + 1 + (start - claims) / 3 * 4, PIECE);
  add(traces, "a PIN signature", signature, 32);
  add(traces, "a PIN signature", signature + 32, 32);
  add(traces, "the text of a PIN signature", third + 1, 43);
  add(traces, "the text of a PIN signature", third + 1 + 43, 43);
  return 1;
}

static int add_public_key(struct traces *traces, const char *json, const char *name) {
  char text[64];
  uint8_t key[KEY];
  if (!member(json, name, text, sizeof text) || !decoded(key, KEY, text)) {
    return 0;
  }
  add_trace(traces, "a PIN public key", key, KEY);
  return 1;
}

/* The JSON of a message as the provider opened it. */
static int add_message(struct traces *traces, const char *message) {
  static char payload_text[LONGEST], payload[LONGEST], compact[LONGEST];
  uint8_t hash[KEY];
  if (!member(message, "payload", payload_text, sizeof payload_text) ||
      !member(message, "signature", compact, sizeof compact) ||
      !decode(payload, sizeof payload, payload_text, strlen(payload_text)) ||
      strlen(payload) < PIECE || !add_signed(traces, compact, "\"payload_hash\"")) {
    return 0;
  }
  /* The beginning may be that of an outer message, as of a commit with the same id of a change. */
  const char *end = strstr(message, "\",\"signature\":\"");
  if (end == NULL || end - message < PIECE / 2) {
    return 0;
  }
  add(traces, "the JSON of a PIN message", end - PIECE / 2, PIECE);
  add(traces, "the JSON of its payload", payload, PIECE);
  add_pieces(traces, "the text of its payload", payload_text);
  crypto_hash_sha256(hash, (const uint8_t *)payload, strlen(payload));
  add_trace(traces, "the hash of its payload", hash, KEY);
  if (strstr(message, "\"pin_public_key\"") != NULL &&
      !add_public_key(traces, message, "pin_public_key")) {
    return 0;
  }
  return !member(payload, "proof", compact, sizeof compact) ||
         (add_public_key(traces, payload, "new_pin_public_key") &&
          add_signed(traces, compact, ",\"change\""));
}

int add_messages(struct traces *traces, const char *provider) {
  static char answer[1 << 20], path[4096];
  static uint8_t box[LONGEST], message[LONGEST];
  uint8_t key[KEY], public_key[KEY];
  snprintf(path, sizeof path, "%s/keys/encryption.key", provider);
  if (!control("/pin-payloads", "{}", answer, sizeof answer) || !read_key(key, path)) {
    return -1;
  }
  crypto_scalarmult_base(public_key, key);
  char *rest = strstr(answer, "\"payloads\":[");
  int count = 0;
  for (char *text = rest != NULL ? strtok(rest + 12, "\",]}") : NULL; text != NULL;
       text = strtok(NULL, "\",]}"), count++) {
    size_t length = 0;
    if (sodium_base642bin(
            box, sizeof box, text, strlen(text), NULL, &length, NULL,
            sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0 ||
        length < crypto_box_SEALBYTES ||
        crypto_box_seal_open(message, box, length, public_key, key) != 0) {
      return -1;
    }
    message[length - crypto_box_SEALBYTES] = 0;
    if (!add_message(traces, (const char *)message)) {
      return -1;
    }
  }
  return rest != NULL ? count : -1;
}
