// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700

#include "software_keys.h"

#include <dirent.h>
#include <errno.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
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
  do {
    randombytes_buf(key, KEY_BYTES);
  } while (memcmp(key, "\xFF\xFF\xFF\xFF", 4) == 0); /* maybe not below the order of P-256 */
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

/* --- signing key: P-256 --------------------------------------------------------------------- */

/* The key of a private number, which the caller frees; NULL if libcrypto fails. */
static EVP_PKEY *signing_key(const uint8_t number[KEY_BYTES]) {
  /* At the first use. Otherwise libcrypto cleans up at exit while another thread may be signing. */
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
  uint8_t encoded[65], native[KEY_BYTES];
  EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  EC_POINT *point = group != NULL ? EC_POINT_new(group) : NULL;
  BIGNUM *secret = BN_bin2bn(number, KEY_BYTES, NULL);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  EVP_PKEY *key = NULL;
  if (point != NULL && secret != NULL && context != NULL &&
      EC_POINT_mul(group, point, secret, NULL, NULL, NULL) == 1 &&
      EC_POINT_point2oct(
          group, point, POINT_CONVERSION_UNCOMPRESSED, encoded, sizeof encoded, NULL) == 65 &&
      BN_bn2nativepad(secret, native, sizeof native) == sizeof native &&
      EVP_PKEY_fromdata_init(context) == 1) {
    OSSL_PARAM parts[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char[]){"P-256"}, 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, encoded, sizeof encoded),
        OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, native, sizeof native),
        OSSL_PARAM_construct_end()};
    (void)EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, parts); /* or leaves NULL */
  }
  sodium_memzero(native, sizeof native);
  EVP_PKEY_CTX_free(context);
  BN_clear_free(secret);
  EC_POINT_free(point);
  EC_GROUP_free(group);
  return key;
}

size_t software_keys_public_key(const uint8_t number[32], uint8_t der[SOFTWARE_KEYS_LONGEST]) {
  EVP_PKEY *key = signing_key(number);
  const int fits = key != NULL && i2d_PUBKEY(key, NULL) <= SOFTWARE_KEYS_LONGEST;
  const int length = fits ? i2d_PUBKEY(key, &der) : 0;
  EVP_PKEY_free(key);
  return length > 0 ? (size_t)length : 0;
}

size_t software_keys_sign(
    const uint8_t number[32], const uint8_t *payload, size_t payload_length,
    uint8_t signature[SOFTWARE_KEYS_LONGEST]) {
  EVP_PKEY *key = signing_key(number);
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  size_t length = SOFTWARE_KEYS_LONGEST;
  const int is_signed = key != NULL && context != NULL &&
                        EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1 &&
                        EVP_DigestSign(context, signature, &length, payload, payload_length) == 1;
  EVP_MD_CTX_free(context);
  EVP_PKEY_free(key);
  return is_signed ? length : 0;
}

static void signing_public_key(void *directory, uint64_t call, const char *identifier) {
  char path[PATH_BYTES];
  uint8_t key[KEY_BYTES], der[SOFTWARE_KEYS_LONGEST];
  key_path(path, directory, "signing", identifier);
  wallet_core_bridge_status status = load_or_make(path, key);
  size_t length = status == WALLET_CORE_BRIDGE_OK ? software_keys_public_key(key, der) : 0;
  const int is_failed = status == WALLET_CORE_BRIDGE_OK && length == 0;
  answer(call, is_failed ? WALLET_CORE_BRIDGE_UNAVAILABLE : status, der, length);
  sodium_memzero(key, sizeof key);
}

static void signing_sign(
    void *directory, uint64_t call, const char *identifier, const uint8_t *payload,
    size_t payload_length) {
  char path[PATH_BYTES];
  uint8_t key[KEY_BYTES], made[SOFTWARE_KEYS_LONGEST];
  key_path(path, directory, "signing", identifier);
  wallet_core_bridge_status status = load(path, key);
  size_t length = 0;
  if (status == WALLET_CORE_BRIDGE_OK) {
    length = software_keys_sign(key, payload, payload_length, made);
  }
  const int is_failed = status == WALLET_CORE_BRIDGE_OK && length == 0;
  answer(call, is_failed ? WALLET_CORE_BRIDGE_UNAVAILABLE : status, made, length);
  sodium_memzero(key, sizeof key);
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
  /* The library takes an absolute path only. */
  char *absolute = mkdir(path, 0700) == 0 || errno == EEXIST ? realpath(path, NULL) : NULL;
  if (absolute != NULL) {
    answer(call, WALLET_CORE_BRIDGE_OK, (const uint8_t *)absolute, strlen(absolute));
  } else {
    answer(call, WALLET_CORE_BRIDGE_UNAVAILABLE, NULL, 0);
  }
  free(absolute);
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
