// SPDX-License-Identifier: Apache-2.0
/* The instructions of scenarios that check cards. */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "phone_script.h"

/* Waits for the answer to the request that was just made. Returns its status. */
static wallet_core_status await_answer(struct player *player, wallet_core_status asked) {
  const int64_t deadline = app_now() + SCRIPT_PATIENCE_MS;
  while (asked == WALLET_CORE_OK && player->app.answer == NULL) {
    const int64_t left = deadline - app_now();
    if (left <= 0 || take(player, left) == APP_FAILED) {
      return WALLET_CORE_ERROR_TIMEOUT;
    }
  }
  return asked == WALLET_CORE_OK ? wallet_core_event_status(player->app.answer) : asked;
}

/* The text of a claim of the card, or else one of its other texts, e.g. "id". */
static const char *card_text(const wallet_core_event *cards, size_t card, const char *name) {
  for (size_t i = 0; i < wallet_core_event_card_claim_count(cards, card); i++) {
    if (strcmp(wallet_core_event_card_claim_name(cards, card, i), name) == 0) {
      return wallet_core_event_card_claim_text(cards, card, i);
    }
  }
  return wallet_core_event_card_text(cards, card, name);
}

/* "family_name=Rowan"; "given_name=Imogen_Elspeth": a blank is written as "_". */
static int card_has(const wallet_core_event *cards, char *condition) {
  char *value = strchr(condition, '=');
  if (value == NULL) {
    return 0;
  }
  *value++ = '\0';
  const char *text = card_text(cards, 0, condition);
  while (*text != '\0' && (*text == *value || (*text == ' ' && *value == '_'))) {
    text += 1;
    value += 1;
  }
  return *text == *value;
}

/* "card CLAIM=VALUE..." checks the only card; "card none" checks that there is none. */
static enum result card(struct player *player) {
  const int is_none = strcmp(player->words[1], "none") == 0;
  if (check_status(player, await_answer(player, app_read_cards(&player->app)), "OK") != OK) {
    return FAILED;
  }
  const wallet_core_event *cards = player->app.answer;
  enum result result = OK;
  if (wallet_core_event_card_count(cards) != (is_none ? 0 : 1)) {
    result = fail(player, "there are %zu cards", wallet_core_event_card_count(cards));
  }
  for (int i = 1; result == OK && !is_none && i < player->count; i++) {
    if (!card_has(cards, player->words[i])) {
      result = fail(player, "the card has another value of %s", player->words[i]);
    }
  }
  app_forget_answer(&player->app);
  return result;
}

/* "present CLAIM,... [STATUS]" or "present none [STATUS]": the status is OK unless given. */
static enum result present(struct player *player) {
  const char *claims[SCRIPT_WORDS];
  size_t count = 0;
  char *rest = NULL;
  for (char *claim = strtok_r(player->words[1], ",", &rest); claim != NULL && count < SCRIPT_WORDS;
       claim = strtok_r(NULL, ",", &rest)) {
    claims[count++] = claim;
  }
  if (count == 1 && strcmp(claims[0], "none") == 0) {
    count = 0;
  }
  const char *wanted = player->count > 2 ? player->words[2] : "OK";
  enum result result =
      check_status(player, await_answer(player, app_present(&player->app, claims, count)), wanted);
  const int is_there = *wallet_core_event_presentation(player->app.answer) != '\0';
  if (result == OK && is_there != (strcmp(wanted, "OK") == 0)) {
    result = fail(player, "a presentation came with a refusal, or none without one");
  }
  app_forget_answer(&player->app);
  return result;
}

const struct instruction card_instructions[] = {
    {"card", 1, SCRIPT_WORDS, card, 1},
    {"present", 1, 2, present, 1},
    {0},
};
