/*
 * Makes the wallet for programs of calls: registered, biometric unlock enabled, with a card.
 *
 *     wallet_fixture CONFIGURATION_FILE DIRECTORY ENROLMENT_CODE LICENCE_FILE
 *
 * DIRECTORY becomes its storage. The keys are those of Calls/keys.c, so that they exist again
 * later.
 */

#include <stdio.h>
#include <string.h>

#include "../ABI/host.h"
#include "../ABI/process.h"
#include "Calls/arguments.h"
#include "Calls/bridges.h"
#include "Calls/keys.h"
#include "Calls/perform.h"

static const uint8_t *const pin = (const uint8_t *)arguments_pin;

static int give_up(const char *what, wallet_core_status status) {
  fprintf(stderr, "wallet_fixture: %s: %s\n", what, wallet_core_status_name(status));
  return 1;
}

/* Whether a request that was begun ended well. */
static int is_done(wallet_core_client client, wallet_core_status begun, uint64_t request) {
  wallet_core_event *event = begun == WALLET_CORE_OK ? host_completion(client, request) : NULL;
  int is_good = event != NULL && wallet_core_event_status(event) == WALLET_CORE_OK;
  wallet_core_event_free(event);
  return is_good;
}

/* What the user does on each screen. */
static wallet_core_status answer(
    wallet_core_client client, const wallet_core_event *event, const char *code,
    const char *licence) {
  const char *name = wallet_core_event_step_name(event);
  uint64_t serial = wallet_core_event_step_serial(event);
  size_t length = 0;
  if (strcmp(name, "open-with-pin") == 0 || strcmp(name, "receive-with-pin") == 0) {
    return wallet_core_choose(client, serial, "enter", pin, WALLET_CORE_PIN_LENGTH, NULL);
  }
  if (strcmp(name, "scan-enrolment-code") == 0) {
    return wallet_core_choose_scanned(
        client, serial, WALLET_CORE_SYMBOLOGY_QR_CODE, (const uint8_t *)code, strlen(code), NULL);
  }
  if (strcmp(name, "scan-licence") == 0) {
    static uint8_t bytes[4096];
    FILE *file = fopen(licence, "rb");
    if (file == NULL) return WALLET_CORE_ERROR_INVALID_ARGUMENT;
    length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return wallet_core_choose_scanned(
        client, serial, WALLET_CORE_SYMBOLOGY_PDF417, bytes, length, NULL);
  }
  const char *action = strcmp(name, "proofing-start") == 0    ? "scan"
                       : strcmp(name, "confirm-account") == 0 ? "scan-licence"
                       : strcmp(name, "wallet-ready") == 0    ? "continue"
                                                              : NULL;
  /* Other steps end by themselves, or the dashboard never comes. */
  return action == NULL ? WALLET_CORE_OK
                        : wallet_core_choose(client, serial, action, NULL, 0, NULL);
}

static int prove(wallet_core_client client, const char *code, const char *licence) {
  wallet_core_status status = wallet_core_open_app(client, WALLET_CORE_STARTUP_LAUNCH, NULL, NULL);
  int is_home = 0;
  while (status == WALLET_CORE_OK && !is_home) {
    wallet_core_event *event = NULL;
    status = wallet_core_client_next_event(client, TEST_PATIENCE_MS, &event, NULL);
    if (wallet_core_event_kind(event) == WALLET_CORE_EVENT_STEP) {
      is_home = strcmp(wallet_core_event_step_name(event), "dashboard") == 0;
      if (!is_home) status = answer(client, event, code, licence);
    }
    wallet_core_event_free(event);
  }
  return is_home;
}

int main(int count, char **arguments) {
  if (count != 5) return 2;
  static struct program nothing;
  wallet_core_options options = host_options(arguments[1], arguments[2]);
  wallet_core_client client = 0;
  uint64_t request = 0;
  keys_begin(0);
  bridges_begin(arguments[2]);
  perform_begin(&nothing, arguments[2]);
  bridges_hand_over(0, 0);
  wallet_core_status status = wallet_core_init(&options, NULL);
  if (status != WALLET_CORE_OK) return give_up("init", status);
  status = wallet_core_client_attach("app", 0, &client, NULL);
  if (status != WALLET_CORE_OK) return give_up("attach", status);
  status = wallet_core_register(client, pin, WALLET_CORE_PIN_LENGTH, &request, NULL);
  if (!is_done(client, status, request)) return give_up("register", status);
  status = wallet_core_lock(NULL);
  if (status != WALLET_CORE_OK || !prove(client, arguments[3], arguments[4])) {
    return give_up("the identity proofing", status);
  }
  status = wallet_core_enable_biometric_unlock(client, pin, WALLET_CORE_PIN_LENGTH, &request, NULL);
  if (!is_done(client, status, request)) return give_up("enable biometric unlock", status);
  status = wallet_core_client_detach(client, NULL);
  return status == WALLET_CORE_OK ? 0 : give_up("detach", status);
}
