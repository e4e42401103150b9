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

/* The state in words; empty if there is nothing to say of it. */
static const char *state_of(const wallet_core_event *cards, size_t card) {
  switch (wallet_core_event_card_state(cards, card)) {
    case WALLET_CORE_CARD_STATE_EXPIRES_SOON:
      return " (expires soon)";
    case WALLET_CORE_CARD_STATE_NOT_YET_VALID:
      return " (not valid yet)";
    case WALLET_CORE_CARD_STATE_EXPIRED:
      return " (expired)";
    case WALLET_CORE_CARD_STATE_REVOKED:
      return " (withdrawn)";
    case WALLET_CORE_CARD_STATE_SUSPENDED:
      return " (suspended)";
    case WALLET_CORE_CARD_STATE_UNCHECKED:
      return " (not checked lately)";
    case WALLET_CORE_CARD_STATE_KEY_LOST:
      return " (this device has lost its key)";
    case WALLET_CORE_CARD_STATE_UNTRUSTED:
      return " (its issuer is not trusted any more)";
    case WALLET_CORE_CARD_STATE_UNREADABLE:
      return " (damaged; obtain it anew)";
    default:
      return "";
  }
}

/* What the card is called. */
static const char *name_of(const wallet_core_event *cards, size_t card) {
  if (strcmp(wallet_core_event_card_text(cards, card, "id"), "pid") == 0) return "Digital ID";
  const char *name = wallet_core_event_card_text(cards, card, "name");
  const char *issuer = wallet_core_event_card_text(cards, card, "issuer");
  return *name != '\0' ? name : *issuer != '\0' ? issuer : "A card";
}

static int is_labelled(const char *claim) {
  for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
    if (strcmp(labels[i].claim, claim) == 0) return 1;
  }
  return 0;
}

int card_lines(
    const wallet_core_event *cards, size_t card, int most,
    char lines[CARD_LINES][CARD_LINE_BYTES]) {
  const int is_pid = strcmp(wallet_core_event_card_text(cards, card, "id"), "pid") == 0;
  const char *expiry = wallet_core_event_card_text(cards, card, "expires_at");
  const char *state = state_of(cards, card);
  int count = 0;
  if (most <= 0) return 0;
  if (wallet_core_event_card_count(cards) > 1 || *expiry == '\0') {
    snprintf(lines[count++], CARD_LINE_BYTES, "[#] %s%s", name_of(cards, card), state);
    state = "";
  }
  for (size_t i = 0; i < sizeof labels / sizeof *labels && count < most - 1; i++) {
    const char *value = claim_of(cards, card, labels[i].claim);
    if (*value != '\0') {
      snprintf(lines[count++], CARD_LINE_BYTES, "%-24s %s", labels[i].label, in_words(value));
    }
  }
  const size_t claims = is_pid ? 0 : wallet_core_event_card_claim_count(cards, card);
  for (size_t i = 0; i < claims && count < most - 1; i++) { /* those of a card that nobody knows */
    const char *claim = wallet_core_event_card_claim_name(cards, card, i);
    if (!is_labelled(claim)) {
      snprintf(
          lines[count++], CARD_LINE_BYTES, "%-24s %s", claim,
          in_words(wallet_core_event_card_claim_text(cards, card, i)));
    }
  }
  if (*expiry != '\0' && count < most) {
    snprintf(lines[count++], CARD_LINE_BYTES, "%-24s %.10s%s", "Valid until", expiry, state);
  }
  return count;
}
