/*
 * present CONFIGURATION_FILE STATE_DIRECTORY CODE LICENCE COUNT
 *
 * The cost of an issuance of the PID in ten copies, from the PIN in the flow to the card, and the
 * median cost of COUNT presentations of it, see costs.h. Then what the process has at rest with the
 * unlocked wallet: threads besides the host's own, and bytes of memory that no file holds, more than
 * before init. Last the number of copies, which is to be ten.
 */
#include <stdio.h>
#include <stdlib.h>

#include "Peers/measure.h"
#include "costs.h"
#include "enrolment.h"
#include "host.h"
#include "process.h"

/* Long enough for threads that end when there is nothing to do. */
enum { AT_REST_MS = 2000 };

static wallet_core_client client;

static void require(int condition, const char *what) {
  if (!condition) {
    measure_fail(what);
  }
}

/* The completion of a request, which must have succeeded. Yours to free. */
static wallet_core_event *complete(wallet_core_status status, uint64_t request) {
  wallet_core_event *event = status == WALLET_CORE_OK ? host_completion(client, request) : NULL;
  require(event != NULL && wallet_core_event_status(event) == WALLET_CORE_OK, "a request failed");
  return event;
}

static void set_up(void) {
  static const uint8_t pin[] = "471108";
  uint64_t request = 0;
  wallet_core_status status = wallet_core_register(client, pin, 6, &request, NULL);
  wallet_core_event_free(complete(status, request));
}

static struct costs issue(const char *code, const char *licence) {
  uint64_t serial = enrolment_begin(client, code, licence);
  require(serial != 0, "no account");
  costs_begin();
  require(enrolment_receive(client, serial), "no card");
  return costs_end();
}

static struct costs present(void) {
  uint64_t request = 0;
  costs_begin();
  wallet_core_status status = enrolment_present(client, &request);
  wallet_core_event *event = complete(status, request);
  struct costs costs = costs_end();
  require(wallet_core_event_presentation_count(event) == 1, "nothing was presented");
  wallet_core_event_free(event);
  return costs;
}

static int64_t copies(void) {
  uint64_t request = 0;
  int64_t number = 0;
  wallet_core_status status = wallet_core_cards(client, &request, NULL);
  wallet_core_event *event = complete(status, request);
  wallet_core_event_card_number(event, 0, "copies", &number);
  wallet_core_event_free(event);
  return number;
}

int main(int count, char **arguments) {
  static struct costs costs[COSTS_MOST];
  int number = count == 6 ? atoi(arguments[5]) : 0;
  require(
      number > 0 && number <= COSTS_MOST,
      "usage: present CONFIGURATION_FILE STATE_DIRECTORY CODE LICENCE COUNT");
  int64_t before = measure_resident("RssAnon");
  require(costs_start(arguments[1], arguments[2]), "no start");
  require(wallet_core_client_attach("bench", 0, &client, NULL) == WALLET_CORE_OK, "no client");
  set_up();
  struct costs issuance = issue(arguments[3], arguments[4]);
  costs_print(&issuance, 1, ' ');
  for (int i = 0; i < number; i++) {
    costs[i] = present();
  }
  costs_print(costs, number, ' ');
  int64_t made = copies();
  process_sleep(AT_REST_MS);
  int threads = process_threads() - 1;
  int64_t held = measure_resident("RssAnon") - before;
  printf("%d %lld %lld\n", threads, (long long)held, (long long)made);
  return 0;
}
