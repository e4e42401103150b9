// SPDX-License-Identifier: Apache-2.0
/*
 * startup - a wallet app in one file.
 *
 *     startup CONFIGURATION_FILE STATE_DIRECTORY
 *
 * A real app has a platform side (Kotlin, Swift) that owns the keys, and a user interface, the
 * "engine" (Flutter, a terminal), that can die while the process lives on. This program is both.
 * It prints each message of the start-up diagrams as it happens, sets up a PIN, locks the wallet and
 * unlocks it, first with a wrong PIN, then with the right one. Then the engine dies without
 * detaching, and a new one takes over. A second run in the same directory uses the same wallet.
 *
 * CONFIGURATION_FILE is what `wallet-provider client-configuration` prints. The exit code is 0 if
 * all went as expected.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <wallet_core.h>

#include "software_keys.h"

static int failures;

/* --- printing what happens ------------------------------------------------------------------- */

static void say(const char *from, const char *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("  %-11s -> %-11s  ", from, to);
  vprintf(format, arguments);
  putchar('\n');
  fflush(stdout);
  va_end(arguments);
}

static void expect(int condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "startup: not as expected: %s\n", what);
    failures += 1;
  }
}

/* Every fallible function returns a status and may hand out an error, which the caller frees. */
static int succeeded(wallet_core_status status, wallet_core_error *error, const char *what) {
  if (status != WALLET_CORE_OK) {
    fprintf(
        stderr, "startup: %s: %s: %s\n", what, wallet_core_status_name(status),
        wallet_core_error_message(error, NULL));
    failures += 1;
  }
  wallet_core_error_free(error);
  return status == WALLET_CORE_OK;
}

/* --- an engine: the user interface, as the library sees it ------------------------------------ */

struct engine {
  wallet_core_client client;
  pthread_mutex_t mutex; /* guards what follows: the streams arrive on a thread of the library */
  pthread_cond_t changed;
  int configurations; /* events so far */
  long long inactive_ms, background_ms;
  int lock_states; /* events so far */
  int is_locked;
};

/* Events are JSON for languages with a parser. In C this is enough to find a number. */
static long long number_in(const char *json, const char *member) {
  const char *found = strstr(json, member);
  const char *colon = found != NULL ? strchr(found, ':') : NULL;
  return colon != NULL ? strtoll(colon + 1, NULL, 10) : -1;
}

/* An event passed to a callback belongs to the callback, which frees it now or later. */
static void on_configuration(void *context, wallet_core_event *event) {
  struct engine *engine = context;
  const char *json = wallet_core_event_json(event, NULL);
  pthread_mutex_lock(&engine->mutex);
  engine->configurations += 1;
  engine->inactive_ms = number_in(json, "\"inactive_timeout_ms\"");
  engine->background_ms = number_in(json, "\"background_timeout_ms\"");
  pthread_cond_signal(&engine->changed);
  pthread_mutex_unlock(&engine->mutex);
  wallet_core_event_free(event);
}

static void on_lock_state(void *context, wallet_core_event *event) {
  struct engine *engine = context;
  pthread_mutex_lock(&engine->mutex);
  engine->lock_states += 1;
  engine->is_locked = wallet_core_event_is_locked(event);
  pthread_cond_signal(&engine->changed);
  pthread_mutex_unlock(&engine->mutex);
  wallet_core_event_free(event);
}

static int has_configuration(const struct engine *engine) {
  return engine->configurations > 0;
}
static int is_locked(const struct engine *engine) {
  return engine->lock_states > 0 && engine->is_locked;
}
static int is_unlocked(const struct engine *engine) {
  return engine->lock_states > 0 && !engine->is_locked;
}

/* Waits up to a minute until the streams have delivered what `test` looks for. */
static void await(struct engine *engine, int (*test)(const struct engine *), const char *what) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 60;
  int result = 0;
  pthread_mutex_lock(&engine->mutex);
  while (!test(engine) && result == 0) {
    result = pthread_cond_timedwait(&engine->changed, &engine->mutex, &deadline);
  }
  expect(test(engine), what);
  pthread_mutex_unlock(&engine->mutex);
}

