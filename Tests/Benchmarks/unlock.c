/*
 * unlock CONFIGURATION_FILE STATE_DIRECTORY COUNT
 *
 * The cost of an unlock and a registration: medians of COUNT of each, see costs.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "costs.h"
#include "host.h"

static const uint8_t pin[] = "471108";
static wallet_core_client client;

static wallet_core_status ask_register(uint64_t *request) {
  return wallet_core_register(client, pin, 6, request, NULL);
}
static wallet_core_status ask_unlock(uint64_t *request) {
  return wallet_core_unlock(client, pin, 6, request, NULL);
}
static wallet_core_status ask_wipe(uint64_t *request) {
  return wallet_core_wipe(client, request, NULL);
}

/* A request to its completion; ends the program unless it succeeds. */
static void ask(
    wallet_core_status (*function)(uint64_t *request), wallet_core_pin_outcome outcome) {
  uint64_t request = 0;
  wallet_core_event *event =
      function(&request) == WALLET_CORE_OK ? host_completion(client, request) : NULL;
  if (wallet_core_event_status(event) != WALLET_CORE_OK || event == NULL ||
      wallet_core_event_pin_outcome(event) != outcome) {
    fprintf(stderr, "unlock: a request failed\n");
    exit(1);
  }
  wallet_core_event_free(event);
}

static void print_medians(int number, int is_registration) {
  static struct costs costs[COSTS_MOST];
  for (int i = 0; i < number; i++) {
    if (is_registration) {
      ask(ask_wipe, WALLET_CORE_PIN_OUTCOME_NOT_JUDGED);
    } else {
      wallet_core_lock(NULL);
    }
    costs_begin();
    if (is_registration) {
      ask(ask_register, WALLET_CORE_PIN_OUTCOME_NOT_JUDGED);
    } else {
      ask(ask_unlock, WALLET_CORE_PIN_OUTCOME_VALID);
    }
    costs[i] = costs_end();
  }
  costs_print(costs, number, is_registration ? '\n' : ' ');
}

int main(int count, char **arguments) {
  int number = count == 4 ? atoi(arguments[3]) : 0;
  if (number < 1 || number > COSTS_MOST || !costs_start(arguments[1], arguments[2]) ||
      wallet_core_client_attach("bench", 0, &client, NULL) != WALLET_CORE_OK) {
    fprintf(stderr, "unlock: no start\n");
    return 1;
  }
  ask(ask_register, WALLET_CORE_PIN_OUTCOME_NOT_JUDGED);
  print_medians(number, 0);
  print_medians(number, 1);
  return 0;
}
