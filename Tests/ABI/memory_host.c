/* The host whose memory memory_search reads: a wallet's life, stage by stage. */

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wallet_core_testing.h>

#include "check.h"
#include "host.h"
#include "memory_stages.h"
#include "process.h"

/* NULL in a program that is linked against the shipped library, which has no control. */
#pragma weak wallet_core_testing_advance_clock

enum { MASK = 0xA5, TIMEOUT = 300 * 1000 };

void mask(uint8_t *to, const uint8_t *from, size_t length) {
  for (size_t i = 0; i < length; i++) {
    to[i] = from[i] ^ MASK;
  }
}

int can_do(const struct stage *stage) {
  return !stage->moves_clock || wallet_core_testing_advance_clock != NULL;
}

static wallet_core_client client;

typedef wallet_core_status pin_request(
    wallet_core_client client, const uint8_t *pin, size_t length, uint64_t *request,
    wallet_core_error **error);

/* --- requests -------------------------------------------------------------------------------- */

/* Unmasks a PIN for the length of the call. */
static int begin(pin_request *function, const uint8_t masked_pin[PIN], uint64_t *request) {
  uint8_t pin[PIN];
  mask(pin, masked_pin, PIN);
  wallet_core_status status = function(client, pin, PIN, request, NULL);
  wallet_core_memzero(pin, PIN);
  return status == WALLET_CORE_OK;
}

static int ended(uint64_t request, wallet_core_status status, int32_t pin_outcome) {
  wallet_core_event *event = host_completion(client, request);
  int good = event != NULL && wallet_core_event_status(event) == status &&
             wallet_core_event_pin_outcome(event) == pin_outcome;
  wallet_core_event_free(event);
  return good;
}

static int was_cancelled(uint64_t request) {
  return ended(request, WALLET_CORE_ERROR_CANCELLED, WALLET_CORE_PIN_OUTCOME_NOT_JUDGED);
}

static int ask(pin_request *function, const uint8_t masked_pin[PIN], int32_t pin_outcome) {
  uint64_t request = 0;
  return begin(function, masked_pin, &request) && ended(request, WALLET_CORE_OK, pin_outcome);
}

static int is_locked(void) {
  int32_t locked = 0;
  return wallet_core_is_locked(&locked, NULL) == WALLET_CORE_OK && locked;
}

/* --- the provider's faults ------------------------------------------------------------------- */

/* Tells the testing provider what goes wrong next. */
static int set_fault(const char *fault) {
  char answer[512];
  return control("/faults", fault, answer, sizeof answer);
}

/* --- the stages ------------------------------------------------------------------------------ */

static int set_up(const struct masked *masked) {
  return ask(wallet_core_register, masked->pin, WALLET_CORE_PIN_OUTCOME_NOT_JUDGED);
}

static int lock(const struct masked *masked) {
  (void)masked;
  return wallet_core_lock(NULL) == WALLET_CORE_OK;
}

static int unlock(const struct masked *masked) {
  return ask(wallet_core_unlock, masked->pin, WALLET_CORE_PIN_OUTCOME_VALID);
}

static int check_pin(const struct masked *masked) {
  return ask(wallet_core_check_pin, masked->pin, WALLET_CORE_PIN_OUTCOME_VALID);
}

static int check_wrong_pin(const struct masked *masked) {
  return ask(wallet_core_check_pin, masked->wrong_pin, WALLET_CORE_PIN_OUTCOME_WRONG);
}

/* From now on the masked PIN is the wallet's PIN. */
static int change(const uint8_t masked_pin[PIN], const uint8_t masked_new_pin[PIN]) {
  uint8_t pin[PIN], new_pin[PIN];
  uint64_t request = 0;
  mask(pin, masked_pin, PIN);
  mask(new_pin, masked_new_pin, PIN);
  wallet_core_status status =
      wallet_core_change_pin(client, pin, PIN, new_pin, PIN, &request, NULL);
  wallet_core_memzero(pin, PIN);
  wallet_core_memzero(new_pin, PIN);
  return status == WALLET_CORE_OK && ended(request, WALLET_CORE_OK, WALLET_CORE_PIN_OUTCOME_VALID);
}

static int change_pin(const struct masked *masked) {
  return change(masked->pin, masked->wrong_pin);
}

static int change_pin_back(const struct masked *masked) {
  return change(masked->wrong_pin, masked->pin);
}

/* Nobody waits, so nothing is decided; the PIN is checked all the same. */
static wallet_core_status decide_on(
    wallet_core_client asking, const uint8_t *pin, size_t length, uint64_t *request,
    wallet_core_error **error) {
  return wallet_core_decide_replacement(
      asking, "none", WALLET_CORE_REPLACEMENT_REFUSE, pin, length, request, error);
}

static int decide(const struct masked *masked) {
  return ask(decide_on, masked->pin, WALLET_CORE_PIN_OUTCOME_VALID);
}

