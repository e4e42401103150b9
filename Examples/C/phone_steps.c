// SPDX-License-Identifier: Apache-2.0
/* Steps as scenarios see them: printing one on a line, and checking what is expected of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "phone_script.h"

static const char *kind_of(const wallet_core_event *step) {
  static const char *const kinds[] = {"",         "screen", "prompt", "progress", "system-prompt",
                                      "hand-off", "error",  "end"};
  const wallet_core_step_kind kind = wallet_core_event_step_kind(step);
  return kind > 0 && kind <= WALLET_CORE_STEP_END ? kinds[kind] : "unknown";
}

static int is_duration(const char *name) {
  const size_t length = strlen(name);
  return length > 3 && strcmp(name + length - 3, "_ms") == 0;
}

/* Rounds durations up to full seconds, because time passes before they are read. */
static int64_t steady(const char *name, int64_t number) {
  return is_duration(name) ? (number + 999) / 1000 * 1000 : number;
}

void step_print(const wallet_core_event *step) {
  static const char *const names[] = {"attempts_left",  "is_final_round",
                                      "blocked_for_ms", "locks_in_ms",
                                      "biometrics",     "protection",
                                      "reason",         "status_name",
                                      "has_pid",        "is_biometric_unlock_enabled",
                                      "failure",        "reasons",
                                      "account_label",  "minimum_age",
                                      "retry_after_ms", "reference",
                                      "block_age_ms",   "is_permanently_blocked",
                                      "is_pid_expired"};
  printf(
      "%s %s %s %s [", wallet_core_event_step_use_case(step), wallet_core_event_step_row(step),
      kind_of(step), wallet_core_event_step_name(step));
  for (size_t i = 0; i < wallet_core_event_step_action_count(step); i++) {
    printf("%s%s", i > 0 ? " " : "", wallet_core_event_step_action(step, i));
  }
  putchar(']');
  if (*wallet_core_event_step_beneath(step) != '\0') {
    printf(" beneath=%s", wallet_core_event_step_beneath(step));
  }
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    int64_t number = 0;
    const char *text = wallet_core_event_step_text(step, names[i]);
    if (wallet_core_event_step_number(step, names[i], &number)) {
      printf(" %s=%lld", names[i], (long long)steady(names[i], number));
    } else if (*text != '\0') {
      printf(" %s=%s", names[i], text);
    }
  }
  for (size_t i = 0; i < wallet_core_event_step_notice_count(step); i++) {
    printf(" !%s", wallet_core_event_step_notice(step, i));
  }
  putchar('\n');
}

int step_is_passing(const wallet_core_event *step) {
  switch (wallet_core_event_step_kind(step)) {
    case WALLET_CORE_STEP_PROGRESS:
    case WALLET_CORE_STEP_SYSTEM_PROMPT:
      return 1;
    default:
      return 0;
  }
}

int step_has_actions(const wallet_core_event *step, const char *wanted) {
  char found[512] = "";
  for (size_t i = 0; i < wallet_core_event_step_action_count(step); i++) {
    const size_t length = strlen(found);
    snprintf(
        found + length, sizeof found - length, "%s%s", i > 0 ? "," : "",
        wallet_core_event_step_action(step, i));
  }
  return strcmp(*found != '\0' ? found : "none", wanted) == 0;
}

int step_has_argument(const wallet_core_event *step, const char *condition) {
  char name[64];
  const char *equals = strchr(condition, '=');
  const int length = (int)(equals - condition);
  snprintf(name, sizeof name, "%.*s", length, condition);
  int64_t number = 0;
  if (strcmp(name, "kind") == 0) {
    return strcmp(kind_of(step), equals + 1) == 0;
  }
  if (strcmp(name, "beneath") == 0) {
    return strcmp(wallet_core_event_step_beneath(step), equals + 1) == 0;
  }
  if (wallet_core_event_step_number(step, name, &number)) {
    const int64_t wanted = strtoll(equals + 1, NULL, 10), found = steady(name, number);
    return found == wanted || (is_duration(name) && found < wanted &&
                               found >= wanted - (script_age() + 999) / 1000 * 1000);
  }
  return strcmp(wallet_core_event_step_text(step, name), equals + 1) == 0;
}

int step_has_notice(const wallet_core_event *step, const char *notice) {
  for (size_t i = 0; i < wallet_core_event_step_notice_count(step); i++) {
    if (strcmp(wallet_core_event_step_notice(step, i), notice) == 0) {
      return 1;
    }
  }
  return 0;
}
