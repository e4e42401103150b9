/*
 * Random functions, arguments, orders and threads, before init and after it, inside callbacks and
 * outside, with bridges that answer, refuse, answer late, twice or never. Whatever a host does,
 * the answer is a status that the header names, never INTERNAL, and afterwards the wallet works.
 *
 * WALLET_CORE_RANDOM_CALLS says how many calls, WALLET_CORE_RANDOM_SEED which.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "check.h"
#include "host.h"
#include "process.h"
#include "software_keys.h"

enum { THREADS = 4, CLIENTS = 16, LATE = 64, CONTEXTS = 1 << 20, SINKS = 6, INSIDE = 3 };

/* --- chance ---------------------------------------------------------------------------------- */

/* splitmix64; each thread has a stream of its own. */
static _Thread_local uint64_t stream;
static atomic_uint_least64_t streams;
static uint64_t seed = 1;

static uint64_t chance(void) {
  if (stream == 0) {
    stream = seed * 0x9E3779B97F4A7C15u + (atomic_fetch_add(&streams, 1) + 1) * 0xD1342543DE82EF95u;
  }
  uint64_t mixed = stream += 0x9E3779B97F4A7C15u;
  mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
  return mixed ^ mixed >> 31;
}

static uint64_t below(uint64_t limit) {
  return chance() % limit;
}

static int one_in(uint64_t count) {
  return below(count) == 0;
}

/* --- checks ---------------------------------------------------------------------------------- */

static atomic_long calls, unknown_statuses, defects, wrong_errors, late_calls, double_destroys;
static atomic_long answers[128];
static atomic_int is_peaceful;

/* Checks a status and the error that belongs to it. */
static wallet_core_status check_answer(
    const char *function, wallet_core_status status, wallet_core_error **error) {
  atomic_fetch_add(&calls, 1);
  if (status > 0 || status <= -128 || strcmp(wallet_core_status_name(status), "UNKNOWN") == 0) {
    atomic_fetch_add(&unknown_statuses, 1);
    printf("# %s answered %d\n", function, status);
  } else {
    atomic_fetch_add(&answers[-status], 1);
  }
  if (status == WALLET_CORE_ERROR_INTERNAL) {
    atomic_fetch_add(&defects, 1);
    printf(
        "# %s: %s\n", function,
        error != NULL ? wallet_core_error_message(*error, NULL) : "(no error asked for)");
  }
  if (error != NULL) {
    int is_wanted = status != WALLET_CORE_OK && status != WALLET_CORE_ERROR_TIMEOUT &&
                    status != WALLET_CORE_ERROR_INTERRUPTED;
    if (is_wanted != (*error != NULL) ||
        (*error != NULL && wallet_core_error_code(*error) != status)) {
      atomic_fetch_add(&wrong_errors, 1);
      printf("# %s: error object and status %d differ\n", function, status);
    }
    size_t length = 0;
    (void)wallet_core_error_category(*error);
    if (strlen(wallet_core_error_data(*error, &length)) != length) {
      atomic_fetch_add(&wrong_errors, 1);
    }
    wallet_core_error_free(*error);
  }
  return status;
}

