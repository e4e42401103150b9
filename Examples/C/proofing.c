// SPDX-License-Identifier: Apache-2.0
/*
 * proofing - from an enrolment code and a driver's licence to a card and a verifier, in one file.
 *
 *     proofing CONFIGURATION_FILE STATE_DIRECTORY ENROLMENT_CODE.png LICENCE.png ANCHORS.pem
 *
 * STATE_DIRECTORY has a wallet with the PIN 471108, as the example `startup` leaves it. This host has
 * no code for identity proofing: it draws each step with the library's English texts, makes the
 * user's choices, and scans a picture where a step asks for one. At the end it requests the card,
 * prints its claims, and shows one of them to a verifier, which trusts the authorities in ANCHORS.pem.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wallet_core.h>

#include "scan.h"
#include "software_keys.h"
#include "verifier.h"

static void say(const char *from, const char *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("  %-11s -> %-11s  ", from, to);
  vprintf(format, arguments);
  putchar('\n');
  fflush(stdout);
  va_end(arguments);
}

static int failed(wallet_core_status status, wallet_core_error *error, const char *what) {
  if (status != WALLET_CORE_OK) {
    fprintf(
        stderr, "proofing: %s: %s: %s\n", what, wallet_core_status_name(status),
        wallet_core_error_message(error, NULL));
  }
  wallet_core_error_free(error);
  return status != WALLET_CORE_OK;
}

/* What the verifier calls itself, and the type of card that it asks for. */
static const char audience[] = "https://bar.example", pid_type[] = "urn:wallet-provider:pid:1";

/* What the user does on each screen; the library decides what comes next. */
static const struct {
  const char *step, *action, *picture;
} story[] = {
    {"open-with-pin", "enter", NULL},           {"proofing-start", "scan", NULL},
    {"scan-enrolment-code", "scanned", "code"}, {"confirm-account", "scan-licence", NULL},
    {"scan-licence", "scanned", "licence"},     {"receive-with-pin", "enter", NULL},
    {"wallet-ready", "continue", NULL},
};

static wallet_core_status hold_before_camera(
    wallet_core_client client, uint64_t serial, const char *path, int32_t wanted,
    wallet_core_error **error) {
  struct scan scan;
  wallet_core_status status = WALLET_CORE_ERROR_INVALID_ARGUMENT;
  const enum scan_outcome outcome = scan_image(path, wanted, &scan);
  /* Bytes, not text: text functions would lose the control characters of a licence. */
  if (outcome == SCAN_DECODED) {
    status =
        wallet_core_choose_scanned(client, serial, scan.symbology, scan.bytes, scan.length, error);
  } else {
    fprintf(
        stderr, "proofing: %s: %s\n", path,
        outcome == SCAN_FAILED ? scan.reason : "no code can be read in it");
  }
  scan_wipe(&scan);
  return status;
}

/* Answers the step as the story says. Returns 1 if it was answered or needs no answer. */
static int answer(
    wallet_core_client client, const wallet_core_event *event, const char *code,
    const char *licence) {
  const uint64_t serial = wallet_core_event_step_serial(event);
  const char *name = wallet_core_event_step_name(event);
  wallet_core_error *error = NULL;
  for (size_t i = 0; i < sizeof story / sizeof story[0]; i++) {
    if (strcmp(story[i].step, name) != 0) {
      continue;
    }
    wallet_core_status status;
    if (story[i].picture != NULL) {
      say("user", "wallet_app", "holds the %s before the camera", story[i].picture);
      status =
          strcmp(story[i].picture, "code") == 0
              ? hold_before_camera(client, serial, code, WALLET_CORE_SYMBOLOGY_QR_CODE, &error)
              : hold_before_camera(client, serial, licence, WALLET_CORE_SYMBOLOGY_PDF417, &error);
    } else if (strcmp(story[i].action, "enter") == 0) {
      char pin[] = "471108";
      say("user", "wallet_app", "enters the PIN");
      status = wallet_core_choose(client, serial, "enter", (uint8_t *)pin, strlen(pin), &error);
      wallet_core_memzero(pin, sizeof pin);
    } else {
      status = wallet_core_choose(client, serial, story[i].action, NULL, 0, &error);
    }
    return !failed(status, error, name);
  }
  return wallet_core_event_step_kind(event) == WALLET_CORE_STEP_PROGRESS ||
         strcmp(name, "splash") == 0;
}

/* Draws and answers steps until the dashboard comes. Returns 0, or -1 if it does not come. */
static int walk(wallet_core_client client, const char *code, const char *licence) {
  for (;;) {
    wallet_core_event *event = NULL;
    wallet_core_error *error = NULL;
    if (failed(wallet_core_client_next_event(client, 60000, &event, &error), error, "next_event")) {
      return -1;
    }
    if (wallet_core_event_kind(event) != WALLET_CORE_EVENT_STEP) {
      wallet_core_event_free(event);
      continue;
    }
    const char *name = wallet_core_event_step_name(event);
    const int is_shown = wallet_core_event_step_kind(event) != WALLET_CORE_STEP_PROGRESS &&
                         strcmp(name, "splash") != 0;
    if (is_shown) {
      const char *label = wallet_core_event_step_text(event, "account_label");
      say("wallet_core", "wallet_app", "%s %s: %s%s%s", wallet_core_event_step_use_case(event),
          wallet_core_event_step_row(event), wallet_core_event_step_title(event),
          *label ? ", " : "", label);
    }
    const int is_home = strcmp(name, "dashboard") == 0;
    const int goes_on = is_home || answer(client, event, code, licence);
    wallet_core_event_free(event);
    if (is_home || !goes_on) {
      return is_home ? 0 : -1;
    }
  }
}

