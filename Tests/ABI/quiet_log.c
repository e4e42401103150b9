/*
 * The log at its most verbose level, the JSON of every event, and every error in the life of a
 * wallet that is set up by the flows and used by requests: none of them contains a PIN, whether
 * right, wrong or refused.
 */

#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "check.h"
#include "host.h"
#include "process.h"
#include "software_keys.h"

#define THE_PIN "471108"
#define WRONG "590823"
#define FRESH "860254"
#define TOO_SIMPLE "234567"
#define TOO_LONG "3907156"
static const char *const pins[] = {THE_PIN, WRONG, FRESH, TOO_SIMPLE, TOO_LONG};
enum { PINS = sizeof pins / sizeof *pins, MOST = 1 << 20 };

static wallet_core_client client;

/* --- what is heard ------------------------------------------------------------------------------ */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char heard[MOST];
static size_t heard_length;
static atomic_int log_lines;

/* Lines of the log about a wipe that leaves keys. */
static atomic_int stuck_lines;

static void hear(const char *text) {
  pthread_mutex_lock(&lock);
  const size_t length = strlen(text);
  if (length + 2 < MOST - heard_length) {
    memcpy(heard + heard_length, text, length);
    heard[heard_length + length] = '\n';
    heard_length += length + 1;
  }
  pthread_mutex_unlock(&lock);
}

static void on_log(
    void *context, wallet_core_log_level level, const char *subsystem, const char *message) {
  (void)context;
  (void)level;
  hear(subsystem);
  hear(message);
  log_lines++;
  if (strstr(message, "key store refused to delete") != NULL) {
    stuck_lines++;
  }
}

/* Whether `text` has `pin` as digits of their own, as hexadecimal, or as a list of bytes. */
static int says(const char *text, const char *pin) {
  char hexadecimal[32] = "", list[64] = "";
  for (const char *digit = pin; *digit != '\0'; digit++) {
    snprintf(hexadecimal + strlen(hexadecimal), 3, "%02x", (unsigned char)*digit);
    snprintf(list + strlen(list), 8, "%s%d", *list == '\0' ? "" : ", ", *digit);
  }
  /* A time or a longer number does not count as a PIN. */
  for (const char *at = text; (at = strstr(at, pin)) != NULL; at++) {
    if ((at == text || !isdigit((unsigned char)at[-1])) &&
        !isdigit((unsigned char)at[strlen(pin)])) {
      return 1;
    }
  }
  return strstr(text, hexadecimal) != NULL || strstr(text, list) != NULL;
}

/* --- a wallet's life ------------------------------------------------------------------------------ */

static void hear_error(wallet_core_error *error) {
  hear(wallet_core_error_message(error, NULL));
  hear(wallet_core_error_data(error, NULL));
  wallet_core_error_free(error);
}

static wallet_core_event *next_event(void) {
  wallet_core_event *event = NULL;
  wallet_core_error *error = NULL;
  (void)wallet_core_client_next_event(client, TEST_PATIENCE_MS, &event, &error);
  hear_error(error);
  hear(wallet_core_event_json(event, NULL));
  return event;
}

static wallet_core_status choose(uint64_t serial, const char *action, const char *pin) {
  wallet_core_error *error = NULL;
  const size_t length = pin == NULL ? 0 : strlen(pin);
  const wallet_core_status status =
      wallet_core_choose(client, serial, action, (const uint8_t *)pin, length, &error);
  hear_error(error);
  return status;
}

/* The set-up by a user who makes every kind of mistake. */
static int set_up(void) {
  static const struct {
    const char *step, *action, *pin;
  } story[] = {
      {"introduction-1", "skip", NULL},
      {"privacy-considerations", "next", NULL},
      {"choose-pin", "enter", TOO_SIMPLE},
      {"pin-too-simple", "ok", NULL},
      {"choose-pin", "enter", THE_PIN},
      {"repeat-pin", "enter", WRONG},
      {"pin-differs-retry", "try-again", NULL},
      {"repeat-pin", "enter", THE_PIN},
      {"setup-done", "next", NULL},
  };
  size_t told = 0;
  while (told < sizeof story / sizeof *story) {
    wallet_core_event *event = next_event();
    if (event == NULL) {
      return 0;
    }
    if (strcmp(wallet_core_event_step_name(event), story[told].step) == 0) {
      const uint64_t serial = wallet_core_event_step_serial(event);
      choose(serial, "enter", TOO_LONG);
      choose(serial, "no-such-action", THE_PIN);
      if (choose(serial, story[told].action, story[told].pin) != WALLET_CORE_OK) {
        return 0;
      }
      told++;
    }
    wallet_core_event_free(event);
  }
  return 1;
}

/* Reads all events until the completion of `request`; its status. */
static wallet_core_status end_of(uint64_t request) {
  for (;;) {
    wallet_core_event *event = next_event();
    if (event == NULL) {
      return WALLET_CORE_ERROR_TIMEOUT;
    }
    const wallet_core_status status = wallet_core_event_status(event);
    const int is_it = wallet_core_event_kind(event) == WALLET_CORE_EVENT_COMPLETION &&
                      wallet_core_event_request(event) == request;
    const wallet_core_error *error = wallet_core_event_error(event);
    if (is_it && error != NULL) {
      hear(wallet_core_error_message(error, NULL));
      hear(wallet_core_error_data(error, NULL));
    }
    wallet_core_event_free(event);
    if (is_it) {
      return status;
    }
  }
}

typedef wallet_core_status pin_request(
    wallet_core_client client, const uint8_t *pin, size_t length, uint64_t *request,
    wallet_core_error **error);