/* One call; its arguments come first, the error last; the error may be NULL. */
#define CALL(function, ...)                                             \
  do {                                                                  \
    wallet_core_error *made = NULL, **error = one_in(3) ? NULL : &made; \
    check_answer(#function, function(__VA_ARGS__, error), error);       \
  } while (0)

/* --- arguments ------------------------------------------------------------------------------- */

static atomic_uint_least64_t clients[CLIENTS];

static wallet_core_client any_client(void) {
  switch (below(14)) {
    case 0:
      return 0;
    case 1:
      return chance();
    case 2:
      return below(500);
    default:
      return atomic_load(&clients[below(CLIENTS)]);
  }
}

static uint64_t any_number(void) {
  switch (below(4)) {
    case 0:
      return 0;
    case 1:
      return chance();
    default:
      return below(4000); /* ids are given out from 1 on, so these hit */
  }
}

static const char *any_text(void) {
  static char too_long[400];
  if (too_long[0] == 0) {
    memset(too_long, 'x', sizeof too_long - 1);
  }
  static const char *const texts[] = {
      NULL,        "",         "app",          "second", "third",
      "1.4.2",     "\xC3\x28", "\xED\xA0\x80", "\xF8",   "n\xC3\xA4me \xF0\x9F\x94\x92",
      "a\x01\x7F", "999.1.x"};
  size_t count = sizeof texts / sizeof texts[0];
  size_t drawn = below(count + 1);
  return drawn == count ? too_long : texts[drawn];
}

static const uint8_t right_pin[] = "405162";

/* A PIN or not. Longer ones than 64 are refused before they are read. */
static const uint8_t *any_pin(size_t *length) {
  static const uint8_t others[64] =
      "123456777777\x00\xFF"
      "40516";
  static const size_t lengths[] = {0, 1, 5, 7, 64, 65, 1 << 20, SIZE_MAX, SIZE_MAX / 2 + 1};
  *length = one_in(2) ? 6 : lengths[below(sizeof lengths / sizeof lengths[0])];
  switch (below(8)) {
    case 0:
      return NULL;
    case 1:
      return others + below(14);
    default:
      *length = *length == 6 ? 6 : *length > 64 ? *length : below(7);
      return right_pin;
  }
}

/* --- events ---------------------------------------------------------------------------------- */

/* The serial of the newest step that was read. */
static atomic_uint_least64_t newest_step;

/* Calls every getter of a step, also for values that it lacks; for other events they return nothing. */
static void read_step(const wallet_core_event *event) {
  static const char *const names[] = {NULL,     "",    "attempts_left", "blocked_for_ms",
                                      "reason", "\xFF"};
  int is_step = wallet_core_event_kind(event) == WALLET_CORE_EVENT_STEP;
  uint64_t serial = wallet_core_event_step_serial(event);
  size_t count = wallet_core_event_step_action_count(event);
  size_t notices = wallet_core_event_step_notice_count(event);
  size_t length =
      strlen(wallet_core_event_step_use_case(event)) + strlen(wallet_core_event_step_row(event)) +
      strlen(wallet_core_event_step_name(event)) + strlen(wallet_core_event_step_title(event)) +
      strlen(wallet_core_event_step_message(event)) +
      strlen(wallet_core_event_step_beneath(event)) + count + notices;
  for (size_t i = 0; i < count; i++) {
    length += strlen(wallet_core_event_step_action_label(event, i));
    if (*wallet_core_event_step_action(event, i) == 0) atomic_fetch_add(&wrong_errors, 1);
  }
  for (size_t i = 0; i < notices; i++) {
    length += strlen(wallet_core_event_step_notice(event, i));
  }
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    int64_t number = 0;
    length += strlen(wallet_core_event_step_text(event, names[i]));
    length += (size_t)wallet_core_event_step_number(event, names[i], one_in(2) ? &number : NULL);
  }
  size_t beyond = one_in(2) ? count : (size_t)chance() | 1u << 20;
  if (*wallet_core_event_step_action(event, beyond) != 0 ||
      *wallet_core_event_step_action_label(event, beyond) != 0 ||
      *wallet_core_event_step_notice(event, beyond + notices) != 0 || is_step != (length > 0) ||
      is_step != (serial > 0) || is_step != (wallet_core_event_step_kind(event) > 0) ||
      wallet_core_event_step_input(event) < 0) {
    atomic_fetch_add(&wrong_errors, 1);
    printf("# a step contradicts itself\n");
  }
  if (is_step) atomic_store(&newest_step, serial);
}

