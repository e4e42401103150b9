/*
 * Opening, sealing, reading and growing: the core's store, its peers and plain C, alternating in
 * one process.
 *
 *   stores SCRATCH_DIRECTORY OUR_STORE ASKAR SQLCIPHER SQLITE ROUNDS
 *
 * A library whose entry a Python process calls: SQLCipher's library is a Python module and needs
 * Python's symbols. No measured instruction is Python's.
 */
#include <ftw.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "measure.h"
#include "store.h"

enum { STORES = 5, MOST_ROUNDS = 200, CONTENT = 2048 };

static struct store stores[STORES];
static uint8_t key[STORE_KEY_LENGTH];
static uint8_t content[CONTENT];
static const char *scratch;
static int directories;

static const char *new_directory(void) {
  static char path[512];
  snprintf(path, sizeof path, "%s/%d", scratch, directories++);
  if (mkdir(path, 0700) != 0) {
    measure_fail("no directory");
  }
  return path;
}

/* Remaining files are deleted with the scratch directory: askar deletes its log some time after its close. */
static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *where) {
  (void)status;
  (void)type;
  (void)where;
  (void)remove(path);
  return 0;
}

static void remove_directory(const char *path) {
  (void)nftw(path, remove_entry, 4, FTW_DEPTH | FTW_PHYS);
}

static double microseconds_since(int64_t start) {
  return (double)(measure_now() - start) / 1e3;
}

static void require_bytes(size_t bytes, int count) {
  if (bytes != (size_t)count * CONTENT) {
    measure_fail("a store did not read what it was given");
  }
}

/* Sealing `count` records in one transaction, and reading them. */
static void seal_and_read(int count, int rounds) {
  double sealing[STORES][MOST_ROUNDS], reading[STORES][MOST_ROUNDS];
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < STORES; i++) {
      const struct store *store = &stores[(i + round) % STORES];
      const char *directory = new_directory();
      void *handle = store->open(store, directory, key);
      /* The first write after an opening begins the log, unless the opening wrote itself. */
      store->seal(handle, count, 1, content, CONTENT);
      int64_t start = measure_now();
      store->seal(handle, 0, count, content, CONTENT);
      sealing[store - stores][round] = microseconds_since(start);
      start = measure_now();
      size_t bytes = store->read(handle, count);
      reading[store - stores][round] = microseconds_since(start);
      require_bytes(bytes, count);
      store->close(handle);
      remove_directory(directory);
    }
  }
  for (int i = 0; i < STORES; i++) {
    char measure[64];
    snprintf(measure, sizeof measure, "seal %d", count);
    measure_print(measure, stores[i].name, measure_median(sealing[i], (size_t)rounds));
    snprintf(measure, sizeof measure, "read %d", count);
    measure_print(measure, stores[i].name, measure_median(reading[i], (size_t)rounds));
  }
}

/* From closed files with `count` records to the first record read. */
static void open_with(int count, int rounds) {
  double times[STORES][MOST_ROUNDS];
  char paths[STORES][512];
  for (int i = 0; i < STORES; i++) {
    snprintf(paths[i], sizeof paths[i], "%s", new_directory());
    void *handle = stores[i].open(&stores[i], paths[i], key);
    stores[i].seal(handle, 0, count, content, CONTENT);
    stores[i].close(handle);
  }
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < STORES; i++) {
      int chosen = (i + round) % STORES;
      int64_t start = measure_now();
      void *handle = stores[chosen].open(&stores[chosen], paths[chosen], key);
      size_t bytes = stores[chosen].read(handle, 1);
      times[chosen][round] = microseconds_since(start);
      stores[chosen].close(handle);
      if (bytes == 0) {
        measure_fail("a store opened without its records");
      }
    }
  }
  for (int i = 0; i < STORES; i++) {
    char measure[64];
    snprintf(measure, sizeof measure, "open %d", count);
    measure_print(measure, stores[i].name, measure_median(times[i], (size_t)rounds));
    remove_directory(paths[i]);
  }
}

int stores_main(int count, char **arguments);

int stores_main(int count, char **arguments) {
  if (count != 7 || sodium_init() < 0) {
    measure_fail("usage: stores SCRATCH_DIRECTORY OUR_STORE ASKAR SQLCIPHER SQLITE ROUNDS");
  }
  scratch = arguments[1];
  stores[0] = store_ours(arguments[2]);
  stores[1] = store_askar(arguments[3]);
  stores[2] = store_sqlcipher(arguments[4]);
  stores[3] = store_limit(arguments[5], 1);
  stores[4] = store_limit(arguments[5], 0);
  int rounds = atoi(arguments[6]);
  if (rounds < 1 || rounds > MOST_ROUNDS) {
    measure_fail("1 to 200 rounds");
  }
  randombytes_buf(key, sizeof key);
  randombytes_buf(content, sizeof content);

  const int sizes[] = {1, 10, 100, 1000, 10000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    int fewer = sizes[i] > 1000 && rounds > 5 ? 5 : rounds;
    open_with(sizes[i], fewer);
    seal_and_read(sizes[i], fewer);
  }
  return 0;
}
