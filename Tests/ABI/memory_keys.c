/* The secrets of memory_search, derived by independent code from the files of both sides. */

#include <sodium.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory_stages.h"

enum { TEXT = 4096 };

/* The blob or text that a query gives; its length, 0 for nothing. */
static size_t query(
    const char *database, const char *sql, const char *parameter, uint8_t *out, size_t size) {
  sqlite3 *handle = NULL;
  sqlite3_stmt *statement = NULL;
  size_t length = 0;
  if (sqlite3_open_v2(database, &handle, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2(handle, sql, -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_bind_text(statement, 1, parameter, -1, SQLITE_STATIC) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW) {
    const void *bytes = sqlite3_column_blob(statement, 0);
    length = (size_t)sqlite3_column_bytes(statement, 0);
    length = length < size ? length : 0;
    memcpy(out, bytes, length);
    out[length] = 0;
  } else {
    printf("# %s: %s\n", database, sqlite3_errmsg(handle));
  }
  sqlite3_finalize(statement);
  sqlite3_close(handle);
  return length;
}

static size_t read_file(const char *path, uint8_t *bytes, size_t size) {
  FILE *file = fopen(path, "rb");
  size_t length = file != NULL ? fread(bytes, 1, size, file) : 0;
  if (file != NULL) fclose(file);
  return length;
}

/* The host has the database open exclusively, so a copy of it is read. */
static void copy_file(const char *from, const char *to) {
  static uint8_t bytes[8 << 20];
  size_t length = read_file(from, bytes, sizeof bytes);
  FILE *file = fopen(to, "wb");
  if (file != NULL) {
    fwrite(bytes, 1, length, file);
    fclose(file);
  }
}

__attribute__((format(printf, 2, 3))) static const char *path_of(
    char path[TEXT], const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(path, TEXT, format, arguments);
  va_end(arguments);
  return path;
}

int member(const char *json, const char *name, char *value, size_t size) {
  char start[64];
  snprintf(start, sizeof start, "\"%s\":\"", name);
  const char *at = strstr(json, start);
  if (at == NULL) {
    return 0;
  }
  at += strlen(start);
  size_t length = strcspn(at, "\"");
  snprintf(value, size, "%.*s", (int)length, at);
  return length < size;
}

int decoded(uint8_t *bytes, size_t length, const char *text) {
  size_t count = 0;
  return sodium_base642bin(
             bytes, length, text, strcspn(text, " \n"), NULL, &count, NULL,
             sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
         count == length;
}

int read_key(uint8_t key[KEY], const char *path) {
  char text[64] = "";
  return read_file(path, (uint8_t *)text, sizeof text - 1) > 0 && decoded(key, KEY, text);
}

static size_t put_sized(uint8_t *to, int bytes_of_length, const void *part, size_t length) {
  for (int i = 0; i < bytes_of_length; i++) {
    to[i] = (uint8_t)(i == bytes_of_length - 1 ? length : 0);
  }
  memcpy(to + bytes_of_length, part, length);
  return (size_t)bytes_of_length + length;
}

/* Opens what the core sealed: XChaCha20-Poly1305, the nonce in front. */
static size_t open_box(
    uint8_t *out, const uint8_t *box, size_t length, const uint8_t *data, size_t data_length,
    const uint8_t key[KEY]) {
  unsigned long long opened = 0;
  int status = length < 40
                   ? -1
                   : crypto_aead_xchacha20poly1305_ietf_decrypt(
                         out, &opened, NULL, box + 24, length - 24, data, data_length, box, key);
  out[status == 0 ? opened : 0] = 0;
  return status == 0 ? (size_t)opened : 0;
}

/* Copies the database of the paused host, and opens its account key with the software keys. */
static int open_account(const char *directory, const char *copy, uint8_t account_key[TEXT]) {
  char path[TEXT], other[TEXT], identifier[128];
  uint8_t box[TEXT], platform_key[KEY];
  for (const char **suffix = (const char *[]){"", "-wal", NULL}; *suffix != NULL; suffix++) {
    copy_file(
        path_of(path, "%s/storage/wallet.db%s", directory, *suffix),
        path_of(other, "%s%s", copy, *suffix));
  }
  const char *keyring = "SELECT value FROM keyring WHERE name = ?";
  if (query(copy, keyring, "account.identifier", (uint8_t *)identifier, sizeof identifier) == 0 ||
      read_file(path_of(path, "%s/encryption-%s.key", directory, identifier), platform_key, KEY) !=
          KEY) {
    return 0;
  }
  size_t length = query(copy, keyring, "account.wrapped", box, sizeof box);
  return length >= 40 &&
         crypto_secretbox_open_easy(account_key, box + 24, length - 24, box, platform_key) == 0;
}

/* A value that the account key seals; its length. */
static size_t account_value(
    uint8_t value[TEXT], const char *copy, const char *name, const uint8_t account_key[TEXT]) {
  uint8_t box[TEXT], data[256];
  size_t length = query(copy, "SELECT value FROM account WHERE name = ?", name, box, sizeof box);
  size_t data_length = put_sized(data, 4, "wallet_core.storage.1", 21);
  data_length += put_sized(data + data_length, 4, "account", 7);
  data_length += put_sized(data + data_length, 4, name, strlen(name));
  return open_box(value, box, length, data, data_length, account_key);
}

/* HKDF-SHA256 (RFC 5869) of 32 bytes without a salt, to 32 bytes. */
static void hkdf(uint8_t out[KEY], const uint8_t secret[KEY], const char *info) {
  uint8_t zero[KEY] = {0}, extracted[KEY], content[128];
  crypto_auth_hmacsha256(extracted, secret, KEY, zero);
  size_t length = strlen(info);
  memcpy(content, info, length);
  content[length] = 1;
  crypto_auth_hmacsha256(out, content, length + 1, extracted);
}

/* Hashes into the group ristretto255 (RFC 9380 section 5.3.1, RFC 9497 section 4.1). */
static void hash_to_group(uint8_t element[32], const uint8_t *message, size_t length) {
  static const char tag[] = "HashToGroup-OPRFV1-\x01-ristretto255-SHA512";
  uint8_t zero[128] = {0}, block[64], tail[3] = {0, 64, 0}, one = 1, count = sizeof tag - 1;
  crypto_hash_sha512_state state;
  crypto_hash_sha512_init(&state);
  crypto_hash_sha512_update(&state, zero, sizeof zero);
  crypto_hash_sha512_update(&state, message, length);
  crypto_hash_sha512_update(&state, tail, sizeof tail);
  crypto_hash_sha512_update(&state, (const uint8_t *)tag, sizeof tag - 1);
  crypto_hash_sha512_update(&state, &count, 1);
  crypto_hash_sha512_final(&state, block);
  crypto_hash_sha512_init(&state);
  crypto_hash_sha512_update(&state, block, sizeof block);
  crypto_hash_sha512_update(&state, &one, 1);
  crypto_hash_sha512_update(&state, (const uint8_t *)tag, sizeof tag - 1);
  crypto_hash_sha512_update(&state, &count, 1);
  crypto_hash_sha512_final(&state, block);
  crypto_core_ristretto255_from_hash(element, block);
}

/* The function of RFC 9497 with both halves of its key known (section 3.3.2, Evaluate). */
static int evaluate(
    uint8_t output[64], const uint8_t input[KEY], const uint8_t first[KEY],
    const uint8_t second[KEY]) {
  uint8_t element[32], half[32], whole[32], length[2] = {0, KEY};
  hash_to_group(element, input, KEY);
  if (crypto_scalarmult_ristretto255(half, first, element) != 0 ||
      crypto_scalarmult_ristretto255(whole, second, half) != 0) {
    return 0;
  }
  crypto_hash_sha512_state state;
  crypto_hash_sha512_init(&state);
  crypto_hash_sha512_update(&state, length, 2);
  crypto_hash_sha512_update(&state, input, KEY);
  crypto_hash_sha512_update(&state, length, 2);
  crypto_hash_sha512_update(&state, whole, sizeof whole);
  crypto_hash_sha512_update(&state, (const uint8_t *)"Finalize", 8);
  crypto_hash_sha512_final(&state, output);
  return 1;
}

/* Keyed BLAKE2b of a purpose, a zero byte and, if there is one, a further secret. */
static void derive(
    uint8_t out[KEY], const uint8_t *key, size_t length, const char *purpose,
    const uint8_t *secret) {
  uint8_t content[128];
  size_t count = strlen(purpose) + 1;
  memcpy(content, purpose, count);
  if (secret != NULL) {
    memcpy(content + count, secret, KEY);
    count += KEY;
  }
  crypto_generichash(out, KEY, content, count, key, length);
}

/*
 * What a PIN becomes: its key's seed, the SHA-512 of it that signing works with, clamped as Ed25519
 * does, and its part in the wrapping.
 */
static int derive_pin_key(struct pin_key *key, const uint8_t salt[SALT], const uint8_t halves[64]) {
  uint8_t secret_key[64];
  if (crypto_pwhash(
          key->stretched, KEY, (const char *)key->pin, PIN, salt, 3, 64 << 20,
          crypto_pwhash_ALG_ARGON2ID13) != 0 ||
      !evaluate(key->output, key->stretched, halves, halves + KEY)) {
    return 0;
  }
  derive(key->seed, key->output, 64, "wallet_core/2/pin-key", NULL);
  derive(key->wrapping, key->output, 64, "wallet_core/2/pin-wrapping", NULL);
  crypto_sign_seed_keypair(key->public_key, secret_key, key->seed);
  crypto_hash_sha512(key->expanded, key->seed, KEY);
  key->expanded[0] &= 248;
  key->expanded[31] &= 127;
  key->expanded[31] |= 64;
  return 1;
}

/* The provider's row of a wallet, opened with its sealing key. */
static int open_at_provider(
    uint8_t out[KEY], const char *provider, const char *wallet, const char *column,
    const char *place) {
  char path[TEXT], database[TEXT], sql[128];
  uint8_t key[KEY], box[256], hash[64], key_id[64], data[512];
  path_of(database, "%s/wallet-provider.sqlite", provider);
  if (!read_key(key, path_of(path, "%s/keys/sealing.key", provider))) {
    return 0;
  }
  snprintf(sql, sizeof sql, "SELECT %s FROM wallet WHERE id = ?", column);
  size_t length = query(database, sql, wallet, box, sizeof box);
  size_t hash_length = query(
      database, "SELECT hardware_key_hash FROM wallet WHERE id = ?", wallet, hash, sizeof hash);
  size_t id_length =
      query(database, "SELECT sealing_key FROM wallet WHERE id = ?", wallet, key_id, sizeof key_id);
  size_t data_length = put_sized(data, 8, place, strlen(place));
  data_length += put_sized(data + data_length, 8, wallet, strlen(wallet));
  data_length += put_sized(data + data_length, 8, hash, hash_length);
  data_length += put_sized(data + data_length, 8, key_id, id_length);
  return length == 12 + KEY + 16 &&
         crypto_aead_chacha20poly1305_ietf_decrypt(
             out, NULL, NULL, box + 12, length - 12, data, data_length, box, key) == 0;
}

/* The evaluator's half of a wallet's PIN key, opened with the evaluator's key. */
static int open_at_evaluator(uint8_t half[KEY], const char *provider, const char *pin_key) {
  static const char *columns[] = {
      "id", "key", "coalesce(pending_key, '')", "coalesce(expires_at, '')", "version"};
  char path[TEXT], database[TEXT], sql[256];
  uint8_t secret[KEY], key[KEY], box[TEXT], data[1024] = "wallet-evaluator row", opened[TEXT];
  size_t data_length = strlen((char *)data);
  path_of(database, "%s/evaluator/evaluator.sqlite", provider);
  if (!read_key(secret, path_of(path, "%s/evaluator/evaluator.key", provider))) {
    return 0;
  }
  hkdf(key, secret, "wallet-evaluator rows");
  for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
    snprintf(sql, sizeof sql, "SELECT %s FROM evaluated_wallet WHERE key = ?", columns[i]);
    data[data_length++] = '\n';
    data_length += query(database, sql, pin_key, data + data_length, sizeof data - data_length);
  }
  size_t length = query(
      database, "SELECT content FROM evaluated_wallet WHERE key = ?", pin_key, box, sizeof box);
  unsigned long long count = 0;
  if (length < 12 + 16 ||
      crypto_aead_chacha20poly1305_ietf_decrypt(
          opened, &count, NULL, box + 12, length - 12, data, data_length, box, key) != 0) {
    return 0;
  }
  opened[count] = 0;
  const char *at = strstr((char *)opened, "\"current\":");
  char text[64] = "";
  return at != NULL && member(at, "half", text, sizeof text) && decoded(half, KEY, text);
}

/* Both halves of the key that evaluates a wallet's PIN: the evaluator's, then the provider's. */
static int open_halves(uint8_t halves[64], const char *provider, const char *wallet) {
  char database[TEXT], pin_key[128] = "";
  path_of(database, "%s/wallet-provider.sqlite", provider);
  return query(
             database, "SELECT pin_key_id FROM wallet WHERE id = ?", wallet, (uint8_t *)pin_key,
             sizeof pin_key) > 0 &&
         open_at_evaluator(halves, provider, pin_key) &&
         open_at_provider(halves + KEY, provider, wallet, "sealed_half", "pin-key-half");
}

/* The provider has the public half of the PIN key: the derivation above is the core's. */
static int is_pin_key_of(const struct pin_key *key, const char *wallet, const char *provider) {
  uint8_t public_key[KEY];
  return open_at_provider(public_key, provider, wallet, "sealed_pin_key", "pin-public-key") &&
         memcmp(public_key, key->public_key, KEY) == 0;
}

/* The vault key, unwrapped with the PIN and the provider's share. */
static int derive_vault_key(
    struct secrets *secrets, const char *wallet, const char *provider, const char *copy) {
  char purpose[512];
  uint8_t box[256], opened[256];
  if (!open_at_provider(secrets->share, provider, wallet, "sealed_share", "unlock-share")) {
    return 0;
  }
  derive(
      secrets->wrapping_key, secrets->right.wrapping, KEY, "wallet_core/2/vault", secrets->share);
  size_t length =
      query(copy, "SELECT value FROM keyring WHERE name = ?", "vault.pin", box, sizeof box);
  snprintf(purpose, sizeof purpose, "wallet_core/2/vault-key/pin/%s", wallet);
  if (open_box(opened, box, length, (uint8_t *)purpose, strlen(purpose), secrets->wrapping_key) !=
      KEY) {
    return 0;
  }
  memcpy(secrets->vault_key, opened, KEY);
  return 1;
}

static int derive_salt_with(
    struct secrets *secrets, const char *copy, const uint8_t account_key[TEXT]) {
  uint8_t value[TEXT];
  int good = account_value(value, copy, "pin-salt", account_key) == SALT;
  memcpy(secrets->salt, value, SALT);
  return good;
}

void derive_salt(struct secrets *secrets, const char *directory, const char *copy) {
  uint8_t account_key[TEXT];
  CHECK(
      "the salt, from what the wallet stores",
      open_account(directory, copy, account_key) && derive_salt_with(secrets, copy, account_key));
}

void derive_biometric_secret(struct secrets *secrets, const char *directory, const char *copy) {
  uint8_t account_key[TEXT], record[TEXT], box[256], opened[256], platform_key[KEY];
  char path[TEXT], identifier[128], purpose[512], wallet[256] = "";
  const char *keyring = "SELECT value FROM keyring WHERE name = ?";
  int good =
      open_account(directory, copy, account_key) &&
      account_value(record, copy, "registration", account_key) > 0 &&
      member((const char *)record, "walletID", wallet, sizeof wallet) &&
      query(copy, keyring, "biometrics.identifier", (uint8_t *)identifier, sizeof identifier) > 0 &&
      read_file(path_of(path, "%s/encryption-%s.key", directory, identifier), platform_key, KEY) ==
          KEY &&
      query(copy, keyring, "biometrics.secret", box, sizeof box) == 40 + KEY &&
      crypto_secretbox_open_easy(
          secrets->biometric_secret, box + 24, 16 + KEY, box, platform_key) == 0;
  size_t length = query(copy, keyring, "vault.biometrics", box, sizeof box);
  snprintf(purpose, sizeof purpose, "wallet_core/2/vault-key/biometrics/%s", wallet);
  CHECK(
      "the secret that biometrics open, and the vault key that it opens",
      good &&
          open_box(
              opened, box, length, (uint8_t *)purpose, strlen(purpose),
              secrets->biometric_secret) == KEY &&
          memcmp(opened, secrets->vault_key, KEY) == 0);
}

void derive_secrets(
    struct secrets *secrets, const char *directory, const char *provider, const char *copy) {
  uint8_t account_key[TEXT], record[TEXT], halves[64];
  char wallet[256] = "";
  CHECK(
      "the PIN key, derived from what the wallet stores and held against the provider's",
      open_account(directory, copy, account_key) &&
          account_value(record, copy, "registration", account_key) > 0 &&
          derive_salt_with(secrets, copy, account_key) &&
          member((const char *)record, "walletID", wallet, sizeof wallet) &&
          open_halves(halves, provider, wallet) &&
          derive_pin_key(&secrets->right, secrets->salt, halves) &&
          is_pin_key_of(&secrets->right, wallet, provider));
  CHECK(
      "a wrong PIN's key, derived likewise",
      derive_pin_key(&secrets->wrong, secrets->salt, halves));
  CHECK(
      "the vault key, derived from what both sides store",
      derive_vault_key(secrets, wallet, provider, copy));
}