/* Calls every getter of an event, whatever its kind. */
static void read_event(const wallet_core_event *event) {
  size_t length = 0;
  int32_t sum = wallet_core_event_kind(event) + wallet_core_event_is_locked(event) +
                wallet_core_event_version_grade(event) +
                wallet_core_event_version_is_update_available(event) +
                wallet_core_event_pin_outcome(event) + wallet_core_event_pin_attempts_left(event) +
                wallet_core_event_pin_is_final_round(event);
  int64_t times =
      wallet_core_event_locks_in_ms(event) + wallet_core_event_version_blocked_in_ms(event) +
      wallet_core_event_pin_blocked_for_ms(event) + (int64_t)wallet_core_event_request(event);
  const wallet_core_error *error = wallet_core_event_error(event);
  if (strlen(wallet_core_event_json(event, &length)) != length || sum < 0 || times < 0 ||
      wallet_core_error_code(error) != wallet_core_event_status(event)) {
    atomic_fetch_add(&wrong_errors, 1);
  }
  check_answer("a completion", wallet_core_event_status(event), NULL);
  read_step(event);
}

/* Chooses an action that the step offers, so that the flows advance; rarely the wipe. */
static void choose_from(const wallet_core_event *event) {
  size_t count = wallet_core_event_step_action_count(event);
  if (count == 0) return;
  const char *action = wallet_core_event_step_action(event, below(count));
  if (strcmp(wallet_core_event_step_name(event), "wipe") == 0 && !one_in(50)) action = "cancel";
  uint64_t serial = wallet_core_event_step_serial(event);
  int wants_pin = wallet_core_event_step_input(event) == WALLET_CORE_INPUT_PIN;
  size_t length = 0;
  const uint8_t *pin = any_pin(&length);
  if (wants_pin ? one_in(8) : !one_in(8)) {
    pin = NULL;
    length = 0;
  }
  CALL(wallet_core_choose, any_client(), serial, action, pin, length);
}

/* Events outlive their client and may be freed anywhere, so some are kept for another thread. */
static void drop_event(wallet_core_event *event) {
  static _Atomic(wallet_core_event *) kept[8];
  read_event(event);
  if (!atomic_load(&is_peaceful) && one_in(2)) choose_from(event);
  if (one_in(2)) {
    event = atomic_exchange(&kept[below(8)], event);
    read_event(event);
  }
  wallet_core_event_free(event);
}

/* --- callbacks ------------------------------------------------------------------------------- */

/* A context is a number; 1 once it was released. */
static atomic_uchar released[CONTEXTS];
static atomic_size_t contexts;

static void *new_context(void) {
  return (void *)(uintptr_t)(atomic_fetch_add(&contexts, 1) % (CONTEXTS - 1) + 1);
}

static void on_destroy(void *context) {
  if (atomic_exchange(&released[(uintptr_t)context], 1) != 0) {
    atomic_fetch_add(&double_destroys, 1);
  }
}

static void random_call(int depth);

static void in_callback(void *context) {
  if (atomic_load(&released[(uintptr_t)context]) != 0) {
    atomic_fetch_add(&late_calls, 1);
  }
  if (one_in(20)) {
    process_sleep((int)below(10));
  }
}

static void on_event(void *context, wallet_core_event *event) {
  in_callback(context);
  drop_event(event);
  if (!atomic_load(&is_peaceful) && one_in(2)) {
    random_call(INSIDE);
  }
}

static void on_wakeup(void *context) {
  in_callback(context);
}

/* --- bridges --------------------------------------------------------------------------------- */

static wallet_core_signing_key_bridge good_signing;
static wallet_core_encryption_key_bridge good_encryption;
static wallet_core_utilities_bridge good_utilities;

