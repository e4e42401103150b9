/*
 * The cost of a library before it does anything, in a fresh process, and then of its store.
 *
 *   footprint SUBJECT LIBRARY FUNCTION [SCRATCH_DIRECTORY STORE_LIBRARY]
 *
 * A library called by Python, like stores.c. Prints microseconds from dlopen to the return of the
 * first call, the memory that this took, with and without what the library's file holds, and the
 * memory of no file that an open store of 100 records takes.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>

#include "measure.h"
#include "store.h"

enum { RECORDS = 100, CONTENT = 2048 };

static void open_store(const char *subject, const char *scratch, const char *library) {
  static uint8_t key[STORE_KEY_LENGTH], content[CONTENT];
  struct store store = strcmp(subject, "ours") == 0    ? store_ours(library)
                       : strcmp(subject, "askar") == 0 ? store_askar(library)
                       : strcmp(subject, "limit") == 0 ? store_limit(library, 1)
                                                       : store_sqlcipher(library);
  int64_t before = measure_resident("RssAnon");
  void *handle = store.open(&store, scratch, key);
  store.seal(handle, 0, RECORDS, content, CONTENT);
  if (store.read(handle, RECORDS) != (size_t)RECORDS * CONTENT) {
    measure_fail("a store did not read what it was given");
  }
  measure_print("private store", subject, (double)(measure_resident("RssAnon") - before));
  store.close(handle);
}

int footprint_main(int count, char **arguments);

int footprint_main(int count, char **arguments) {
  if ((count != 4 && count != 6) || sodium_init() < 0) {
    measure_fail("usage: footprint SUBJECT LIBRARY FUNCTION [SCRATCH_DIRECTORY STORE_LIBRARY]");
  }
  int64_t memory = measure_resident("VmRSS"), private = measure_resident("RssAnon");
  int64_t start = measure_now();
  void *library = measure_load(arguments[2]);
  ((int32_t(*)(void))measure_symbol(library, arguments[3]))();
  measure_print("load", arguments[1], (double)(measure_now() - start) / 1e3);
  measure_print("resident load", arguments[1], (double)(measure_resident("VmRSS") - memory));
  measure_print("private load", arguments[1], (double)(measure_resident("RssAnon") - private));
  if (count == 6) {
    open_store(arguments[1], arguments[4], arguments[5]);
  }
  return 0;
}
