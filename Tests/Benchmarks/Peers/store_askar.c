/* aries-askar's store by its C ABI, with the settings that the others have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "askar.h"
#include "measure.h"
#include "store.h"

static struct askar askar;
static const char category[] = "card";

static void *open_store(const struct store *store, const char *directory, const uint8_t *key) {
  char path[512], uri[640], *text = NULL;
  (void)store;
  snprintf(path, sizeof path, "%s/askar.db", directory);
  snprintf(
      uri, sizeof uri, "sqlite://%s?journal_mode=WAL&synchronous=FULL&max_connections=1", path);
  askar_check(
      askar.raw_key((struct askar_bytes){STORE_KEY_LENGTH, (uint8_t *)key}, &text), "raw key");
  int is_new = access(path, F_OK) != 0;
  askar_check(
      is_new ? askar.provision(uri, "raw", text, NULL, 0, askar_on_handle, 0)
             : askar.open(uri, "raw", text, NULL, askar_on_handle, 0),
      "askar's store does not open");
  askar_handle handle = askar_wait(1);
  askar.text_free(text);
  return (void *)handle;
}

static askar_handle begin(void *handle, int8_t is_transaction) {
  askar_check(
      askar.session((askar_handle)handle, NULL, is_transaction, askar_on_handle, 0), "session");
  return askar_wait(1);
}

static void end(askar_handle session, int8_t commits) {
  askar_check(askar.end(session, commits, askar_on_done, 0), "end of a session");
  askar_wait(1);
}

/* All calls are made before waiting for the first answer. */
static void seal_records(
    void *handle, int first, int count, const uint8_t *content, size_t length) {
  enum { INSERT = 0 };
  askar_handle session = begin(handle, 1);
  for (int i = first; i < first + count; i++) {
    char name[32];
    snprintf(name, sizeof name, "card-%d", i);
    struct askar_bytes value = {(int64_t)length, (uint8_t *)content};
    askar_check(
        askar.update(session, INSERT, category, name, value, NULL, -1, askar_on_done, i), "insert");
  }
  askar_wait(count);
  end(session, 1);
}

/* One by name; several as one list, which is quicker. */
static size_t read_records(void *handle, int count) {
  askar_handle session = begin(handle, 0);
  askar_check(
      count == 1 ? askar.fetch(session, category, "card-0", 0, askar_on_handle, 0)
                 : askar.fetch_all(session, category, NULL, -1, NULL, 0, 0, askar_on_handle, 0),
      "fetch");
  askar_handle entries = askar_wait(1);
  int32_t found = entries != 0; /* the count of what `fetch` brings is 0 */
  size_t bytes = 0;
  if (count > 1) {
    askar_check(askar.entry_count(entries, &found), "count");
  }
  for (int32_t i = 0; i < found && i < count; i++) {
    struct askar_bytes value;
    askar_check(askar.entry_value(entries, i, &value), "value");
    bytes += (size_t)value.length;
    askar.bytes_free(value);
  }
  askar.entries_free(entries);
  end(session, 0);
  return bytes;
}

static void close_store(void *handle) {
  askar_check(askar.close((askar_handle)handle, askar_on_done, 0), "close");
  askar_wait(1);
}

struct store store_askar(const char *path) {
  void *library = measure_load(path);
  askar = askar_load(library);
  return (struct store){
      .name = "askar",
      .open = open_store,
      .seal = seal_records,
      .read = read_records,
      .close = close_store,
      .library = library};
}