static void reply_anyhow(uint64_t call) {
  static const uint8_t bytes[70000] = {1, 0x30, 0x2A};
  static const size_t lengths[] = {0, 1, 32, 44, 64, 4096, 70000, (1 << 20) + 1, SIZE_MAX};
  static const int32_t statuses[] = {0, 1,  2,   3,     4,     5,     6,     7,         8,
                                     9, -1, -14, -1000, -1500, -1999, -2000, INT32_MIN, INT32_MAX};
  size_t length = lengths[below(sizeof lengths / sizeof lengths[0])];
  check_answer(
      "bridge_reply",
      wallet_core_bridge_reply(
          call, statuses[below(sizeof statuses / sizeof statuses[0])], one_in(4) ? NULL : bytes,
          length, any_text()),
      NULL);
}

/* Calls that another thread answers later, or that a newer call replaces unanswered. */
static atomic_uint_least64_t late[LATE];

/* What a bridge does with a call: 1 to answer it correctly, now. */
static int answers_rightly(uint64_t call) {
  if (atomic_load(&is_peaceful)) {
    return 1;
  }
  switch (below(40)) {
    case 0:
    case 1:
    case 2:
      reply_anyhow(call);
      return one_in(2); /* twice */
    case 3:
    case 4:
      atomic_store(&late[below(LATE)], call);
      return 0;
    case 5:
      if (one_in(10)) {
        return 0; /* never */
      }
      process_sleep((int)below(30));
      return 1;
    case 6:
      random_call(INSIDE);
      return 1;
    default:
      return 1;
  }
}

static void public_key(void *context, uint64_t call, const char *identifier) {
  if (answers_rightly(call)) good_signing.public_key(context, call, identifier);
}

static void sign(
    void *context, uint64_t call, const char *identifier, const uint8_t *payload, size_t length) {
  if (answers_rightly(call)) good_signing.sign(context, call, identifier, payload, length);
}

static void delete_signing(void *context, uint64_t call, const char *identifier) {
  if (answers_rightly(call)) good_signing.delete_key(context, call, identifier);
}

static void encrypt(
    void *context, uint64_t call, const char *identifier, wallet_core_protection protection,
    const uint8_t *plaintext, size_t length) {
  if (answers_rightly(call)) {
    good_encryption.encrypt(context, call, identifier, protection, plaintext, length);
  }
}

static void decrypt(
    void *context, uint64_t call, const char *identifier, wallet_core_protection protection,
    const uint8_t *ciphertext, size_t length) {
  if (answers_rightly(call)) {
    good_encryption.decrypt(context, call, identifier, protection, ciphertext, length);
  }
}

static void delete_encryption(void *context, uint64_t call, const char *identifier) {
  if (answers_rightly(call)) good_encryption.delete_key(context, call, identifier);
}

static void device_secure(void *context, uint64_t call) {
  if (answers_rightly(call)) good_utilities.device_secure(context, call);
}

static void cancelled(void *context, uint64_t call) {
  (void)context;
  if (one_in(4)) reply_anyhow(call);
}

/* Bridges of any shape; mostly complete ones, because otherwise nothing would ever work. */
static void hand_over(int corrupt) {
  wallet_core_signing_key_bridge signing = good_signing;
  wallet_core_encryption_key_bridge encryption = good_encryption;
  wallet_core_utilities_bridge utilities = good_utilities;
  signing.public_key = public_key;
  signing.sign = sign;
  signing.delete_key = delete_signing;
  encryption.encrypt = encrypt;
  encryption.decrypt = decrypt;
  encryption.delete_key = delete_encryption;
  utilities.device_secure = device_secure;
  signing.cancel = encryption.cancel = utilities.cancel = one_in(2) ? cancelled : NULL;
  if (corrupt) {
    static const size_t sizes[] = {0, 1, 8, 31, 48, 56, 63};
    size_t size = sizes[below(sizeof sizes / sizeof sizes[0])];
    switch (below(5)) {
      case 0:
        signing.struct_size = size;
        break;
      case 1:
        encryption.struct_size = size;
        break;
      case 2:
        signing.sign = NULL;
        break;
      case 3:
        encryption.delete_key = NULL;
        break;
      default:
        utilities.platform = (int32_t)chance();
    }
  }
  CALL(
      wallet_core_init_platform_support, corrupt && one_in(5) ? NULL : &signing,
      corrupt && one_in(5) ? NULL : &encryption, corrupt && one_in(5) ? NULL : &utilities);
}