static int show_card(wallet_core_client client) {
  uint64_t request = 0;
  wallet_core_error *error = NULL;
  say("wallet_app", "wallet_core", "cards()");
  if (failed(wallet_core_cards(client, &request, &error), error, "cards")) {
    return -1;
  }
  for (;;) {
    wallet_core_event *event = NULL;
    if (failed(wallet_core_client_next_event(client, 60000, &event, &error), error, "next_event")) {
      return -1;
    }
    const int is_answer = wallet_core_event_request(event) == request;
    const size_t cards = wallet_core_event_card_count(event);
    for (size_t i = 0; i < wallet_core_event_card_claim_count(event, 0); i++) {
      say("wallet_core", "wallet_app", "%s: %s", wallet_core_event_card_claim_name(event, 0, i),
          wallet_core_event_card_claim_text(event, 0, i));
    }
    wallet_core_event_free(event);
    if (is_answer) {
      return cards == 1 ? 0 : -1;
    }
  }
}

/* Has the verifier judge the presentation and prints what it sees. */
static int look_at(const char *presentation, const char *anchors, const char *nonce) {
  const struct verifier verifier = {
      .anchors = anchors,
      .type = pid_type,
      .audience = audience,
      .nonce = nonce,
      .now = time(NULL)};
  const char *reason = NULL;
  char *claims = verifier_look_at(&verifier, presentation, &reason);
  say("verifier", "user", "%s%s", claims == NULL ? "refuses: " : "sees ",
      claims == NULL ? reason : claims);
  free(claims);
  return claims == NULL ? -1 : 0;
}

/* Shows a verifier that the user is of age, and nothing else that can be withheld. */
static int present(wallet_core_client client, const char *anchors) {
  static const char *const paths[] = {"[\"age_equal_or_over\",\"18\"]"};
  const wallet_core_card_selection selection = {
      .struct_size = sizeof selection, .card = "pid", .paths = paths, .path_count = 1};
  const wallet_core_card_selection *const selections[] = {&selection};
  char nonce[VERIFIER_NONCE_BYTES], pin[] = "471108";
  uint64_t request = 0;
  wallet_core_error *error = NULL;
  if (verifier_make_nonce(nonce) != 0) {
    return -1;
  }
  say("verifier", "user", "is she 18 or older?");
  const wallet_core_status status = wallet_core_present(
      client, selections, 1, nonce, audience, (uint8_t *)pin, strlen(pin), &request, &error);
  wallet_core_memzero(pin, sizeof pin);
  if (failed(status, error, "present")) {
    return -1;
  }
  for (;;) {
    wallet_core_event *event = NULL;
    if (failed(wallet_core_client_next_event(client, 60000, &event, &error), error, "next_event")) {
      return -1;
    }
    const int is_answer = wallet_core_event_request(event) == request;
    const int result = is_answer && wallet_core_event_presentation_count(event) == 1
                           ? look_at(wallet_core_event_presentation(event, 0), anchors, nonce)
                           : -1;
    wallet_core_event_free(event);
    if (is_answer) {
      return result;
    }
  }
}

int main(int count, char **arguments) {
  static uint8_t configuration[256 * 1024];
  wallet_core_signing_key_bridge signing_key;
  wallet_core_encryption_key_bridge encryption_key;
  wallet_core_utilities_bridge utilities;
  wallet_core_client client = 0;
  wallet_core_error *error = NULL;
  if (count != 6) {
    fprintf(
        stderr,
        "usage: proofing CONFIGURATION_FILE STATE_DIRECTORY CODE.png LICENCE.png ANCHORS.pem\n");
    return 2;
  }
  FILE *file = fopen(arguments[1], "rb");
  if (file == NULL) {
    fprintf(stderr, "proofing: %s: %s\n", arguments[1], strerror(errno));
    return 2;
  }
  const wallet_core_options options = {
      .struct_size = sizeof options,
      .embedded_configuration = configuration,
      .embedded_configuration_length = fread(configuration, 1, sizeof configuration, file),
      .app_version = "1.0.0",
      .app_id = "org.example.startup",
  };
  fclose(file);

  puts("Identity proofing [UC3.1]");
  if (software_keys_fill(arguments[2], &signing_key, &encryption_key, &utilities) != 0 ||
      failed(
          wallet_core_init_platform_support(&signing_key, &encryption_key, &utilities, &error),
          error, "init_platform_support") ||
      failed(wallet_core_init(&options, &error), error, "init") ||
      failed(wallet_core_client_attach("app", 0, &client, &error), error, "attach") ||
      failed(
          wallet_core_open_app(client, WALLET_CORE_STARTUP_LAUNCH, NULL, &error), error,
          "open_app") ||
      walk(client, arguments[3], arguments[4]) != 0 || show_card(client) != 0 ||
      present(client, arguments[5]) != 0) {
    return 1;
  }
  return failed(wallet_core_client_detach(client, &error), error, "detach");
}
