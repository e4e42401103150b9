#include "keys.h"

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <wallet_core.h>

#include "../../../Examples/C/software_keys.h"

enum { KEYS = 64, NAME = 80, SECRET = 1024 };

struct key {
  char name[NAME];
  int exists;
  unsigned generation;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct key keys[KEYS];
static int count, exist_unmade;

void keys_begin(int all_exist) {
  pthread_mutex_lock(&lock);
  count = 0;
  exist_unmade = all_exist;
  pthread_mutex_unlock(&lock);
}

static struct key *key_of(char space, const char *identifier) {
  char name[NAME];
  snprintf(name, sizeof name, "%c.%s", space, identifier);
  for (int i = 0; i < count; i++) {
    if (strcmp(keys[i].name, name) == 0) return &keys[i];
  }
  struct key *key = &keys[count < KEYS ? count++ : KEYS - 1];
  memcpy(key->name, name, sizeof name);
  key->exists = exist_unmade;
  key->generation = 0;
  return key;
}

/* The secret of a key; made if it does not exist and `makes` is set. */
static int32_t secret_of(char space, const char *identifier, int makes, uint8_t secret[32]) {
  pthread_mutex_lock(&lock);
  struct key *key = key_of(space, identifier);
  if (makes) key->exists = 1;
  int exists = key->exists;
  char text[NAME + 16];
  int length = snprintf(text, sizeof text, "%s#%u", key->name, key->generation);
  pthread_mutex_unlock(&lock);
  crypto_generichash(secret, 32, (const uint8_t *)text, (unsigned long long)length, NULL, 0);
  secret[0] &= 0x7F; /* below the order of P-256, so that it can be a signing key */
  return exists ? WALLET_CORE_BRIDGE_OK : WALLET_CORE_BRIDGE_KEY_MISSING;
}

int32_t keys_delete(const char *identifier, int is_signing) {
  pthread_mutex_lock(&lock);
  struct key *key = key_of(is_signing ? 's' : 'e', identifier);
  key->exists = 0;
  key->generation += 1;
  pthread_mutex_unlock(&lock);
  return WALLET_CORE_BRIDGE_OK;
}

int32_t keys_public_key(const char *identifier, uint8_t *answer, size_t *length) {
  uint8_t secret[32];
  (void)secret_of('s', identifier, 1, secret);
  *length = software_keys_public_key(secret, answer);
  return *length > 0 ? WALLET_CORE_BRIDGE_OK : WALLET_CORE_BRIDGE_UNAVAILABLE;
}

int32_t keys_sign(
    const char *identifier, const uint8_t *payload, size_t payload_length, uint8_t *answer,
    size_t *length) {
  uint8_t secret[32];
  *length = 0;
  if (secret_of('s', identifier, 0, secret) != WALLET_CORE_BRIDGE_OK) {
    return WALLET_CORE_BRIDGE_KEY_MISSING;
  }
  *length = software_keys_sign(secret, payload, payload_length, answer);
  return *length > 0 ? WALLET_CORE_BRIDGE_OK : WALLET_CORE_BRIDGE_UNAVAILABLE;
}

int32_t keys_encrypt(
    const char *identifier, const uint8_t *plaintext, size_t plaintext_length, uint8_t *answer,
    size_t *length) {
  uint8_t key[32];
  *length = 0;
  if (plaintext_length > SECRET) return WALLET_CORE_BRIDGE_UNAVAILABLE;
  (void)secret_of('e', identifier, 1, key);
  randombytes_buf(answer, crypto_secretbox_NONCEBYTES);
  crypto_secretbox_easy(
      answer + crypto_secretbox_NONCEBYTES, plaintext, plaintext_length, answer, key);
  *length = crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES + plaintext_length;
  return WALLET_CORE_BRIDGE_OK;
}

int32_t keys_decrypt(
    const char *identifier, const uint8_t *ciphertext, size_t ciphertext_length, uint8_t *answer,
    size_t *length) {
  const size_t overhead = crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES;
  uint8_t key[32];
  *length = 0;
  if (secret_of('e', identifier, 0, key) != WALLET_CORE_BRIDGE_OK) {
    return WALLET_CORE_BRIDGE_KEY_MISSING;
  }
  if (ciphertext_length < overhead || ciphertext_length > overhead + SECRET ||
      crypto_secretbox_open_easy(
          answer, ciphertext + crypto_secretbox_NONCEBYTES,
          ciphertext_length - crypto_secretbox_NONCEBYTES, ciphertext, key) != 0) {
    return WALLET_CORE_BRIDGE_KEY_INVALIDATED;
  }
  *length = ciphertext_length - overhead;
  return WALLET_CORE_BRIDGE_OK;
}