/* --- calls ----------------------------------------------------------------------------------- */

static wallet_core_options good_options;

static void call_init(void) {
  wallet_core_options options = good_options;
  static const size_t sizes[] = {0, 8, 40, 111, 112};
  switch (below(8)) {
    case 0:
      options.struct_size = sizes[below(5)];
      break;
    case 1:
      options.embedded_configuration_length = one_in(2) ? below(400) : SIZE_MAX;
      break;
    case 2:
      options.embedded_configuration = NULL;
      break;
    case 3:
      options.app_version = any_text();
      break;
    case 4:
      options.app_id = any_text();
      break;
    case 5:
      options.storage_path = one_in(2) ? "/nowhere/at/all" : any_text();
      break;
    case 6:
      options.configuration_key_count = one_in(2) ? below(20) : SIZE_MAX;
      break;
    default:
      options.log_level = (int32_t)chance();
      options.reserved = (int32_t)below(2);
  }
  CALL(wallet_core_init, one_in(10) ? NULL : &options);
}

typedef wallet_core_status set_sink(
    wallet_core_client client, wallet_core_event_callback callback, void *context,
    wallet_core_destroy destroy, uint64_t *token, wallet_core_error **error);
typedef wallet_core_status clear_sink(
    wallet_core_client client, uint64_t token, wallet_core_error **error);

static set_sink *const setters[SINKS - 1] = {
    wallet_core_set_event_callback, wallet_core_set_configuration_stream,
    wallet_core_set_lock_stream, wallet_core_set_version_state_stream, wallet_core_set_step_stream};
static clear_sink *const clearers[SINKS] = {
    wallet_core_clear_event_callback, wallet_core_clear_configuration_stream,
    wallet_core_clear_lock_stream,    wallet_core_clear_version_state_stream,
    wallet_core_clear_step_stream,    wallet_core_clear_wakeup};
static _Thread_local uint64_t token;

static void call_sink(void) {
  size_t sink = below(SINKS);
  uint64_t *out = one_in(4) ? NULL : &token;
  wallet_core_destroy destroy = one_in(4) ? NULL : on_destroy;
  if (one_in(3)) {
    uint64_t cleared = one_in(3) ? 0 : one_in(3) ? any_number() : token;
    CALL(clearers[sink], any_client(), cleared);
  } else if (sink < SINKS - 1) {
    wallet_core_event_callback callback = one_in(20) ? NULL : on_event;
    CALL(setters[sink], any_client(), callback, new_context(), destroy, out);
  } else {
    wallet_core_wakeup_callback callback = one_in(20) ? NULL : on_wakeup;
    CALL(wallet_core_set_wakeup, any_client(), callback, new_context(), destroy, out);
  }
}

/* Clients live for many calls, else no request would ever come to its end; a slot whose client has
   ended is filled again soon. */
static void call_attach(void) {
  wallet_core_client client = 0;
  size_t place = below(CLIENTS);
  wallet_core_client old = atomic_load(&clients[place]);
  int has_ended = wallet_core_client_interrupt(old, NULL) != WALLET_CORE_OK;
  uint32_t flags = one_in(8) ? (uint32_t)chance() & ~1u : 0;
  char name[32];
  snprintf(name, sizeof name, "engine %d", (int)place);
  if (has_ended || one_in(60)) flags |= WALLET_CORE_ATTACH_TAKE_OVER;
  const char *text = one_in(10) ? any_text() : name;
  CALL(wallet_core_client_attach, text, flags, one_in(30) ? NULL : &client);
  if (client != 0) {
    old = atomic_exchange(&clients[place], client);
    check_answer("client_abandon", wallet_core_client_abandon(old), NULL);
  }
}

