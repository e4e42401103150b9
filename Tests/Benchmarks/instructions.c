/*
 * instructions RUN CONFIGURATION_FILE STATE_DIRECTORY [CODE LICENCE]
 *
 * Runs what Tests/Benchmarks/instructions.sh counts, and makes callgrind write a count after each
 * part. Run "first": "start-up" without a wallet; "choose", one step of the flows there and
 * back. "again": "start-up-again" with a wallet; "unlock", without the flows, which would
 * fetch the provider's policy at the same time. "enrol" obtains a card and counts nothing.
 * "present": a presentation of one card with its PIN, without the flows too. Without callgrind it
 * counts nothing.
 *
 * Argon2id is left out: this program's crypto_pwhash replaces libsodium's and is a plain hash.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <valgrind/callgrind.h>

#include "../Support/test_patience.h"
#include "enrolment.h"
#include "host.h"
#include "software_keys.h"

enum { CHOICES = 20, UNLOCKS = 15, PRESENTATIONS = 10 };

int crypto_pwhash(
    unsigned char *output, unsigned long long output_length, const char *password,
    unsigned long long password_length, const unsigned char *salt, unsigned long long passes,
    size_t memory, int algorithm) {
  (void)passes;
  (void)memory;
  (void)algorithm;
  return crypto_generichash(
      output, output_length, (const unsigned char *)password, password_length, salt,
      crypto_pwhash_SALTBYTES);
}

static wallet_core_client client;

static void require(int condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "instructions: %s\n", what);
    exit(1);
  }
}

/* Init, attach and the first value of each stream. No bridge and no network is needed, and with a
   storage path nothing goes to another thread. */
static void start(const char *configuration, const char *storage) {
  wallet_core_options options = host_options(configuration, storage);
  CALLGRIND_ZERO_STATS;
  require(wallet_core_init(&options, NULL) == WALLET_CORE_OK, "no init");
  require(wallet_core_client_attach("app", 0, &client, NULL) == WALLET_CORE_OK, "no client");
  for (int i = 0; i < 3; i++) {
    wallet_core_event *event = NULL;
    require(wallet_core_client_next_event(client, 0, &event, NULL) == WALLET_CORE_OK, "no event");
    wallet_core_event_free(event);
  }
}

/* The serial of the next step of that name. */
static uint64_t await(const char *name) {
  for (;;) {
    wallet_core_event *event = NULL;
    require(
        wallet_core_client_next_event(client, TEST_PATIENCE_MS, &event, NULL) == WALLET_CORE_OK,
        name);
    const char *found = wallet_core_event_step_name(event);
    uint64_t serial = strcmp(found, name) == 0 ? wallet_core_event_step_serial(event) : 0;
    wallet_core_event_free(event);
    if (serial != 0) {
      return serial;
    }
  }
}

static uint64_t choose(uint64_t serial, const char *action, const char *next) {
  require(
      wallet_core_choose(client, serial, action, NULL, 0, NULL) == WALLET_CORE_OK,
      "a choice was refused");
  return await(next);
}

static void walk(void) {
  require(
      wallet_core_open_app(client, WALLET_CORE_STARTUP_LAUNCH, NULL, NULL) == WALLET_CORE_OK,
      "no app");
  uint64_t serial = await("introduction-1");
  for (int i = 0; i < CHOICES; i++) {
    CALLGRIND_ZERO_STATS;
    serial = choose(serial, "next", "introduction-2");
    serial = choose(serial, "back", "introduction-1");
    CALLGRIND_DUMP_STATS_AT("choose");
  }
}

static void complete(wallet_core_status status, uint64_t request, wallet_core_pin_outcome outcome) {
  require(status == WALLET_CORE_OK, "a request was refused");
  wallet_core_event *event = host_completion(client, request);
  require(
      event != NULL && wallet_core_event_status(event) == WALLET_CORE_OK &&
          wallet_core_event_pin_outcome(event) == outcome,
      "a request failed");
  wallet_core_event_free(event);
}

static const uint8_t pin[] = "471108";

static void set_up(void) {
  uint64_t request = 0;
  wallet_core_status status = wallet_core_register(client, pin, 6, &request, NULL);
  complete(status, request, WALLET_CORE_PIN_OUTCOME_NOT_JUDGED);
}

static void unlock(void) {
  for (int i = 0; i < UNLOCKS; i++) {
    uint64_t request = 0;
    require(wallet_core_lock(NULL) == WALLET_CORE_OK, "no lock");
    CALLGRIND_ZERO_STATS;
    wallet_core_status status = wallet_core_unlock(client, pin, 6, &request, NULL);
    complete(status, request, WALLET_CORE_PIN_OUTCOME_VALID);
    CALLGRIND_DUMP_STATS_AT("unlock");
  }
}

static void enrol(const char *code, const char *licence) {
  uint64_t serial = enrolment_begin(client, code, licence);
  require(serial != 0 && enrolment_receive(client, serial), "no card");
}

static void present(void) {
  uint64_t request = 0;
  wallet_core_status status = wallet_core_unlock(client, pin, 6, &request, NULL);
  complete(status, request, WALLET_CORE_PIN_OUTCOME_VALID);
  for (int i = 0; i < PRESENTATIONS; i++) {
    CALLGRIND_ZERO_STATS;
    status = enrolment_present(client, &request);
    complete(status, request, WALLET_CORE_PIN_OUTCOME_VALID);
    CALLGRIND_DUMP_STATS_AT("present");
  }
}

int main(int count, char **arguments) {
  char storage[512];
  require(
      count == 4 || count == 6,
      "usage: instructions RUN CONFIGURATION_FILE STATE_DIRECTORY [CODE LICENCE]");
  const char *run = arguments[1];
  snprintf(storage, sizeof storage, "%s/storage", arguments[3]);
  int is_first = mkdir(storage, 0700) == 0;
  start(arguments[2], storage);
  if (is_first) {
    CALLGRIND_DUMP_STATS_AT("start-up");
  } else if (strcmp(run, "again") == 0) {
    CALLGRIND_DUMP_STATS_AT("start-up-again");
  }
  require(host_platform(arguments[3]) == WALLET_CORE_OK, "no bridges");
  if (is_first) {
    walk();
    set_up();
  } else if (strcmp(run, "again") == 0) {
    unlock();
  } else if (strcmp(run, "enrol") == 0 && count == 6) {
    enrol(arguments[4], arguments[5]);
  } else {
    present();
  }
  return 0;
}
