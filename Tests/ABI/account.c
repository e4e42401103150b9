/* A wallet's life with a real provider; and a second process that opens the same storage. */

#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "host.h"
#include "process.h"

static wallet_core_client client;

typedef wallet_core_status pin_request(
    wallet_core_client client, const uint8_t *pin, size_t length, uint64_t *request,
    wallet_core_error **error);

/* The outcome of a request with `pin`. */
struct outcome {
  wallet_core_status status;
  int32_t pin, attempts_left, is_final_round;
  int64_t blocked_for_ms;
};

static struct outcome become(wallet_core_status begun, uint64_t request) {
  struct outcome outcome = {begun, 0, 0, 0, 0};
  if (begun == WALLET_CORE_OK) {
    wallet_core_event *event = host_completion(client, request);
    outcome.status = event != NULL ? wallet_core_event_status(event) : WALLET_CORE_ERROR_TIMEOUT;
    outcome.pin = wallet_core_event_pin_outcome(event);
    outcome.attempts_left = wallet_core_event_pin_attempts_left(event);
    outcome.is_final_round = wallet_core_event_pin_is_final_round(event);
    outcome.blocked_for_ms = wallet_core_event_pin_blocked_for_ms(event);
    wallet_core_event_free(event);
  }
  return outcome;
}

static struct outcome ask(pin_request *function, const char *pin) {
  uint64_t request = 0;
  wallet_core_status begun = function(client, (const uint8_t *)pin, strlen(pin), &request, NULL);
  return become(begun, request);
}

static struct outcome change(const char *pin, const char *new_pin) {
  uint64_t request = 0;
  wallet_core_status begun = wallet_core_change_pin(
      client, (const uint8_t *)pin, strlen(pin), (const uint8_t *)new_pin, strlen(new_pin),
      &request, NULL);
  return become(begun, request);
}

static int locked(void) {
  int32_t answer = -1;
  return wallet_core_is_locked(&answer, NULL) == WALLET_CORE_OK ? answer : -1;
}

static int registered(void) {
  int32_t answer = -1;
  return wallet_core_has_registration(&answer, NULL) == WALLET_CORE_OK ? answer : -1;
}

static void set_up(void) {
  CHECK("no wallet, locked", registered() == 0 && locked() == 1);
  struct outcome outcome = ask(wallet_core_unlock, "471108");
  CHECK("unlock without a wallet", outcome.status == WALLET_CORE_ERROR_NOT_REGISTERED);
  outcome = ask(wallet_core_register, "123456");
  CHECK("register with a PIN too simple", outcome.status == WALLET_CORE_ERROR_PIN_REFUSED);
  outcome = ask(wallet_core_register, "471108");
  CHECK("register", outcome.status == WALLET_CORE_OK);
  CHECK("registered and unlocked", registered() == 1 && locked() == 0);
  outcome = ask(wallet_core_register, "471108");
  CHECK("register again", outcome.status == WALLET_CORE_ERROR_ALREADY_REGISTERED);
}

static void check_pins(void) {
  CHECK("lock", wallet_core_lock(NULL) == WALLET_CORE_OK && locked() == 1);
  for (int left = 3; left >= 1; left--) {
    struct outcome outcome = ask(wallet_core_unlock, "471109");
    char name[64];
    snprintf(name, sizeof name, "a wrong PIN leaves %d attempts", left);
    CHECK(
        name, outcome.status == WALLET_CORE_OK && outcome.pin == WALLET_CORE_PIN_OUTCOME_WRONG &&
                  outcome.attempts_left == left && outcome.is_final_round == 0);
  }
  CHECK("still locked", locked() == 1);
  struct outcome outcome = ask(wallet_core_check_pin, "471108");
  CHECK(
      "check_pin with the right PIN",
      outcome.pin == WALLET_CORE_PIN_OUTCOME_VALID && locked() == 1);
  outcome = ask(wallet_core_unlock, "471108");
  CHECK("unlock with the right PIN", outcome.pin == WALLET_CORE_PIN_OUTCOME_VALID && locked() == 0);
  outcome = ask(wallet_core_check_pin, "471109");
  CHECK(
      "the right PIN began a new round",
      outcome.pin == WALLET_CORE_PIN_OUTCOME_WRONG && outcome.attempts_left == 3 && locked() == 0);
}

