/*
 * idle CONFIGURATION_FILE STATE_DIRECTORY EVENTS
 *
 * A host that does not read: one client never takes an event and the callback of another never
 * returns, while a third goes on through EVENTS steps. Resident bytes of the process along the way,
 * and how many events waited for the first one in the end.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"
#include "../../Support/test_patience.h"
#include "measure.h"

enum { POINTS = 10 };

static void stay(void *context, wallet_core_event *event) {
  (void)context;
  (void)event;
  for (;;) {
    pause();
  }
}

static wallet_core_client attach(const char *name) {
  wallet_core_client client = 0;
  if (wallet_core_client_attach(name, 0, &client, NULL) != WALLET_CORE_OK) {
    measure_fail("no client");
  }
  return client;
}

/* Takes events until there is a step of one of the introduction's first pages, newer than `before`. */
static uint64_t next_page(wallet_core_client client, uint64_t before, int *is_first) {
  for (;;) {
    wallet_core_event *event = NULL;
    if (wallet_core_client_next_event(client, TEST_PATIENCE_MS, &event, NULL) != WALLET_CORE_OK) {
      measure_fail("no step");
    }
    const char *name = wallet_core_event_step_name(event);
    uint64_t serial = wallet_core_event_step_serial(event);
    *is_first = strcmp(name, "introduction-1") == 0;
    int is_page = *is_first || strcmp(name, "introduction-2") == 0;
    wallet_core_event_free(event);
    if (is_page && serial > before) {
      return serial;
    }
  }
}

static int waiting(wallet_core_client client) {
  wallet_core_event *event = NULL;
  int count = 0;
  while (wallet_core_client_next_event(client, 0, &event, NULL) == WALLET_CORE_OK) {
    wallet_core_event_free(event);
    count++;
  }
  return count;
}

int main(int count, char **arguments) {
  int events = count == 4 ? atoi(arguments[3]) : 0, is_first = 0;
  if (events < POINTS) {
    measure_fail("usage: idle CONFIGURATION_FILE STATE_DIRECTORY EVENTS");
  }
  mkdir(arguments[2], 0700);
  if (host_start(arguments[1], arguments[2]) != WALLET_CORE_OK) {
    measure_fail("no start");
  }
  wallet_core_client reader = attach("reader"), sleeper = attach("sleeper"),
                     stuck = attach("stuck");
  if (wallet_core_set_event_callback(stuck, stay, NULL, NULL, NULL, NULL) != WALLET_CORE_OK ||
      wallet_core_open_app(reader, WALLET_CORE_STARTUP_LAUNCH, NULL, NULL) != WALLET_CORE_OK) {
    measure_fail("no app");
  }
  uint64_t serial = next_page(reader, 0, &is_first);
  for (int i = 0; i <= events; i++) {
    if (i % (events / POINTS) == 0) {
      char name[32];
      snprintf(name, sizeof name, "idle %d resident", i);
      measure_print(name, "ours", (double)measure_resident("VmRSS"));
    }
    const char *action = is_first ? "next" : "back";
    if (wallet_core_choose(reader, serial, action, NULL, 0, NULL) != WALLET_CORE_OK) {
      measure_fail("a choice was refused");
    }
    serial = next_page(reader, serial, &is_first);
  }
  measure_print("idle waiting", "ours", waiting(sleeper));
  return 0;
}
