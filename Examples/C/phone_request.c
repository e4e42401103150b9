// SPDX-License-Identifier: Apache-2.0
/* What a relying party asks for, on the steps about it. */
#include <stdio.h>
#include <string.h>

#include "phone.h"
#include "phone_display.h"

static const char *in_words(const char *warning) {
  static const char *const words[][2] = {
      {"not-registered", "Nobody vouches for what it asks for."},
      {"asks-for-more", "It asks for more than it is registered for."},
      {"host-not-certified", "Its certificate does not name the website."},
      {"card-expires-soon", "The card expires soon."},
      {"copies-used-up", "Others have seen the copy of this card that is left."},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(words[i][0], warning) == 0) {
      return words[i][1];
    }
  }
  return warning;
}

void claim_name(const char *path, char name[CLAIM_BYTES]) {
  size_t length = 0;
  for (; *path != '\0' && length + 1 < CLAIM_BYTES; path++) {
    if (strchr("[]\"", *path) == NULL) {
      name[length++] = *path == ',' ? '.' : *path;
    }
  }
  name[length] = '\0';
}

/* An option on a line: its number, whether it is chosen, its card and its claims. */
static void option(const wallet_core_event *step, size_t index, int is_box) {
  const char *card = wallet_core_event_sharing_option_text(step, index, "card");
  int64_t is_chosen = 0;
  wallet_core_event_sharing_option_number(step, index, "is_chosen", &is_chosen);
  char claims[128] = "";
  for (size_t i = 0; i < wallet_core_event_sharing_option_path_count(step, index); i++) {
    const size_t length = strlen(claims);
    char name[CLAIM_BYTES];
    claim_name(wallet_core_event_sharing_option_path(step, index, i), name);
    snprintf(claims + length, sizeof claims - length, "%s%s", i == 0 ? "" : ", ", name);
  }
  line(
      is_box, "%zu %s %s: %.40s", index + 1, is_chosen ? "[x]" : "[ ]",
      strcmp(card, "pid") == 0 ? "Digital ID"
      : *card == '\0'          ? "A combination"
                               : card,
      *claims == '\0' ? "what everybody sees of it" : claims);
}

void request_lines(const wallet_core_event *step, int is_box) {
  const char *name = wallet_core_event_step_name(step);
  const size_t options = wallet_core_event_sharing_option_count(step);
  if (strncmp(name, "approve-", 8) == 0) {
    for (size_t i = 0; i < wallet_core_event_sharing_warning_count(step); i++) {
      line(is_box, "! %s", in_words(wallet_core_event_sharing_warning(step, i)));
    }
  }
  if (strncmp(name, "approve-", 8) == 0 || strcmp(name, "choose-card") == 0 ||
      strcmp(name, "requested-data") == 0) {
    for (size_t i = 0; i < options; i++) {
      option(step, i, is_box);
    }
  }
  if (strcmp(name, "about-organisation") == 0 && !activity_is_shown(step)) {
    line(is_box, "Organisation   %s", wallet_core_event_sharing_text(step, "organisation"));
    line(is_box, "Certified by   %s", wallet_core_event_sharing_text(step, "authority"));
    line(is_box, "Website        %s", wallet_core_event_sharing_text(step, "host"));
    for (size_t i = 0; i < wallet_core_event_sharing_registration_count(step); i++) {
      line(is_box, "Purpose        %s", wallet_core_event_sharing_purpose(step, i, NULL));
    }
  }
}
