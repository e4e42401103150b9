/*
 * SQLite in plain C: SQLCipher, which encrypts the pages of the file, and the limit, SQLite that
 * checks the file when it opens, with records sealed by libsodium. The functions are looked up, so that two SQLites fit in one process.
 */
#include <sodium.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "store.h"

enum { SQLCIPHER, IN_ORDINARY_MEMORY, IN_GUARDED_MEMORY };
enum { NONCE = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES };
/* The room for one record and for several. With libsodium's canary, blocks end with a memory page. */
enum { SMALL_BLOCK = 4 * 1024 - 16, BLOCK = 16 * 1024 - 16 };

struct sqlite {
  int (*open)(const char *, sqlite3 **, int, const char *);
  int (*close)(sqlite3 *);
  int (*execute)(sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **);
  int (*prepare)(sqlite3 *, const char *, int, sqlite3_stmt **, const char **);
  int (*step)(sqlite3_stmt *);
  int (*reset)(sqlite3_stmt *);
  int (*finalize)(sqlite3_stmt *);
  int (*bind_text)(sqlite3_stmt *, int, const char *, int, void (*)(void *));
  int (*bind_blob)(sqlite3_stmt *, int, const void *, int, void (*)(void *));
  const void *(*column_blob)(sqlite3_stmt *, int);
  int (*column_bytes)(sqlite3_stmt *, int);
};

struct database {
  struct sqlite sqlite;
  sqlite3 *connection;
  int variant;
  uint8_t key[STORE_KEY_LENGTH];
};

static struct sqlite load(void *library) {
  struct sqlite sqlite;
  const struct {
    measure_function **place;
    const char *name;
  } functions[] = {
      {(measure_function **)&sqlite.open, "sqlite3_open_v2"},
      {(measure_function **)&sqlite.close, "sqlite3_close_v2"},
      {(measure_function **)&sqlite.execute, "sqlite3_exec"},
      {(measure_function **)&sqlite.prepare, "sqlite3_prepare_v2"},
      {(measure_function **)&sqlite.step, "sqlite3_step"},
      {(measure_function **)&sqlite.reset, "sqlite3_reset"},
      {(measure_function **)&sqlite.finalize, "sqlite3_finalize"},
      {(measure_function **)&sqlite.bind_text, "sqlite3_bind_text"},
      {(measure_function **)&sqlite.bind_blob, "sqlite3_bind_blob"},
      {(measure_function **)&sqlite.column_blob, "sqlite3_column_blob"},
      {(measure_function **)&sqlite.column_bytes, "sqlite3_column_bytes"},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    *functions[i].place = measure_symbol(library, functions[i].name);
  }
  return sqlite;
}

static void run(const struct database *database, const char *sql) {
  if (database->sqlite.execute(database->connection, sql, NULL, NULL, NULL) != SQLITE_OK) {
    measure_fail("a statement of the SQLite store fails");
  }
}

static int require_ok(void *context, int count, char **values, char **names) {
  (void)context;
  (void)names;
  return count == 1 && strcmp(values[0], "ok") == 0 ? 0 : 1;
}

/* Finds the damage that the core finds at an opening. */
static void check(const struct database *database) {
  if (database->sqlite.execute(
          database->connection, "PRAGMA quick_check(1)", require_ok, NULL, NULL) != SQLITE_OK) {
    measure_fail("the SQLite store fails its check");
  }
}

static sqlite3_stmt *prepare(const struct database *database, const char *sql) {
  sqlite3_stmt *statement = NULL;
  if (database->sqlite.prepare(database->connection, sql, -1, &statement, NULL) != SQLITE_OK) {
    measure_fail("a statement of the SQLite store cannot be prepared");
  }
  return statement;
}