static void call_request(void) {
  uint64_t request = 0, *out = one_in(4) ? NULL : &request;
  size_t length = 0;
  const uint8_t *pin = any_pin(&length);
  switch (below(15)) {
    case 0:
    case 1:
    case 2:
      CALL(wallet_core_register, any_client(), pin, length, out);
      break;
    case 3:
    case 4:
    case 5:
      CALL(wallet_core_unlock, any_client(), pin, length, out);
      break;
    case 6:
      if (one_in(2)) {
        CALL(wallet_core_check_pin, any_client(), pin, length, out);
      } else {
        CALL(wallet_core_pin_state, any_client(), out);
      }
      break;
    case 7:
      if (one_in(200)) CALL(wallet_core_wipe, any_client(), out);
      if (one_in(20)) CALL(wallet_core_refresh, any_client(), out);
      break;
    case 8:
      CALL(wallet_core_enable_biometric_unlock, any_client(), pin, length, out);
      break;
    case 9:
      CALL(wallet_core_unlock_with_biometrics, any_client(), out);
      break;
    case 10:
      CALL(wallet_core_disable_biometric_unlock, any_client(), out);
      break;
    case 11:
      CALL(wallet_core_cards, any_client(), out);
      break;
    case 12: {
      const char *claims[] = {any_text(), any_text(), any_text()};
      CALL(
          wallet_core_present, any_client(), one_in(2) ? "pid" : any_text(),
          one_in(6) ? NULL : claims, one_in(6) ? (size_t)chance() : below(4), any_text(),
          any_text(), out);
      break;
    }
    case 13: {
      size_t new_length = 0;
      const uint8_t *new_pin = any_pin(&new_length);
      CALL(wallet_core_change_pin, any_client(), pin, length, new_pin, new_length, out);
      break;
    }
    case 14:
      CALL(
          wallet_core_decide_replacement, any_client(), any_text(), (int32_t)below(4), pin, length,
          out);
      break;
    default:
      break;
  }
  if (one_in(2)) CALL(wallet_core_cancel, any_client(), one_in(2) ? request : any_number());
}

static void call_flow(void) {
  static char long_link[2060];
  static uint8_t scanned[4097];
  if (long_link[0] == 0) {
    memset(long_link, 'x', sizeof long_link - 1);
  }
  size_t length = 0;
  const uint8_t *pin = any_pin(&length);
  uint64_t serial = one_in(8) ? any_number() : atomic_load(&newest_step);
  switch (below(4)) {
    case 0:
      CALL(
          wallet_core_open_app, any_client(), one_in(6) ? (int32_t)chance() : (int32_t)below(4),
          one_in(4) ? long_link + below(20) : any_text());
      break;
    case 1: {
      static const size_t lengths[] = {0, 1, 300, 4096, 4097, SIZE_MAX};
      CALL(
          wallet_core_choose_scanned, any_client(), serial,
          one_in(6) ? (int32_t)chance() : (int32_t)below(4), one_in(6) ? NULL : scanned,
          lengths[below(sizeof lengths / sizeof lengths[0])]);
      break;
    }
    case 2:
      CALL(wallet_core_choose, any_client(), serial, "enter", pin, length);
      break;
    default:
      CALL(wallet_core_choose, any_client(), serial, any_text(), pin, one_in(2) ? 0 : length);
  }
}

static void call_next_event(void) {
  static const int64_t timeouts[] = {0, 0, 0, 1, 3, -1, -2, INT64_MIN};
  wallet_core_event *event = NULL;
  CALL(
      wallet_core_client_next_event, any_client(),
      timeouts[below(sizeof timeouts / sizeof timeouts[0])], one_in(30) ? NULL : &event);
  if (event != NULL) drop_event(event);
}