/* --- start-up: the three diagrams ------------------------------------------------------------- */

/* [1.1], the platform's half. It may run before, after or in parallel with the engine's half. */
static int start_platform(char *directory) {
  wallet_core_signing_key_bridge signing_key;
  wallet_core_encryption_key_bridge encryption_key;
  wallet_core_utilities_bridge utilities;
  wallet_core_error *error = NULL;
  expect(software_keys_fill(directory, &signing_key, &encryption_key, &utilities) == 0, "sodium");
  say("platform", "wallet_core", "initPlatformSupport(signingKey, encryptionKey, utilities)");
  wallet_core_status status =
      wallet_core_init_platform_support(&signing_key, &encryption_key, &utilities, &error);
  say("wallet_core", "wallet_core", "store bridges");
  return succeeded(status, error, "init_platform_support");
}

/* [1.1], the engine's half: initialises the library, or takes over where it already runs. */
static int start_engine(struct engine *engine, const uint8_t *configuration, size_t length) {
  wallet_core_error *error = NULL;
  say("platform", "wallet_app", "start wallet_app");
  say("wallet_app", "wallet_core", "isInitialized()");
  if (wallet_core_is_initialized()) {
    say("wallet_core", "wallet_app", "true");
    /* The streams of the dead engine are never called again once the new one has taken over. */
    say("wallet_app", "wallet_core", "clear stale callbacks: attach(TAKE_OVER)");
  } else {
    say("wallet_core", "wallet_app", "false");
    say("wallet_app", "wallet_core", "init()");
    const wallet_core_options options = {
        .struct_size = sizeof options,
        .embedded_configuration = configuration,
        .embedded_configuration_length = length,
        .app_version = "1.0.0",
        .app_id = "org.example.startup",
    };
    if (!succeeded(wallet_core_init(&options, &error), error, "init")) {
      return 0;
    }
    say("wallet_core", "wallet_app", "success");
  }
  wallet_core_status status =
      wallet_core_client_attach("app", WALLET_CORE_ATTACH_TAKE_OVER, &engine->client, &error);
  say("wallet_app", "wallet_app", "initialization completed");
  return succeeded(status, error, "attach");
}

/* [1.2] and [1.3]: each stream delivers its current value at once, then every change. */
static void set_streams(struct engine *engine) {
  wallet_core_error *error = NULL;
  say("wallet_app", "wallet_core", "setConfigurationStream()");
  wallet_core_status status = wallet_core_set_configuration_stream(
      engine->client, on_configuration, engine, NULL, NULL, &error);
  succeeded(status, error, "set_configuration_stream");
  await(engine, has_configuration, "a configuration arrives");
  say("wallet_core", "wallet_app", "configuration: lock after %lld s idle, %lld s in background",
      engine->inactive_ms / 1000, engine->background_ms / 1000);

  say("wallet_app", "wallet_core", "setLockStream()");
  status = wallet_core_set_lock_stream(engine->client, on_lock_state, engine, NULL, NULL, &error);
  succeeded(status, error, "set_lock_stream");
  await(engine, is_locked, "a wallet starts locked");
  say("wallet_core", "wallet_app", "lock state: locked");
}

/* --- the PIN ---------------------------------------------------------------------------------- */

typedef wallet_core_status pin_request(
    wallet_core_client client, const uint8_t *pin, size_t length, uint64_t *request,
    wallet_core_error **error);

