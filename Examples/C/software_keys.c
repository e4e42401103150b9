// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700

#include "software_keys.h"

#include <dirent.h>
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_BYTES = 32, PATH_BYTES = 4096, SECRET_BYTES = 1024 };

/* Every bridge call is answered here, exactly once. A real host may answer later, on any thread. */
static void answer(
    uint64_t call, wallet_core_bridge_status status, const uint8_t *bytes, size_t length) {
  wallet_core_status replied = wallet_core_bridge_reply(call, status, bytes, length, NULL);
  if (replied == WALLET_CORE_ERROR_OUT_OF_RESOURCES) {
    /* The call is still open, and one that may prompt has no timeout. A refusal needs no memory. */
    replied = wallet_core_bridge_reply(call, WALLET_CORE_BRIDGE_UNAVAILABLE, NULL, 0, NULL);
  }
  if (replied != WALLET_CORE_OK) {
    fprintf(stderr, "software_keys: the answer came too late\n");
  }
}

/* The file of a key. Identifiers hold only a-z, 0-9, '.', '_' and '-', so they are file names. */
static void key_path(
    char path[PATH_BYTES], const char *directory, const char *store, const char *name) {
  snprintf(path, PATH_BYTES, "%s/%s-%s.key", directory, store, name);
}

static int32_t load(const char *path, uint8_t key[KEY_BYTES]) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    return errno == ENOENT ? WALLET_CORE_BRIDGE_KEY_MISSING : WALLET_CORE_BRIDGE_UNAVAILABLE;
  }
  size_t count = fread(key, 1, KEY_BYTES, file);
  fclose(file);
  return count == KEY_BYTES ? WALLET_CORE_BRIDGE_OK : WALLET_CORE_BRIDGE_UNAVAILABLE;
}

/* Loads a key, after making it if there is none. If two threads make it, link() lets one win. */
static int32_t load_or_make(const char *path, uint8_t key[KEY_BYTES]) {
  wallet_core_bridge_status status = load(path, key);
  if (status != WALLET_CORE_BRIDGE_KEY_MISSING) {
    return status;
  }
  char draft[PATH_BYTES + 8];
  snprintf(draft, sizeof draft, "%s.XXXXXX", path);
  int file = mkstemp(draft);
  if (file < 0) {
    return WALLET_CORE_BRIDGE_UNAVAILABLE;
  }
  randombytes_buf(key, KEY_BYTES);
  int written = write(file, key, KEY_BYTES) == KEY_BYTES && fsync(file) == 0;
  int linked = written && (link(draft, path) == 0 || errno == EEXIST);
  close(file);
  unlink(draft);
  return linked ? load(path, key) : WALLET_CORE_BRIDGE_UNAVAILABLE;
}

static void delete_key(const char *path, uint64_t call) {
  int gone = unlink(path) == 0 || errno == ENOENT;
  answer(call, gone ? WALLET_CORE_BRIDGE_OK : WALLET_CORE_BRIDGE_UNAVAILABLE, NULL, 0);
}

/* --- signing key: Ed25519 ------------------------------------------------------------------- */

static void signing_public_key(void *directory, uint64_t call, const char *identifier) {
  static const uint8_t prefix[12] = {0x30, 0x2A, 0x30, 0x05, 0x06, 0x03,
                                     0x2B, 0x65, 0x70, 0x03, 0x21, 0x00};
  char path[PATH_BYTES];
  uint8_t seed[KEY_BYTES], secret[crypto_sign_SECRETKEYBYTES], der[44];
  key_path(path, directory, "signing", identifier);
  wallet_core_bridge_status status = load_or_make(path, seed);
  if (status == WALLET_CORE_BRIDGE_OK) {
    /* The SubjectPublicKeyInfo of an Ed25519 key is a fixed prefix (RFC 8410) and the key. */
    memcpy(der, prefix, sizeof prefix);
    crypto_sign_seed_keypair(der + sizeof prefix, secret, seed);
    answer(call, status, der, sizeof der);
  } else {
    answer(call, status, NULL, 0);
  }
  sodium_memzero(seed, sizeof seed);
  sodium_memzero(secret, sizeof secret);
}

static void signing_sign(
    void *directory, uint64_t call, const char *identifier, const uint8_t *payload,
    size_t payload_length) {
  char path[PATH_BYTES];
  uint8_t seed[KEY_BYTES], public_key[crypto_sign_PUBLICKEYBYTES];
  uint8_t secret[crypto_sign_SECRETKEYBYTES], signature[crypto_sign_BYTES];
  key_path(path, directory, "signing", identifier);
  wallet_core_bridge_status status = load(path, seed);
  if (status == WALLET_CORE_BRIDGE_OK) {
    crypto_sign_seed_keypair(public_key, secret, seed);
    crypto_sign_detached(signature, NULL, payload, payload_length, secret);
    answer(call, status, signature, sizeof signature);
  } else {
    answer(call, status, NULL, 0);
  }
  sodium_memzero(seed, sizeof seed);
  sodium_memzero(secret, sizeof secret);
}

static void signing_delete(void *directory, uint64_t call, const char *identifier) {
  char path[PATH_BYTES];
  key_path(path, directory, "signing", identifier);
  delete_key(path, call);
}

/* --- encryption key: XSalsa20-Poly1305, with the nonce in front ----------------------------- */

