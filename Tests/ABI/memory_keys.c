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

/* The PIN key: its seed, and the SHA-512 of it that signing works with, clamped as Ed25519 does. */
static int derive_pin_key(struct pin_key *key, const uint8_t salt[SALT]) {
  uint8_t secret_key[64];
  if (crypto_pwhash(
          key->seed, KEY, (const char *)key->pin, PIN, salt, 3, 64 << 20,
          crypto_pwhash_ALG_ARGON2ID13) != 0) {
    return 0;
  }
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

/* The provider has the public half of the PIN key: the derivation above is the core's. */
static int is_pin_key_of(const struct pin_key *key, const char *wallet, const char *provider) {
  uint8_t public_key[KEY];
  return open_at_provider(public_key, provider, wallet, "sealed_pin_key", "pin-public-key") &&
         memcmp(public_key, key->public_key, KEY) == 0;
}

/* The vault key, unwrapped with the provider's share. */
static int derive_vault_key(
    struct secrets *secrets, const char *wallet, const char *provider, const char *copy) {
  char purpose[512];
  uint8_t box[256], opened[256];
  if (!open_at_provider(secrets->share, provider, wallet, "sealed_share", "unlock-share")) {
    return 0;
  }
  size_t length =
      query(copy, "SELECT value FROM keyring WHERE name = ?", "vault.share", box, sizeof box);
  snprintf(purpose, sizeof purpose, "wallet_core/1/vault-key/share/%s", wallet);
  if (open_box(opened, box, length, (uint8_t *)purpose, strlen(purpose), secrets->share) != KEY) {
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
  snprintf(purpose, sizeof purpose, "wallet_core/1/vault-key/biometrics/%s", wallet);
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
  uint8_t account_key[TEXT], record[TEXT];
  char wallet[256] = "";
  CHECK(
      "the PIN key, derived from what the wallet stores and held against the provider's",
      open_account(directory, copy, account_key) &&
          account_value(record, copy, "registration", account_key) > 0 &&
          derive_salt_with(secrets, copy, account_key) &&
          derive_pin_key(&secrets->right, secrets->salt) &&
          member((const char *)record, "walletID", wallet, sizeof wallet) &&
          is_pin_key_of(&secrets->right, wallet, provider));
  CHECK("a wrong PIN's key, derived likewise", derive_pin_key(&secrets->wrong, secrets->salt));
  CHECK(
      "the vault key, derived from what both sides store",
      derive_vault_key(secrets, wallet, provider, copy));
}
