/* The flows of memory_host: a user who sets a wallet up and one who unlocks it. */

#include <string.h>

#include "memory_stages.h"
#include "process.h"

/* A step that is answered with an action, or with the PIN where there is none. */
struct answer {
  const char *step, *action;
};

/* The serial of the next step of that name; 0 if none comes. */
static uint64_t serial_of(wallet_core_client client, const char *step) {
  for (int64_t deadline = process_now() + TEST_PATIENCE_MS; process_now() < deadline;) {
    wallet_core_event *event = NULL;
    if (wallet_core_client_next_event(client, TEST_PATIENCE_MS, &event, NULL) != WALLET_CORE_OK) {
      return 0;
    }
    uint64_t serial = wallet_core_event_kind(event) == WALLET_CORE_EVENT_STEP &&
                              strcmp(wallet_core_event_step_name(event), step) == 0
                          ? wallet_core_event_step_serial(event)
                          : 0;
    wallet_core_event_free(event);
    if (serial != 0) {
      return serial;
    }
  }
  return 0;
}

static int tell(wallet_core_client client, const struct answer *answer, const uint8_t *masked_pin) {
  uint64_t serial = serial_of(client, answer->step);
  if (answer->action != NULL) {
    return wallet_core_choose(client, serial, answer->action, NULL, 0, NULL) == WALLET_CORE_OK;
  }
  uint8_t pin[PIN];
  mask(pin, masked_pin, PIN);
  wallet_core_status status = wallet_core_choose(client, serial, "enter", pin, PIN, NULL);
  wallet_core_memzero(pin, PIN);
  return status == WALLET_CORE_OK;
}

/* Has the current step shown again, in case its event was skipped. */
static int open_app(wallet_core_client client) {
  return wallet_core_open_app(client, WALLET_CORE_STARTUP_LAUNCH, NULL, NULL) == WALLET_CORE_OK;
}

int flows_unlock(wallet_core_client client, const uint8_t masked_pin[PIN]) {
  return open_app(client) && tell(client, &(struct answer){"open-with-pin", NULL}, masked_pin) &&
         serial_of(client, "proofing-start") != 0;
}

int flows_set_up(wallet_core_client client, const uint8_t masked_pin[PIN]) {
  static const struct answer answers[] = {
      {"introduction-1", "skip"},
      {"privacy-considerations", "next"},
      {"choose-pin", NULL},
      {"repeat-pin", NULL},
  };
  int good = open_app(client);
  for (size_t i = 0; good && i < sizeof answers / sizeof *answers; i++) {
    good = tell(client, &answers[i], masked_pin);
  }
  return good;
}