static void encryption_encrypt(
    void *directory, uint64_t call, const char *identifier, wallet_core_protection protection,
    const uint8_t *plaintext, size_t plaintext_length) {
  (void)protection; /* a host with biometrics prompts the user first: phone_device.c */
  char path[PATH_BYTES];
  uint8_t key[KEY_BYTES];
  uint8_t sealed[crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES + SECRET_BYTES];
  uint8_t *box = sealed + crypto_secretbox_NONCEBYTES;
  key_path(path, directory, "encryption", identifier);
  wallet_core_bridge_status status =
      plaintext_length <= SECRET_BYTES ? load_or_make(path, key) : WALLET_CORE_BRIDGE_UNAVAILABLE;
  if (status == WALLET_CORE_BRIDGE_OK) {
    randombytes_buf(sealed, crypto_secretbox_NONCEBYTES);
    crypto_secretbox_easy(box, plaintext, plaintext_length, sealed, key);
    answer(call, status, sealed, sizeof sealed - SECRET_BYTES + plaintext_length);
  } else {
    answer(call, status, NULL, 0);
  }
  sodium_memzero(key, sizeof key);
}

static void encryption_decrypt(
    void *directory, uint64_t call, const char *identifier, wallet_core_protection protection,
    const uint8_t *ciphertext, size_t ciphertext_length) {
  (void)protection;
  const size_t overhead = crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES;
  char path[PATH_BYTES];
  uint8_t key[KEY_BYTES], plaintext[SECRET_BYTES];
  size_t length = 0;
  key_path(path, directory, "encryption", identifier);
  wallet_core_bridge_status status = load(path, key);
  if (status == WALLET_CORE_BRIDGE_OK) {
    const uint8_t *box = ciphertext + crypto_secretbox_NONCEBYTES;
    if (ciphertext_length < overhead || ciphertext_length > overhead + SECRET_BYTES ||
        crypto_secretbox_open_easy(
            plaintext, box, ciphertext_length - crypto_secretbox_NONCEBYTES, ciphertext, key)) {
      status = WALLET_CORE_BRIDGE_KEY_INVALIDATED;
    } else {
      length = ciphertext_length - overhead;
    }
  }
  answer(call, status, length > 0 ? plaintext : NULL, length);
  sodium_memzero(key, sizeof key);
  sodium_memzero(plaintext, sizeof plaintext);
}

static void encryption_delete(void *directory, uint64_t call, const char *identifier) {
  char path[PATH_BYTES];
  key_path(path, directory, "encryption", identifier);
  delete_key(path, call);
}

/* --- utilities ------------------------------------------------------------------------------ */

static void storage_path(void *directory, uint64_t call) {
  char path[PATH_BYTES];
  snprintf(path, sizeof path, "%s/storage", (const char *)directory);
  if (mkdir(path, 0700) == 0 || errno == EEXIST) {
    answer(call, WALLET_CORE_BRIDGE_OK, (const uint8_t *)path, strlen(path));
  } else {
    answer(call, WALLET_CORE_BRIDGE_UNAVAILABLE, NULL, 0);
  }
}

static void yes(void *directory, uint64_t call) {
  (void)directory;
  answer(call, WALLET_CORE_BRIDGE_OK, (const uint8_t[]){1}, 1);
}

static void no(void *directory, uint64_t call) {
  (void)directory;
  answer(call, WALLET_CORE_BRIDGE_OK, (const uint8_t[]){0}, 1);
}

int software_keys_lose(const char *directory, const char *prefix) {
  DIR *files = opendir(directory);
  int failures = files == NULL;
  for (struct dirent *entry; files != NULL && (entry = readdir(files)) != NULL;) {
    size_t length = strlen(entry->d_name);
    if (length > 4 && strcmp(entry->d_name + length - 4, ".key") == 0 &&
        strncmp(entry->d_name, prefix, strlen(prefix)) == 0) {
      failures += unlinkat(dirfd(files), entry->d_name, 0) != 0;
    }
  }
  if (files != NULL) {
    closedir(files);
  }
  return failures == 0 ? 0 : -1;
}

int software_keys_fill(
    char *directory, wallet_core_signing_key_bridge *signing_key,
    wallet_core_encryption_key_bridge *encryption_key, wallet_core_utilities_bridge *utilities) {
  *signing_key = (wallet_core_signing_key_bridge){
      .struct_size = sizeof *signing_key,
      .context = directory,
      .public_key = signing_public_key,
      .sign = signing_sign,
      .delete_key = signing_delete,
  };
  *encryption_key = (wallet_core_encryption_key_bridge){
      .struct_size = sizeof *encryption_key,
      .context = directory,
      .encrypt = encryption_encrypt,
      .decrypt = encryption_decrypt,
      .delete_key = encryption_delete,
  };
  *utilities = (wallet_core_utilities_bridge){
      .struct_size = sizeof *utilities,
      .context = directory,
      .storage_path = storage_path,
      .biometrics_available = no,
      .device_secure = yes,
      .internet_reachable = yes,
      .platform = WALLET_CORE_PLATFORM_ANDROID,
  };
  return sodium_init() < 0 ? -1 : 0;
}

wallet_core_status software_keys_hand_over(const char *directory, wallet_core_error **error) {
  wallet_core_signing_key_bridge signing_key;
  wallet_core_encryption_key_bridge encryption_key;
  wallet_core_utilities_bridge utilities;
  *error = NULL;
  if (mkdir(directory, 0700) != 0 && errno != EEXIST) {
    return WALLET_CORE_ERROR_INVALID_ARGUMENT;
  }
  char *path =
      realpath(directory, NULL); /* never freed: the bridges use it until the process ends */
  if (path == NULL || software_keys_fill(path, &signing_key, &encryption_key, &utilities) != 0) {
    return WALLET_CORE_ERROR_OUT_OF_RESOURCES;
  }
  return wallet_core_init_platform_support(&signing_key, &encryption_key, &utilities, error);
}
