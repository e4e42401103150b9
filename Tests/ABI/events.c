/* Provokes events of every kind and writes each as a line of JSON to the file that EVENTS names. */
#include <stdlib.h>

#include "check.h"
#include "host.h"
#include "process.h"

static FILE *lines;
static wallet_core_client client;

/* Writes events until the completion of `request`, or a step where it is 0; 1 if it came. */
static int write_until(uint64_t request) {
  int64_t deadline = process_now() + TEST_PATIENCE_MS;
  for (int64_t left = TEST_PATIENCE_MS; left > 0; left = deadline - process_now()) {
    wallet_core_event *event = NULL;
    if (wallet_core_client_next_event(client, left, &event, NULL) != WALLET_CORE_OK) {
      return 0;
    }
    fprintf(lines, "%s\n", wallet_core_event_json(event, NULL));
    int has_come = request == 0 ? wallet_core_event_kind(event) == WALLET_CORE_EVENT_STEP
                                : wallet_core_event_request(event) == request;
    wallet_core_event_free(event);
    if (has_come) {
      return 1;
    }
  }
  return 0;
}

typedef wallet_core_status pin_request(
    wallet_core_client client, const uint8_t *pin, size_t length, uint64_t *request,
    wallet_core_error **error);

static void ask(const char *name, pin_request *function, const char *pin) {
  uint64_t request = 0;
  wallet_core_status status = function(client, (const uint8_t *)pin, 6, &request, NULL);
  CHECK(name, status == WALLET_CORE_OK && write_until(request));
}

int main(int count, char **arguments) {
  const char *path = getenv("EVENTS");
  if (count != 3 || path == NULL) {
    return 2;
  }
  lines = fopen(path, "w");
  CHECK("a file for the events", lines != NULL);
  CHECK("start", host_start(arguments[1], arguments[2]) == WALLET_CORE_OK);
  CHECK("attach", wallet_core_client_attach("app", 0, &client, NULL) == WALLET_CORE_OK);
  ask("unlock without a wallet", wallet_core_unlock, "471108");
  ask("register", wallet_core_register, "471108");
  CHECK("lock", wallet_core_lock(NULL) == WALLET_CORE_OK);
  ask("unlock with a wrong PIN", wallet_core_unlock, "471109");
  ask("unlock", wallet_core_unlock, "471108");
  CHECK(
      "open the app",
      wallet_core_open_app(client, WALLET_CORE_STARTUP_LAUNCH, NULL, NULL) == WALLET_CORE_OK);
  CHECK("a step", write_until(0));
  for (int i = 0; i < 4; i++) {
    ask("use a round of attempts up", wallet_core_check_pin, "471109");
  }
  uint64_t request = 0;
  CHECK("wipe", wallet_core_wipe(client, &request, NULL) == WALLET_CORE_OK && write_until(request));
  CHECK("the events are written", lines != NULL && fclose(lines) == 0);
  return check_result();
}