static wallet_core_status ask(pin_request *function, const char *pin) {
  uint64_t request = 0;
  wallet_core_error *error = NULL;
  const wallet_core_status begun =
      function(client, (const uint8_t *)pin, strlen(pin), &request, &error);
  hear_error(error);
  return begun == WALLET_CORE_OK ? end_of(request) : begun;
}

static wallet_core_status change(const char *pin, const char *new_pin) {
  uint64_t request = 0;
  wallet_core_error *error = NULL;
  const wallet_core_status begun = wallet_core_change_pin(
      client, (const uint8_t *)pin, strlen(pin), (const uint8_t *)new_pin, strlen(new_pin),
      &request, &error);
  hear_error(error);
  return begun == WALLET_CORE_OK ? end_of(request) : begun;
}

static void keep_key(void *context, uint64_t call, const char *identifier) {
  (void)context;
  (void)identifier;
  wallet_core_bridge_reply(call, WALLET_CORE_BRIDGE_UNAVAILABLE, NULL, 0, "the keys are stuck");
}

static wallet_core_status platform(char *directory, int keeps_keys) {
  wallet_core_signing_key_bridge signing_key;
  wallet_core_encryption_key_bridge encryption_key;
  wallet_core_utilities_bridge utilities;
  if (software_keys_fill(directory, &signing_key, &encryption_key, &utilities) != 0) {
    return WALLET_CORE_ERROR_INTERNAL;
  }
  if (keeps_keys) {
    signing_key.delete_key = encryption_key.delete_key = keep_key;
  }
  return wallet_core_init_platform_support(&signing_key, &encryption_key, &utilities, NULL);
}

/* Makes the library log an error, so that there is at least one line. */
static int wipe_with_stuck_keys(char *directory) {
  uint64_t request = 0;
  int good = platform(directory, 1) == WALLET_CORE_OK &&
             wallet_core_wipe(client, &request, NULL) == WALLET_CORE_OK &&
             end_of(request) == WALLET_CORE_ERROR_DEVICE_INSECURE &&
             platform(directory, 1) == WALLET_CORE_OK;
  /* The line may come before the end of the request or after it. */
  const int64_t deadline = process_now() + TEST_PATIENCE_MS;
  while (good && stuck_lines == 0 && process_now() < deadline) {
    process_sleep(10);
  }
  return good && stuck_lines > 0;
}

int main(int count, char **arguments) {
  if (count != 3) {
    return 2;
  }
  wallet_core_options options = host_options(arguments[1], NULL);
  options.log = on_log;
  options.log_level = WALLET_CORE_LOG_DEBUG;
  CHECK(
      "a host that hears every level of the log",
      platform(arguments[2], 0) == WALLET_CORE_OK &&
          wallet_core_init(&options, NULL) == WALLET_CORE_OK &&
          wallet_core_client_attach("app", 0, &client, NULL) == WALLET_CORE_OK);

  CHECK("an unlock without a wallet", ask(wallet_core_unlock, THE_PIN) != WALLET_CORE_OK);
  CHECK(
      "PINs that are refused",
      ask(wallet_core_register, TOO_SIMPLE) == WALLET_CORE_ERROR_PIN_REFUSED &&
          ask(wallet_core_register, TOO_LONG) == WALLET_CORE_ERROR_PIN_REFUSED);
  CHECK(
      "a set-up by the flows",
      wallet_core_open_app(client, WALLET_CORE_STARTUP_LAUNCH, NULL, NULL) == WALLET_CORE_OK &&
          set_up());
  CHECK("a second wallet", ask(wallet_core_register, THE_PIN) != WALLET_CORE_OK);
  CHECK("a lock", wallet_core_lock(NULL) == WALLET_CORE_OK);
  CHECK("a wrong PIN", ask(wallet_core_unlock, WRONG) == WALLET_CORE_OK);
  CHECK("an unlock", ask(wallet_core_unlock, THE_PIN) == WALLET_CORE_OK);
  CHECK("a check", ask(wallet_core_check_pin, WRONG) == WALLET_CORE_OK);
  CHECK(
      "changes of the PIN", change(WRONG, FRESH) == WALLET_CORE_OK &&
                                change(THE_PIN, FRESH) == WALLET_CORE_OK &&
                                change(FRESH, FRESH) == WALLET_CORE_ERROR_PIN_REFUSED);
  CHECK("biometric unlock", ask(wallet_core_enable_biometric_unlock, FRESH) == WALLET_CORE_OK);
  CHECK("a wipe that leaves keys, of which the log has a line", wipe_with_stuck_keys(arguments[2]));

  pthread_mutex_lock(&lock);
  printf("# %zu bytes were heard, %d lines of them of the log\n", heard_length, log_lines);
  CHECK(
      "verdicts and reasons are heard",
      strstr(heard, "\"outcome\":\"wrong\"") != NULL && strstr(heard, "sequence") != NULL &&
          strstr(heard, "unchanged") != NULL && heard_length < MOST / 2);
  CHECK(
      "the search finds a PIN in each form",
      says("a PIN of 471108.", THE_PIN) && says("3437313130 38 343731313038", THE_PIN) &&
          says("[52, 55, 49, 49, 48, 56]", THE_PIN) && !says("14711080 and 471109", THE_PIN));
  for (size_t i = 0; i < PINS; i++) {
    char name[64];
    snprintf(name, sizeof name, "PIN %zu is in no log line, event or error", i + 1);
    CHECK(name, !says(heard, pins[i]));
  }
  pthread_mutex_unlock(&lock);
  return check_result();
}