static int decide_wrongly(const struct masked *masked) {
  return ask(decide_on, masked->wrong_pin, WALLET_CORE_PIN_OUTCOME_WRONG);
}

static int enable_biometrics(const struct masked *masked) {
  return ask(wallet_core_enable_biometric_unlock, masked->pin, WALLET_CORE_PIN_OUTCOME_VALID);
}

static int unlock_by_biometrics(const struct masked *masked) {
  (void)masked;
  uint64_t request = 0;
  return wallet_core_unlock_with_biometrics(client, &request, NULL) == WALLET_CORE_OK &&
         ended(request, WALLET_CORE_OK, WALLET_CORE_PIN_OUTCOME_NOT_JUDGED) && !is_locked();
}

static int disable_biometrics(const struct masked *masked) {
  (void)masked;
  uint64_t request = 0;
  return wallet_core_disable_biometric_unlock(client, &request, NULL) == WALLET_CORE_OK &&
         ended(request, WALLET_CORE_OK, WALLET_CORE_PIN_OUTCOME_NOT_JUDGED);
}

static int unlock_wrongly(const struct masked *masked) {
  return ask(wallet_core_unlock, masked->wrong_pin, WALLET_CORE_PIN_OUTCOME_WRONG) && is_locked();
}

static int unlock_and_lock(const struct masked *masked) {
  uint64_t request = 0;
  return begin(wallet_core_unlock, masked->pin, &request) && lock(masked) && was_cancelled(request);
}

/* The provider checks the PIN and hands out the share; the answer is lost, however often it is repeated. */
static int unlock_unheard(const struct masked *masked) {
  uint64_t request = 0;
  return set_fault(
             "{\"kind\":\"drop_answer\",\"count\":100,\"path\":\"/v2/instructions/check_pin\"}") &&
         begin(wallet_core_unlock, masked->pin, &request) &&
         ended(request, WALLET_CORE_ERROR_SERVER_UNREACHABLE, WALLET_CORE_PIN_OUTCOME_NOT_JUDGED) &&
         set_fault("{}") && is_locked();
}

/* Neither the request that the provider delays nor the next one may end by itself. */
static uint64_t running, queued;

static int unlock_behind_another(const struct masked *masked) {
  return set_fault(
             "{\"kind\":\"delay\",\"delay_ms\":600000,\"path\":\"/v2/instructions/challenge\"}") &&
         begin(wallet_core_unlock, masked->pin, &running) &&
         begin(wallet_core_unlock, masked->pin, &queued);
}

static int cancel_queued(const struct masked *masked) {
  (void)masked;
  return wallet_core_cancel(client, queued, NULL) == WALLET_CORE_OK &&
         wallet_core_cancel(client, running, NULL) == WALLET_CORE_OK && was_cancelled(running) &&
         was_cancelled(queued) && set_fault("{}") && is_locked();
}

/* Waits for the event that the wallet locked or unlocked, so that no call of the host causes it. */
static int hears_of_lock(int is_wanted_locked) {
  for (int64_t deadline = process_now() + TEST_PATIENCE_MS; process_now() < deadline;) {
    wallet_core_event *event = NULL;
    if (wallet_core_client_next_event(client, TEST_PATIENCE_MS, &event, NULL) != WALLET_CORE_OK) {
      return 0;
    }
    int is_it = wallet_core_event_kind(event) == WALLET_CORE_EVENT_LOCK_STATE &&
                wallet_core_event_is_locked(event) == is_wanted_locked;
    wallet_core_event_free(event);
    if (is_it) {
      return is_locked() == is_wanted_locked;
    }
  }
  return 0;
}

static int leave_alone(const struct masked *masked) {
  (void)masked;
  wallet_core_testing_advance_clock(TIMEOUT);
  return hears_of_lock(1);
}

static int leave_in_background(const struct masked *masked) {
  int good = unlock(masked) &&
             wallet_core_notify_lifecycle(WALLET_CORE_LIFECYCLE_BACKGROUND, NULL) == WALLET_CORE_OK;
  wallet_core_testing_advance_clock(TIMEOUT);
  good = good && hears_of_lock(1);
  return wallet_core_notify_lifecycle(WALLET_CORE_LIFECYCLE_FOREGROUND, NULL) == WALLET_CORE_OK &&
         good;
}

static int unlock_by_flows(const struct masked *masked) {
  return lock(masked) && flows_unlock(client, masked->pin) && !is_locked();
}

static int wipe(const struct masked *masked) {
  (void)masked;
  uint64_t request = 0;
  return wallet_core_wipe(client, &request, NULL) == WALLET_CORE_OK &&
         ended(request, WALLET_CORE_OK, WALLET_CORE_PIN_OUTCOME_NOT_JUDGED);
}

