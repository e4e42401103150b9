// SPDX-License-Identifier: Apache-2.0
/* The claims of a card in words for its owner, the most important ones first. */
#include <stdio.h>
#include <string.h>

#include "phone.h"

/* The claims of a PID in the order in which they are drawn. */
static const struct {
  const char *claim, *label;
} labels[] = {
    {"family_name", "Family name"},
    {"given_name", "Given names"},
    {"birthdate", "Born"},
    {"age_equal_or_over.18", "18 or older"},
    {"issuing_authority", "Issued by"},
    {"verification.evidence", "Proven with"},
    {"verification.account_match", "Matches the account"},
    {"verification.issuing_source_match", "Confirmed by its issuer"},
    {"verification.demonstration", "Demonstration only"},
};

static const char *claim_of(const wallet_core_event *cards, size_t card, const char *name) {
  for (size_t i = 0; i < wallet_core_event_card_claim_count(cards, card); i++) {
    if (strcmp(wallet_core_event_card_claim_name(cards, card, i), name) == 0) {
      return wallet_core_event_card_claim_text(cards, card, i);
    }
  }
  return "";
}

/* The words for a value that is a code. */
static const char *in_words(const char *value) {
  static const char *const words[][2] = {
      {"true", "yes"},
      {"false", "no"},
      {"driving_permit", "a driver's licence"},
      {"idcard", "an identity card"},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(words[i][0], value) == 0) {
      return words[i][1];
    }
  }
  return value;
}

int card_lines(
    const wallet_core_event *cards, size_t card, char lines[CARD_LINES][CARD_LINE_BYTES]) {
  int count = 0;
  for (size_t i = 0; i < sizeof labels / sizeof *labels && count < CARD_LINES; i++) {
    const char *value = claim_of(cards, card, labels[i].claim);
    if (*value != '\0') {
      snprintf(lines[count++], CARD_LINE_BYTES, "%-24s %s", labels[i].label, in_words(value));
    }
  }
  const char *expiry = wallet_core_event_card_text(cards, card, "expires_at");
  if (*expiry != '\0' && count < CARD_LINES) {
    const int is_expired =
        wallet_core_event_card_state(cards, card) == WALLET_CORE_CARD_STATE_EXPIRED;
    snprintf(
        lines[count++], CARD_LINE_BYTES, "%-24s %.10s%s", "Valid until", expiry,
        is_expired ? " (expired)" : "");
  }
  return count;
}
