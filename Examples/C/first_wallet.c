// SPDX-License-Identifier: Apache-2.0
/* A wallet app in a terminal: it shows each step of the library and passes on what you choose. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wallet_core.h>
#include "software_keys.h"

static wallet_core_client client;
static wallet_core_error *error; /* of the last call */
static uint8_t file[256 * 1024]; /* the configuration, then what a camera would read */

static size_t load(const char *path) {
  FILE *stream = fopen(path, "rb");
  const size_t length = stream != NULL ? fread(file, 1, sizeof file, stream) : 0;
  if (stream == NULL || fclose(stream) != 0) perror(path);
  return length;
}

static int failed(wallet_core_status status) {
  const char *name = wallet_core_status_name(status);
  if (status != 0) fprintf(stderr, "%s: %s\n", name, wallet_core_error_message(error, NULL));
  wallet_core_error_free(error);
  return status != 0;
}

/* Draws a step; passes on "next", "enter 471108" or "scanned code.txt". 1 if that was refused. */
static int show(const wallet_core_event *step) {
  const int is_licence = strcmp(wallet_core_event_step_name(step), "scan-licence") == 0;
  const int symbol = is_licence ? WALLET_CORE_SYMBOLOGY_PDF417 : WALLET_CORE_SYMBOLOGY_QR_CODE;
  const uint64_t serial = wallet_core_event_step_serial(step);
  char line[256];
  printf("\n== %s\n%s\n", wallet_core_event_step_title(step), wallet_core_event_step_message(step));
  for (size_t i = 0; i < wallet_core_event_step_notice_count(step); i++)
    printf("! %s\n", wallet_core_event_step_notice(step, i));
  for (size_t i = 0; i < wallet_core_event_step_action_count(step); i++) {
    const char *label = wallet_core_event_step_action_label(step, i);
    printf("  %-22s %s\n", wallet_core_event_step_action(step, i), label);
  }
  if (wallet_core_event_step_action_count(step) == 0) return 0; /* it ends by itself */
  if (printf("> ") < 0 || fflush(stdout) != 0 || !fgets(line, sizeof line, stdin)) exit(0);
  const char *action = strtok(line, " \n"), *input = strtok(NULL, "\n");
  const size_t length = input != NULL ? strlen(input) : 0;
  const wallet_core_status status =
      length > 0 && strcmp(action, "scanned") == 0
          ? wallet_core_choose_scanned(client, serial, symbol, file, load(input), &error)
          : wallet_core_choose(client, serial, action, (const uint8_t *)input, length, &error);
  wallet_core_memzero(line, sizeof line); /* a PIN, perhaps */
  return failed(status) && status != WALLET_CORE_ERROR_STALE_STEP;
}

int main(void) {
  wallet_core_options options = {
      .struct_size = sizeof options, .app_version = "1.0.0", .app_id = "org.example.first"};
  options.embedded_configuration = file;
  options.embedded_configuration_length = load("configuration.json");
  if (failed(software_keys_hand_over("state", &error)) ||
      failed(wallet_core_init(&options, &error)) ||
      failed(wallet_core_client_attach("app", 0, &client, &error)) ||
      failed(wallet_core_open_app(client, WALLET_CORE_STARTUP_LAUNCH, NULL, &error)))
    return 1;
  for (;;) {
    wallet_core_event *event = NULL;
    int64_t has_pid = 0; /* told by the dashboard */
    if (failed(wallet_core_client_next_event(client, -1, &event, &error))) return 1;
    wallet_core_event_step_number(event, "has_pid", &has_pid);
    if (has_pid && failed(wallet_core_cards(client, NULL, &error))) return 1;
    while (wallet_core_event_step_serial(event) > 0 && !has_pid && show(event)) continue;
    for (size_t card = 0; card < wallet_core_event_card_count(event); card++)
      for (size_t i = 0; i < wallet_core_event_card_claim_count(event, card); i++)
        printf(
            "%s: %s\n", wallet_core_event_card_claim_name(event, card, i),
            wallet_core_event_card_claim_text(event, card, i));
    if (wallet_core_event_kind(event) == WALLET_CORE_EVENT_COMPLETION ||
        wallet_core_event_step_kind(event) == WALLET_CORE_STEP_END) /* an exit is always safe */
      return wallet_core_event_error(event) != NULL &&
             puts(wallet_core_error_message(wallet_core_event_error(event), NULL)) >= 0;
    wallet_core_event_free(event);
  }
}
