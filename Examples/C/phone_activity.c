// SPDX-License-Identifier: Apache-2.0
/* The history: what was shared with whom, what was refused and what failed. */
#include <stdio.h>
#include <string.h>

#include "phone.h"
#include "phone_display.h"

/* The lines of the list; the question for a number has to fit beneath. */
enum { LISTED = 5 };

static int is_of(const wallet_core_event *step, const char *use_case) {
  return strcmp(wallet_core_event_step_use_case(step), use_case) == 0;
}

int activity_is_shown(const wallet_core_event *step) {
  return is_of(step, "UC6.1") || is_of(step, "UC6.3");
}

static const char *in_words(const char *result) {
  static const char *const words[][2] = {
      {"shared", "shared"},
      {"may-have-been-shared", "may have been shared"},
      {"stopped", "you stopped"},
      {"failed", "failed"},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(words[i][0], result) == 0) {
      return words[i][1];
    }
  }
  return result;
}

/* Who asked: the organisation, or its host if its certificate has no name that can be shown. */
static const char *who(const wallet_core_event *activities, size_t index) {
  const char *name = wallet_core_event_activity_text(activities, index, "organisation");
  return *name != '\0' ? name : wallet_core_event_activity_text(activities, index, "host");
}

/* The minute, from "2026-11-27T09:30:00Z". */
static void when(const wallet_core_event *activities, size_t index, char text[17]) {
  snprintf(text, 17, "%s", wallet_core_event_activity_text(activities, index, "at"));
  if (strlen(text) > 10) {
    text[10] = ' ';
  }
}

static void list(const wallet_core_event *activities) {
  const size_t count = wallet_core_event_activity_count(activities);
  const size_t shown = count > LISTED ? LISTED - 1 : count;
  char minute[17];
  if (count == 0) {
    put("Nothing was shared yet.");
  }
  for (size_t i = 0; i < shown; i++) {
    when(activities, i, minute);
    put("%zu  %s  %-27.27s  %s", i + 1, minute, who(activities, i),
        in_words(wallet_core_event_activity_text(activities, i, "result")));
  }
  if (count > shown) {
    put("and %zu older", count - shown);
  }
}

/* The cards and their claims, a card on a line. */
static void items(const wallet_core_event *activities, size_t index) {
  for (size_t i = 0; i < wallet_core_event_activity_item_count(activities, index); i++) {
    const char *card = wallet_core_event_activity_item_text(activities, index, i, "card");
    const char *name = wallet_core_event_activity_item_text(activities, index, i, "name");
    char text[4 * DISPLAY_WIDTH], claim[CLAIM_BYTES];
    snprintf(
        text, sizeof text, "%s:",
        strcmp(card, "pid") == 0 ? "Digital ID"
        : *name                  ? name
                                 : card);
    for (size_t k = 0;; k++) {
      claim_name(wallet_core_event_activity_item_path(activities, index, i, k), claim);
      if (*claim == '\0') {
        break;
      }
      const size_t length = strlen(text);
      snprintf(text + length, sizeof text - length, "%s %s", k == 0 ? "" : ",", claim);
    }
    paragraphs(0, text);
  }
}

/* What the step is about, of one activity. */
static void one(const wallet_core_event *activities, size_t index, const char *step) {
  char minute[17];
  const int is_all = strcmp(step, "activity-details") == 0;
  if (is_all) {
    when(activities, index, minute);
    put("When           %s UTC", minute);
    put("What           %s, %s",
        strcmp(wallet_core_event_activity_text(activities, index, "kind"), "login") == 0
            ? "logging in"
            : "sharing data",
        in_words(wallet_core_event_activity_text(activities, index, "result")));
  }
  if (is_all || strcmp(step, "about-organisation") == 0) {
    put("Organisation   %s", who(activities, index));
    put("Certified by   %s", wallet_core_event_activity_text(activities, index, "authority"));
    put("Website        %s", wallet_core_event_activity_text(activities, index, "host"));
  }
  if (is_all || strcmp(step, "requested-data") == 0) {
    items(activities, index);
  }
  if (strcmp(step, "agreements") == 0) {
    put("Privacy policy %s", wallet_core_event_activity_text(activities, index, "privacy_policy"));
  }
}

void activity_lines(
    const wallet_core_event *step, const wallet_core_event *answer, size_t activity) {
  if (answer == NULL || !activity_is_shown(step)) {
    return; /* not read yet, or another step */
  }
  if (is_of(step, "UC6.1")) {
    list(answer);
  } else if (activity < wallet_core_event_activity_count(answer)) {
    one(answer, activity, wallet_core_event_step_name(step));
  }
}