static void call_small(void) {
  int32_t answer = 0, *out = one_in(6) ? NULL : &answer;
  size_t length = 0;
  const uint8_t *pin = any_pin(&length);
  uint8_t memory[16];
  switch (below(10)) {
    case 0:
      CALL(wallet_core_is_locked, out);
      break;
    case 1:
      CALL(wallet_core_validate_pin, pin, length, out);
      break;
    case 2:
      check_answer("wallet_core_lock", wallet_core_lock(NULL), NULL);
      break;
    case 3:
      CALL(wallet_core_notify_lifecycle, one_in(3) ? (int32_t)chance() : (int32_t)below(5));
      break;
    case 4:
      CALL(wallet_core_client_interrupt, any_client());
      break;
    case 5:
      wallet_core_memzero(one_in(2) ? memory : NULL, below(17));
      (void)wallet_core_status_name((int32_t)chance());
      (void)wallet_core_is_initialized();
      (void)wallet_core_pin_length();
      break;
    case 6:
      reply_anyhow(any_number());
      break;
    case 7: {
      uint64_t call = atomic_exchange(&late[below(LATE)], 0);
      if (call != 0) reply_anyhow(call);
      break;
    }
    case 8:
      if (one_in(10)) CALL(wallet_core_has_registration, out);
      break;
    default:
      read_event(NULL);
      wallet_core_event_free(NULL);
      wallet_core_error_free(NULL);
      (void)wallet_core_error_message(NULL, NULL);
  }
}

/* Clients live for many calls, else no request would ever come to its end. */
static void call_end(void) {
  wallet_core_client client = one_in(40) ? any_client() : chance();
  switch (below(6)) {
    case 0:
      CALL(wallet_core_client_detach, client);
      break;
    case 1:
      check_answer("client_abandon", wallet_core_client_abandon(client), NULL);
      break;
    case 2:
      wallet_core_client_finalize((void *)(uintptr_t)client);
      break;
    case 3:
      call_init();
      break;
    default:
      hand_over(one_in(3));
  }
}

