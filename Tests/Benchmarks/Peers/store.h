/*
 * Encrypted stores behind one interface, so that one loop measures them all.
 *
 * Each keeps `count` records named card-0, card-1 and so on, of one content; each writes with a
 * write-ahead log that is on disk when a commit returns (synchronous FULL).
 */
#ifndef STORE_H
#define STORE_H

#include <stddef.h>
#include <stdint.h>

enum { STORE_KEY_LENGTH = 32 };

struct store {
  const char *name;
  /* Opens the store in a directory, or makes it there. */
  void *(*open)(const struct store *store, const char *directory, const uint8_t *key);
  /* Writes `count` records from number `first` on in one transaction. */
  void (*seal)(void *handle, int first, int count, const uint8_t *content, size_t length);
  /* Reads the records in the quickest way; how many bytes they have. */
  size_t (*read)(void *handle, int count);
  void (*close)(void *handle);
  /* What `open` needs to know. */
  void *library;
  int variant;
  /* Whether SQLCipher derives the key from a passphrase, as it does by default. */
  int has_passphrase;
};

struct store store_ours(const char *library);
struct store store_askar(const char *library);
struct store store_sqlcipher(const char *library);
/* SQLite with libsodium in plain C: each record in guarded memory, as in the core, or in ordinary memory. */
struct store store_limit(const char *sqlite, int is_guarded);

#endif
