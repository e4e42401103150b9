#include "enrolment.h"

#include <stdio.h>
#include <string.h>

#include "../Support/test_patience.h"

enum { SCAN_LONGEST = 4096 };

static const uint8_t pin[] = "471108";
static const size_t pin_length = sizeof pin - 1;

/* What is chosen on each step; "scan" holds a file before the camera. */
static const struct {
  const char *step, *action;
} story[] = {
    {"open-with-pin", "enter"},      {"proofing-start", "scan"},
    {"scan-enrolment-code", "code"}, {"confirm-account", "scan-licence"},
    {"scan-licence", "licence"},
};

static wallet_core_status scan(
    wallet_core_client client, uint64_t serial, const char *path, int32_t symbology) {
  uint8_t bytes[SCAN_LONGEST];
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    return WALLET_CORE_ERROR_INVALID_ARGUMENT;
  }
  size_t length = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  return wallet_core_choose_scanned(client, serial, symbology, bytes, length, NULL);
}

static wallet_core_status answer(
    wallet_core_client client, uint64_t serial, const char *action, const char *code,
    const char *licence) {
  if (strcmp(action, "code") == 0) {
    return scan(client, serial, code, WALLET_CORE_SYMBOLOGY_QR_CODE);
  }
  if (strcmp(action, "licence") == 0) {
    return scan(client, serial, licence, WALLET_CORE_SYMBOLOGY_PDF417);
  }
  int has_pin = strcmp(action, "enter") == 0;
  return wallet_core_choose(
      client, serial, action, has_pin ? pin : NULL, has_pin ? pin_length : 0, NULL);
}

/* Answers steps until the one of that name comes; its serial, or 0. */
static uint64_t walk(
    wallet_core_client client, const char *wanted, const char *code, const char *licence) {
  for (;;) {
    wallet_core_event *event = NULL;
    if (wallet_core_client_next_event(client, TEST_PATIENCE_MS, &event, NULL) != WALLET_CORE_OK) {
      fprintf(stderr, "enrolment: no step %s\n", wanted);
      return 0;
    }
    const char *name = wallet_core_event_step_name(event);
    uint64_t serial = wallet_core_event_step_serial(event);
    int is_it = strcmp(name, wanted) == 0;
    int is_answered = is_it || *name == '\0' || strcmp(name, "splash") == 0 ||
                      wallet_core_event_step_kind(event) == WALLET_CORE_STEP_PROGRESS;
    for (size_t i = 0; i < sizeof story / sizeof story[0] && !is_answered; i++) {
      is_answered = code != NULL && strcmp(story[i].step, name) == 0 &&
                    answer(client, serial, story[i].action, code, licence) == WALLET_CORE_OK;
    }
    if (!is_answered) {
      fprintf(stderr, "enrolment: the step %s instead of %s\n", name, wanted);
    }
    wallet_core_event_free(event);
    if (is_it || !is_answered) {
      return is_it ? serial : 0;
    }
  }
}

uint64_t enrolment_begin(wallet_core_client client, const char *code, const char *licence) {
  wallet_core_status status = wallet_core_open_app(client, WALLET_CORE_STARTUP_LAUNCH, NULL, NULL);
  return status == WALLET_CORE_OK ? walk(client, "receive-with-pin", code, licence) : 0;
}

int enrolment_receive(wallet_core_client client, uint64_t serial) {
  return wallet_core_choose(client, serial, "enter", pin, pin_length, NULL) == WALLET_CORE_OK &&
         walk(client, "wallet-ready", NULL, NULL) != 0;
}

wallet_core_status enrolment_present(wallet_core_client client, uint64_t *request) {
  static const char *const paths[] = {"[\"age_equal_or_over\",\"18\"]"};
  const wallet_core_card_selection card = {
      .struct_size = sizeof card, .card = "pid", .paths = paths, .path_count = 1};
  const wallet_core_card_selection *const selections[] = {&card};
  return wallet_core_present(
      client, selections, 1, "0123456789abcdef0123456789abcdef", "https://bar.example", pin,
      pin_length, request, NULL);
}
