/*
 * The used part of the C ABI of aries-askar 0.5, declared from its documentation: every call that
 * may wait takes a callback, and `askar_wait` waits for it.
 */
#ifndef ASKAR_H
#define ASKAR_H

#include <stddef.h>
#include <stdint.h>

typedef int64_t askar_status;
typedef size_t askar_handle;

struct askar_bytes {
  int64_t length;
  uint8_t *bytes;
};

struct askar_argon2 {
  int32_t algorithm, version, parallelism, memory_kib, passes;
};

typedef void askar_done(int64_t call, askar_status status);
typedef void askar_done_with(int64_t call, askar_status status, askar_handle handle);
typedef void askar_done_with_text(int64_t call, askar_status status, char *text);

struct askar {
  askar_status (*raw_key)(struct askar_bytes seed, char **key);
  askar_status (*derive)(
      int8_t preset, struct askar_bytes password, struct askar_bytes salt,
      const struct askar_argon2 *parameters, struct askar_bytes *key);
  askar_status (*provision)(
      const char *uri, const char *method, const char *key, const char *profile, int8_t recreate,
      askar_done_with *done, int64_t call);
  askar_status (*open)(
      const char *uri, const char *method, const char *key, const char *profile,
      askar_done_with *done, int64_t call);
  askar_status (*close)(askar_handle store, askar_done *done, int64_t call);
  askar_status (*profile_name)(askar_handle store, askar_done_with_text *done, int64_t call);
  askar_status (*session)(
      askar_handle store, const char *profile, int8_t is_transaction, askar_done_with *done,
      int64_t call);
  askar_status (*end)(askar_handle session, int8_t commits, askar_done *done, int64_t call);
  askar_status (*update)(
      askar_handle session, int8_t operation, const char *category, const char *name,
      struct askar_bytes value, const char *tags, int64_t expiry, askar_done *done, int64_t call);
  askar_status (*fetch)(
      askar_handle session, const char *category, const char *name, int8_t for_update,
      askar_done_with *done, int64_t call);
  askar_status (*fetch_all)(
      askar_handle session, const char *category, const char *tags, int64_t limit,
      const char *order_by, int8_t descending, int8_t for_update, askar_done_with *done,
      int64_t call);
  askar_status (*entry_count)(askar_handle entries, int32_t *count);
  askar_status (*entry_value)(askar_handle entries, int32_t index, struct askar_bytes *value);
  void (*entries_free)(askar_handle entries);
  void (*bytes_free)(struct askar_bytes bytes);
  void (*text_free)(char *text);
  askar_status (*key_from_secret)(
      const char *algorithm, struct askar_bytes secret, askar_handle *key);
  askar_status (*sign)(
      askar_handle key, struct askar_bytes message, const char *type,
      struct askar_bytes *signature);
  char *(*version)(void);
};

/* Looks up all functions. */
struct askar askar_load(void *library);

/* Waits until `calls` callbacks of below have come; the handle that the last one brought. */
askar_handle askar_wait(int calls);
void askar_on_done(int64_t call, askar_status status);
void askar_on_handle(int64_t call, askar_status status, askar_handle handle);

/* Ends the program if a call was refused at once. */
void askar_check(askar_status status, const char *what);

#endif