static void *open_store(const struct store *store, const char *directory, const uint8_t *key) {
  char path[512], hexadecimal[2 * STORE_KEY_LENGTH + 1], pragma[128];
  struct database *database = calloc(1, sizeof *database);
  if (database == NULL) {
    measure_fail("no memory");
  }
  database->sqlite = load(store->library);
  database->variant = store->variant;
  memcpy(database->key, key, STORE_KEY_LENGTH);
  snprintf(path, sizeof path, "%s/%s.db", directory, store->name);
  if (database->sqlite.open(
          path, &database->connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
      SQLITE_OK) {
    measure_fail("the SQLite store does not open");
  }
  if (database->variant == SQLCIPHER) {
    sodium_bin2hex(hexadecimal, sizeof hexadecimal, key, STORE_KEY_LENGTH);
    snprintf(
        pragma, sizeof pragma,
        store->has_passphrase ? "PRAGMA key = '%s'" : "PRAGMA key = \"x'%s'\"", hexadecimal);
    run(database, pragma);
  }
  run(database,
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON");
  if (database->variant != SQLCIPHER) {
    check(database);
  }
  run(database,
      "PRAGMA journal_mode = WAL;"
      "CREATE TABLE IF NOT EXISTS vault(name TEXT PRIMARY KEY, value BLOB NOT NULL)"
      " STRICT, WITHOUT ROWID");
  return database;
}

static void seal_records(
    void *handle, int first, int count, const uint8_t *content, size_t length) {
  const struct database *database = handle;
  const struct sqlite *sqlite = &database->sqlite;
  size_t box_length = NONCE + length + crypto_aead_xchacha20poly1305_ietf_ABYTES;
  uint8_t *box = malloc(box_length);
  run(database, "BEGIN IMMEDIATE");
  sqlite3_stmt *statement = prepare(database, "INSERT INTO vault(name, value) VALUES(?, ?)");
  for (int i = first; i < first + count; i++) {
    char name[32];
    int name_length = snprintf(name, sizeof name, "card-%d", i);
    sqlite->bind_text(statement, 1, name, name_length, SQLITE_STATIC);
    if (database->variant == SQLCIPHER) {
      sqlite->bind_blob(statement, 2, content, (int)length, SQLITE_STATIC);
    } else {
      /* As in the core, a value to be sealed is in guarded memory from the start. */
      int is_guarded = database->variant == IN_GUARDED_MEMORY;
      uint8_t *secret = is_guarded ? sodium_malloc(length) : malloc(length);
      memcpy(secret, content, length);
      if (is_guarded) {
        sodium_mprotect_readonly(secret);
      }
      randombytes_buf(box, NONCE);
      crypto_aead_xchacha20poly1305_ietf_encrypt(
          box + NONCE, NULL, secret, length, (const uint8_t *)name, (size_t)name_length, NULL, box,
          database->key);
      sqlite->bind_blob(statement, 2, box, (int)box_length, SQLITE_STATIC);
      is_guarded ? sodium_free(secret) : free(secret);
    }
    if (sqlite->step(statement) != SQLITE_DONE) {
      measure_fail("the SQLite store does not write");
    }
    sqlite->reset(statement);
  }
  sqlite->finalize(statement);
  run(database, "COMMIT");
  free(box);
}

/* Where records are opened: as in the core, several in one block, which is protected and wiped once for all. */
struct memory {
  uint8_t *block;
  size_t used, capacity;
  int is_guarded;
};

/* Nobody needs the records of a block any more. */
static void wipe(struct memory *memory) {
  if (memory->used > 0 && memory->is_guarded) {
    sodium_mprotect_readonly(memory->block);
    sodium_mprotect_readwrite(memory->block);
  }
  sodium_memzero(memory->block, memory->used);
  memory->used = 0;
}

/* Opens one sealed record, or copies a plain one; its length. */
static size_t take(
    const struct database *database, struct memory *memory, const uint8_t *stored, size_t length,
    const char *name) {
  int is_plain = database->variant == SQLCIPHER;
  size_t secret_length =
      is_plain ? length : length - NONCE - crypto_aead_xchacha20poly1305_ietf_ABYTES;
  if (secret_length > memory->capacity) {
    measure_fail("a record is too long for the benchmark");
  }
  if (secret_length > memory->capacity - memory->used) {
    wipe(memory);
  }
  uint8_t *secret = memory->block + memory->used;
  memory->used += secret_length;
  if (is_plain) {
    memcpy(secret, stored, secret_length);
  } else if (
      crypto_aead_xchacha20poly1305_ietf_decrypt(
          secret, NULL, NULL, stored + NONCE, length - NONCE, (const uint8_t *)name, strlen(name),
          stored, database->key) != 0) {
    measure_fail("a record of the limit does not open");
  }
  return secret_length;
}

static size_t read_records(void *handle, int count) {
  const struct database *database = handle;
  const struct sqlite *sqlite = &database->sqlite;
  struct memory memory = {
      .capacity = count == 1 ? SMALL_BLOCK : BLOCK,
      .is_guarded = database->variant == IN_GUARDED_MEMORY};
  size_t bytes = 0;
  memory.block = memory.is_guarded ? sodium_malloc(memory.capacity) : malloc(memory.capacity);
  if (memory.block == NULL) {
    measure_fail("no memory");
  }
  run(database, "BEGIN");
  sqlite3_stmt *statement = prepare(database, "SELECT value FROM vault WHERE name = ?");
  for (int i = 0; i < count; i++) {
    char name[32];
    sqlite->bind_text(statement, 1, name, snprintf(name, sizeof name, "card-%d", i), SQLITE_STATIC);
    if (sqlite->step(statement) != SQLITE_ROW) {
      measure_fail("the SQLite store has lost a record");
    }
    const uint8_t *stored = sqlite->column_blob(statement, 0);
    bytes += take(database, &memory, stored, (size_t)sqlite->column_bytes(statement, 0), name);
    sqlite->reset(statement);
  }
  sqlite->finalize(statement);
  run(database, "COMMIT");
  wipe(&memory);
  memory.is_guarded ? sodium_free(memory.block) : free(memory.block);
  return bytes;
}

static void close_store(void *handle) {
  struct database *database = handle;
  database->sqlite.close(database->connection);
  sodium_memzero(database, sizeof *database);
  free(database);
}

static struct store make(const char *name, const char *library, int variant) {
  return (struct store){
      .name = name,
      .open = open_store,
      .seal = seal_records,
      .read = read_records,
      .close = close_store,
      .library = measure_load(library),
      .variant = variant};
}

struct store store_sqlcipher(const char *library) {
  return make("sqlcipher", library, SQLCIPHER);
}

struct store store_limit(const char *library, int is_guarded) {
  return is_guarded ? make("limit", library, IN_GUARDED_MEMORY)
                    : make("unguarded", library, IN_ORDINARY_MEMORY);
}