/* The wallet exists and is unlocked while the flows still confirm this to the provider, which delays them. */
static int lock_during_set_up(const struct masked *masked) {
  return set_fault(
             "{\"kind\":\"delay\",\"delay_ms\":600000,"
             "\"path\":\"/v2/instructions/confirm_registration\"}") &&
         flows_set_up(client, masked->pin) && hears_of_lock(0) && lock(masked) && is_locked();
}

static int wipe_during_set_up(const struct masked *masked) {
  return set_fault("{}") && wipe(masked);
}

const struct stage stages[] = {
    {"registered", .act = set_up, .is_unlocked = 1, .registers = 1},
    {"locked", .act = lock},
    {"unlocked", .act = unlock, .is_unlocked = 1},
    {"PIN checked", .act = check_pin, .is_unlocked = 1},
    {"wrong PIN checked", .act = check_wrong_pin, .is_unlocked = 1},
    {"locked again", .act = lock},
    {"locked during an unlock", .act = unlock_and_lock},
    {"a wrong PIN", .act = unlock_wrongly},
    {"an unlock whose answer was lost", .act = unlock_unheard},
    {"an unlock that waits behind another", .act = unlock_behind_another, .has_pin = 1},
    {"both cancelled", .act = cancel_queued},
    {"unlocked again", .act = unlock, .is_unlocked = 1},
    {"locked by inactivity", .act = leave_alone, .moves_clock = 1},
    {"locked in the background", .act = leave_in_background, .moves_clock = 1},
    {"unlocked in the end", .act = unlock, .is_unlocked = 1},
    {"a decision on a replacement", .act = decide, .is_unlocked = 1},
    {"a decision with a wrong PIN", .act = decide_wrongly, .is_unlocked = 1},
    {"biometric unlock enabled", .act = enable_biometrics, .is_unlocked = 1, .seals_secret = 1},
    {"locked with biometric unlock enabled", .act = lock},
    {"unlocked by biometrics", .act = unlock_by_biometrics, .is_unlocked = 1},
    {"locked after an unlock by biometrics", .act = lock},
    {"unlocked by biometrics once more", .act = unlock_by_biometrics, .is_unlocked = 1},
    {"biometric unlock disabled", .act = disable_biometrics, .is_unlocked = 1},
    {"PIN changed", .act = change_pin, .is_unlocked = 1, .changes_salt = 1},
    {"PIN changed back", .act = change_pin_back, .is_unlocked = 1, .changes_salt = 1},
    {"locked after changes of the PIN", .act = lock},
    {"unlocked by the flows", .act = unlock_by_flows, .is_unlocked = 1},
    {"locked after an unlock by the flows", .act = lock},
    {"wiped", .act = wipe},
    {"locked during a set-up by the flows", .act = lock_during_set_up, .registers = 1},
    {"wiped during a set-up by the flows", .act = wipe_during_set_up},
    {.name = NULL}};

/* What the parent sends, masked: its length first. NULL if it does not arrive. Yours to free. */
static uint8_t *receive(void) {
  size_t length = 0, count = 0;
  if (read(3, &length, sizeof length) != sizeof length || length == 0) {
    return NULL;
  }
  uint8_t *bytes = malloc(length);
  for (ssize_t got = 1; bytes != NULL && count < length && got > 0; count += (size_t)got) {
    got = read(3, bytes + count, length - count);
    if (got < 0) {
      free(bytes);
      return NULL;
    }
  }
  mask(bytes, bytes, length);
  return bytes;
}

/* Reports the result to the parent, and waits until it has read the memory. */
static void pause_here(int good) {
  char byte = good ? 'y' : 'n';
  if (write(4, &byte, 1) != 1 || read(3, &byte, 1) != 1) {
    _exit(3);
  }
}

int memory_host(const char *configuration, char *directory) {
  if (wallet_core_testing_advance_clock != NULL) {
    wallet_core_testing_advance_clock(0); /* before init, or the wallet keeps the system's clock */
  }
  int started = host_start(configuration, directory) == WALLET_CORE_OK &&
                wallet_core_client_attach("app", 0, &client, NULL) == WALLET_CORE_OK;
  pause_here(started);
  struct masked masked;
  if (read(3, &masked, sizeof masked) != sizeof masked) {
    return 3;
  }
  uint8_t *plain = malloc(PIN);
  uint8_t *guarded = sodium_malloc(KEY);
  mask(plain, masked.planted_pin, PIN);
  mask(guarded, masked.planted_key, KEY);
  sodium_mprotect_noaccess(guarded);
  pause_here(1);
  for (const struct stage *stage = stages; stage->act != NULL; stage++) {
    if (can_do(stage)) {
      pause_here(stage->act(&masked));
    }
  }
  uint8_t *traces = receive();
  pause_here(traces != NULL);
  free(traces);
  sodium_free(guarded);
  free(plain);
  return 0;
}