static void change_pin(void) {
  struct outcome outcome = change("471108", "471108");
  CHECK("a change to the same PIN", outcome.status == WALLET_CORE_ERROR_PIN_REFUSED);
  outcome = change("471108", "654321");
  CHECK("a change to a PIN too simple", outcome.status == WALLET_CORE_ERROR_PIN_REFUSED);
  outcome = change("471109", "308514");
  CHECK(
      "a change with a wrong PIN counts",
      outcome.pin == WALLET_CORE_PIN_OUTCOME_WRONG && outcome.attempts_left == 2 && locked() == 0);
  outcome = change("471108", "308514");
  CHECK(
      "a change", outcome.status == WALLET_CORE_OK &&
                      outcome.pin == WALLET_CORE_PIN_OUTCOME_VALID && locked() == 0);
  CHECK("lock", wallet_core_lock(NULL) == WALLET_CORE_OK);
  outcome = change("308514", "471108");
  CHECK("a change while locked", outcome.status == WALLET_CORE_ERROR_LOCKED);
  outcome = ask(wallet_core_unlock, "471108");
  CHECK("the former PIN is wrong", outcome.pin == WALLET_CORE_PIN_OUTCOME_WRONG && locked() == 1);
  outcome = ask(wallet_core_unlock, "308514");
  CHECK("the new one is right", outcome.pin == WALLET_CORE_PIN_OUTCOME_VALID && locked() == 0);
}

/* A whole program that starts on `storage`; its exit code is minus the status of its init. */
static int second_process(char *program, char *configuration, char *storage) {
  fflush(stdout);
  pid_t process = fork();
  if (process == 0) {
    execl(program, program, configuration, storage, "second", (char *)NULL);
    _exit(99);
  }
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? -WEXITSTATUS(status) : 0;
}

static void wipe(const char *storage) {
  uint64_t request = 0;
  CHECK("wipe", wallet_core_wipe(client, &request, NULL) == WALLET_CORE_OK);
  wallet_core_event *event = host_completion(client, request);
  CHECK("wiped", event != NULL && wallet_core_event_status(event) == WALLET_CORE_OK);
  wallet_core_event_free(event);
  CHECK("no wallet, locked", registered() == 0 && locked() == 1);
  struct stat found;
  CHECK("the storage path is still there", stat(storage, &found) == 0);
  struct outcome outcome = ask(wallet_core_register, "308514");
  CHECK("register anew", outcome.status == WALLET_CORE_OK && locked() == 0);
}

int main(int count, char **arguments) {
  if (count == 4) {
    wallet_core_options options = host_options(arguments[1], arguments[2]);
    return -wallet_core_init(&options, NULL);
  }
  if (count != 3) {
    return 2;
  }
  struct process_signals before = process_signals_now();
  char storage[4096];
  snprintf(storage, sizeof storage, "%s/wallet", arguments[2]);
  mkdir(storage, 0700);
  wallet_core_options options = host_options(arguments[1], storage);
  CHECK("init, then the bridges", wallet_core_init(&options, NULL) == WALLET_CORE_OK);
  CHECK("bridges", host_platform(arguments[2]) == WALLET_CORE_OK);
  CHECK("attach", wallet_core_client_attach("app", 0, &client, NULL) == WALLET_CORE_OK);
  set_up();
  check_pins();
  change_pin();
  CHECK(
      "a second process on the same storage is refused",
      second_process(arguments[0], arguments[1], storage) == WALLET_CORE_ERROR_STORAGE_IN_USE);
  wipe(storage);
  CHECK("detach", wallet_core_client_detach(client, NULL) == WALLET_CORE_OK);
  struct process_signals after = process_signals_now();
  CHECK("signals are as before", process_signals_differ(&before, &after) == 0);
  return check_result();
}
