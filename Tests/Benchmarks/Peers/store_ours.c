/* The core's sealed store, by the functions of Store/OurStore.swift. */
#include "measure.h"
#include "store.h"

static void *(*our_open)(const char *, const uint8_t *);
static int32_t (*our_seal)(void *, intptr_t, intptr_t, const void *, intptr_t);
static intptr_t (*our_read)(void *, intptr_t);
static void (*our_close)(void *);

static void *open_store(const struct store *store, const char *directory, const uint8_t *key) {
  (void)store;
  void *handle = our_open(directory, key);
  if (handle == NULL) {
    measure_fail("our store does not open");
  }
  return handle;
}

static void seal_records(
    void *handle, int first, int count, const uint8_t *content, size_t length) {
  if (our_seal(handle, first, count, content, (intptr_t)length) != 0) {
    measure_fail("our store does not seal");
  }
}

static size_t read_records(void *handle, int count) {
  intptr_t bytes = our_read(handle, count);
  return bytes < 0 ? 0 : (size_t)bytes;
}

static void close_store(void *handle) {
  our_close(handle);
}

struct store store_ours(const char *path) {
  void *library = measure_load(path);
  our_open = (void *(*)(const char *, const uint8_t *))measure_symbol(library, "our_store_open");
  our_seal = (int32_t(*)(void *, intptr_t, intptr_t, const void *, intptr_t))measure_symbol(
      library, "our_store_seal");
  our_read = (intptr_t(*)(void *, intptr_t))measure_symbol(library, "our_store_read");
  our_close = (void (*)(void *))measure_symbol(library, "our_store_close");
  return (struct store){
      .name = "ours",
      .open = open_store,
      .seal = seal_records,
      .read = read_records,
      .close = close_store,
      .library = library};
}