/* Starts a request, takes events until its completion comes, and prints the outcome. */
static int32_t ask(struct engine *engine, pin_request *function, const char *name, char *pin) {
  uint64_t request = 0;
  wallet_core_error *error = NULL;
  wallet_core_pin_outcome outcome = -1;
  say("wallet_app", "wallet_core", "%s", name);
  wallet_core_status status =
      function(engine->client, (const uint8_t *)pin, strlen(pin), &request, &error);
  wallet_core_memzero(pin, strlen(pin)); /* the library has its own copy */
  while (succeeded(status, error, name) && outcome < 0) {
    wallet_core_event *event = NULL;
    status = wallet_core_client_next_event(engine->client, 60000, &event, &error);
    if (status == WALLET_CORE_OK && wallet_core_event_request(event) == request) {
      outcome = wallet_core_event_pin_outcome(event);
      status = wallet_core_event_status(event);
      if (status != WALLET_CORE_OK) {
        say("wallet_core", "wallet_app", "%s", wallet_core_status_name(status));
        expect(0, wallet_core_error_message(wallet_core_event_error(event), NULL));
      } else if (outcome == WALLET_CORE_PIN_OUTCOME_WRONG) {
        say("wallet_core", "wallet_app", "wrong PIN, %d attempts left",
            (int)wallet_core_event_pin_attempts_left(event));
      } else if (outcome == WALLET_CORE_PIN_OUTCOME_VALID) {
        say("wallet_core", "wallet_app", "right PIN");
      } else {
        say("wallet_core", "wallet_app", "registered");
      }
    }
    wallet_core_event_free(event);
  }
  return outcome;
}

static void set_up_and_unlock(struct engine *engine) {
  char first[] = "471108", wrong[] = "471109", right[] = "471108";
  wallet_core_error *error = NULL;
  int32_t registered = 0;
  puts("Remote PIN");
  wallet_core_status status = wallet_core_has_registration(&registered, &error);
  if (succeeded(status, error, "has_registration") && !registered) {
    ask(engine, wallet_core_register, "register(PIN)", first);
    await(engine, is_unlocked, "a registered wallet is unlocked");
    say("wallet_core", "wallet_app", "lock state: unlocked");
    say("wallet_app", "wallet_core", "lock()");
    succeeded(wallet_core_lock(&error), error, "lock");
    await(engine, is_locked, "lock() locks");
    say("wallet_core", "wallet_app", "lock state: locked");
  }
  wallet_core_pin_outcome outcome = ask(engine, wallet_core_unlock, "unlock(wrong PIN)", wrong);
  expect(outcome == WALLET_CORE_PIN_OUTCOME_WRONG, "the wrong PIN is refused");
  outcome = ask(engine, wallet_core_unlock, "unlock(right PIN)", right);
  expect(outcome == WALLET_CORE_PIN_OUTCOME_VALID, "the right PIN is accepted");
  await(engine, is_unlocked, "the right PIN unlocks");
  say("wallet_core", "wallet_app", "lock state: unlocked");
}

/* --- the program ----------------------------------------------------------------------------- */

int main(int count, char **arguments) {
  /* Two engines, one after the other. Static: the library may still be calling the dead one. */
  static struct engine engines[2] = {
      {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER},
      {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER},
  };
  static uint8_t configuration[256 * 1024];
  if (count != 3) {
    fprintf(stderr, "usage: startup CONFIGURATION_FILE STATE_DIRECTORY\n");
    return 2;
  }
  FILE *file = fopen(arguments[1], "rb");
  if (file == NULL) {
    fprintf(stderr, "startup: %s: %s\n", arguments[1], strerror(errno));
    return 2;
  }
  size_t length = fread(configuration, 1, sizeof configuration, file);
  fclose(file);
  mkdir(arguments[2], 0700);

  puts("App startup [1.1], configuration stream [1.2], wallet lock stream [1.3]");
  say("user", "platform", "open app");
  if (!start_platform(arguments[2]) || !start_engine(&engines[0], configuration, length)) {
    return 1;
  }
  set_streams(&engines[0]);
  say("wallet_app", "user", "UI");
  set_up_and_unlock(&engines[0]);

  puts("The engine dies unannounced, the process lives on, a new engine starts [1.1, 1.2, 1.3]");
  if (!start_engine(&engines[1], configuration, length)) {
    return 1;
  }
  set_streams(&engines[1]);
  say("wallet_app", "user", "UI");
  succeeded(wallet_core_client_detach(engines[1].client, NULL), NULL, "detach");
  return failures == 0 ? 0 : 1;
}