static void random_call(int depth) {
  switch (below(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
      call_sink();
      break;
    case 4:
    case 5:
      call_request();
      break;
    case 6:
    case 7:
    case 8:
      call_next_event();
      break;
    case 9:
      call_attach();
      break;
    case 10:
      if (depth != INSIDE || one_in(2)) call_end();
      break;
    case 11:
    case 12:
      call_flow();
      break;
    default:
      call_small();
  }
}

static long wanted_calls;

static void *make_calls(void *unused) {
  while (atomic_load(&calls) < wanted_calls) {
    random_call(0);
  }
  return unused;
}

static atomic_int has_stress_ended;

/* Interrupts endless waits now and then: also before init, because a random call may initialise the library. */
static void *interrupt(void *unused) {
  while (!atomic_load(&has_stress_ended)) {
    process_sleep(5);
    for (int i = 0; i < CLIENTS; i++) {
      check_answer("interrupt", wallet_core_client_interrupt(atomic_load(&clients[i]), NULL), NULL);
      atomic_fetch_sub(&calls, 1);
    }
  }
  return unused;
}

static void stress(long count) {
  pthread_t threads[THREADS], interrupter;
  wanted_calls = atomic_load(&calls) + count;
  atomic_store(&has_stress_ended, 0);
  pthread_create(&interrupter, NULL, interrupt, NULL);
  for (int i = 0; i < THREADS; i++) {
    pthread_create(&threads[i], NULL, make_calls, NULL);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  atomic_store(&has_stress_ended, 1);
  pthread_join(interrupter, NULL);
}

static int done(
    wallet_core_client client, wallet_core_status begun, uint64_t request, int32_t pin) {
  wallet_core_event *event = begun == WALLET_CORE_OK ? host_completion(client, request) : NULL;
  int good = wallet_core_event_status(event) == WALLET_CORE_OK && event != NULL &&
             wallet_core_event_pin_outcome(event) == pin;
  wallet_core_event_free(event);
  return good;
}

static void live_on(void) {
  wallet_core_client client = 0;
  uint64_t request = 0;
  hand_over(0);
  CHECK(
      "afterwards: attach",
      wallet_core_client_attach("after the stress run", 0, &client, NULL) == WALLET_CORE_OK);
  wallet_core_status begun = wallet_core_wipe(client, &request, NULL);
  CHECK("afterwards: wipe", done(client, begun, request, WALLET_CORE_PIN_OUTCOME_NOT_JUDGED));
  begun = wallet_core_register(client, right_pin, 6, &request, NULL);
  CHECK("afterwards: register", done(client, begun, request, WALLET_CORE_PIN_OUTCOME_NOT_JUDGED));
  CHECK("afterwards: lock", wallet_core_lock(NULL) == WALLET_CORE_OK);
  begun = wallet_core_unlock(client, right_pin, 6, &request, NULL);
  CHECK("afterwards: unlock", done(client, begun, request, WALLET_CORE_PIN_OUTCOME_VALID));
  CHECK("afterwards: detach", wallet_core_client_detach(client, NULL) == WALLET_CORE_OK);
}

static uint64_t number_of(const char *variable, uint64_t otherwise) {
  const char *text = getenv(variable);
  return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

int main(int count, char **arguments) {
  if (count != 3 ||
      software_keys_fill(arguments[2], &good_signing, &good_encryption, &good_utilities) != 0) {
    return 2;
  }
  char storage[4096];
  snprintf(storage, sizeof storage, "%s/wallet", arguments[2]);
  mkdir(storage, 0700);
  good_options = host_options(arguments[1], storage);
  seed = number_of("WALLET_CORE_RANDOM_SEED", 1);
  long total = (long)number_of("WALLET_CORE_RANDOM_CALLS", 20000);
  printf("# seed %llu\n", (unsigned long long)seed); /* first, so that a crash shows it too */
  fflush(stdout);

  /* Before init: few calls, as most answers are the same. Some of these find the right arguments for init; then it was done by chance. */
  stress(total / 20);
  wallet_core_status status = wallet_core_init(&good_options, NULL);
  CHECK("init, after a host that tried everything", status == WALLET_CORE_OK);
  atomic_store(&is_peaceful, 1);
  hand_over(0);
  wallet_core_client first = 0;
  uint64_t request = 0;
  (void)!wallet_core_client_attach("engine 0", WALLET_CORE_ATTACH_TAKE_OVER, &first, NULL);
  status = wallet_core_register(first, right_pin, 6, &request, NULL);
  wallet_core_event_free(host_completion(first, request));
  int32_t is_registered = 0; /* now, or by chance before */
  CHECK(
      "register", status == WALLET_CORE_OK &&
                      wallet_core_has_registration(&is_registered, NULL) == WALLET_CORE_OK &&
                      is_registered == 1);
  atomic_store(&clients[0], first);
  atomic_store(&is_peaceful, 0);
  stress(total);
  atomic_store(&is_peaceful, 1);
  for (int i = 0; i < CLIENTS; i++) {
    check_answer("client_detach", wallet_core_client_detach(atomic_load(&clients[i]), NULL), NULL);
  }
  live_on();

  printf("# seed %llu: %ld calls and completions", (unsigned long long)seed, atomic_load(&calls));
  for (int i = 0; i < 128; i++) {
    if (atomic_load(&answers[i]) > 0) {
      printf(", %ld %s", atomic_load(&answers[i]), wallet_core_status_name(-i));
    }
  }
  printf("\n");
  CHECK("every answer is a status of the header", atomic_load(&unknown_statuses) == 0);
  CHECK("no answer is INTERNAL", atomic_load(&defects) == 0);
  CHECK("error objects fit their status, and events themselves", atomic_load(&wrong_errors) == 0);
  CHECK("no context is used after its release", atomic_load(&late_calls) == 0);
  CHECK("no context is released twice", atomic_load(&double_destroys) == 0);
  return check_result();
}
