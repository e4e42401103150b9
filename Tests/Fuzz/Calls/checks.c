#include "checks.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"

_Thread_local enum inside inside;
static _Thread_local wallet_core_error *made;
static _Thread_local wallet_core_error **asked;
static _Thread_local unsigned turn;
static atomic_long answered[128];

void check_failed(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("a promise is broken: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  abort();
}

void check_text(const char *where, const char *text) {
  if (tells_pin(text)) check_failed("%s tells a PIN", where);
}

wallet_core_error **error_slot(void) {
  made = NULL;
  asked = ++turn % 3 == 0 ? NULL : &made;
  return asked;
}

static int is_listed(wallet_core_status status, const int32_t *answers) {
  while (*answers != status && *answers != WALLET_CORE_OK) answers++;
  return *answers == status;
}

wallet_core_status check_status(
    const char *function, wallet_core_status status, const int32_t *answers) {
  if (!is_listed(status, answers)) {
    check_failed(
        "%s answered %s, which its comment does not list", function,
        wallet_core_status_name(status));
  }
  atomic_fetch_add(&answered[-status], 1);
  if (status == WALLET_CORE_ERROR_REENTRANT && inside == INSIDE_NOTHING) {
    check_failed("%s answered REENTRANT outside of host code", function);
  }
  return status;
}

void check_report(void) {
  for (int i = 0; i < 128; i++) {
    long count = atomic_load(&answered[i]);
    if (count > 0) printf("%ld %s, ", count, wallet_core_status_name(-i));
  }
  printf("as the header lists them\n");
}

static void check_error_object(const char *what, const wallet_core_error *error) {
  size_t message = 0, data = 0;
  const char *message_text = wallet_core_error_message(error, &message);
  const char *data_text = wallet_core_error_data(error, &data);
  wallet_core_category category = wallet_core_error_category(error);
  check_text("an error", message_text);
  check_text("an error's data", data_text);
  if (strlen(message_text) != message || strlen(data_text) != data || message == 0 ||
      data_text[0] != '{' || category < WALLET_CORE_CATEGORY_USAGE ||
      category >= WALLET_CORE_CATEGORY_INTERNAL) {
    check_failed("the error of %s contradicts itself: %s %s", what, message_text, data_text);
  }
}

wallet_core_status check_answer(
    const char *function, wallet_core_status status, const int32_t *answers) {
  check_status(function, status, answers);
  if (asked == NULL) return status;
  int is_wanted = status != WALLET_CORE_OK && status != WALLET_CORE_ERROR_TIMEOUT &&
                  status != WALLET_CORE_ERROR_INTERRUPTED;
  if (is_wanted != (made != NULL) || wallet_core_error_code(made) != (is_wanted ? status : 0)) {
    check_failed("%s: its error is not that of %s", function, wallet_core_status_name(status));
  }
  if (made != NULL) check_error_object(function, made);
  wallet_core_error_free(made);
  return status;
}

/* The length of all texts of a step; those of other events are empty. */
static size_t step_length(const wallet_core_event *event) {
  static const char *const names[] = {NULL, "", "attempts_left", "reason", "\xFF"};
  size_t actions = wallet_core_event_step_action_count(event);
  size_t notices = wallet_core_event_step_notice_count(event);
  size_t length =
      strlen(wallet_core_event_step_use_case(event)) + strlen(wallet_core_event_step_row(event)) +
      strlen(wallet_core_event_step_name(event)) + strlen(wallet_core_event_step_title(event)) +
      strlen(wallet_core_event_step_message(event)) + strlen(wallet_core_event_step_beneath(event));
  for (size_t i = 0; i < actions; i++) {
    length += strlen(wallet_core_event_step_action_label(event, i));
    if (*wallet_core_event_step_action(event, i) == 0) check_failed("an action without a name");
  }
  for (size_t i = 0; i < notices; i++) length += strlen(wallet_core_event_step_notice(event, i));
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    int64_t number = 0;
    length += strlen(wallet_core_event_step_text(event, names[i]));
    length += (size_t)wallet_core_event_step_number(event, names[i], i % 2 ? &number : NULL);
  }
  if (*wallet_core_event_step_action(event, actions) != 0 ||
      *wallet_core_event_step_action_label(event, SIZE_MAX) != 0 ||
      *wallet_core_event_step_notice(event, notices) != 0) {
    check_failed("a step has something beyond its counts");
  }
  return length + actions + notices;
}

/* Beyond each count there is an empty text. */
static void check_sharing(const wallet_core_event *event) {
  size_t warnings = wallet_core_event_sharing_warning_count(event);
  size_t options = wallet_core_event_sharing_option_count(event);
  size_t activities = wallet_core_event_activity_count(event);
  size_t registrations = wallet_core_event_sharing_registration_count(event);
  size_t length =
      strlen(wallet_core_event_sharing_text(event, "id")) +
      strlen(wallet_core_event_sharing_purpose(event, registrations, NULL)) +
      strlen(wallet_core_event_sharing_registration_text(event, registrations, "registrar")) +
      (size_t)wallet_core_event_sharing_number(event, "is_login", NULL) +
      strlen(wallet_core_event_sharing_missing_type(event, 0, 0)) +
      strlen(wallet_core_event_sharing_missing_path(event, 0, 0)) +
      wallet_core_event_sharing_missing_count(event);
  for (size_t option = 0; option <= options; option++) {
    size_t paths = wallet_core_event_sharing_option_path_count(event, option);
    length += strlen(wallet_core_event_sharing_option_path(event, option, paths)) +
              strlen(wallet_core_event_sharing_option_text(event, option, "card")) +
              (size_t)wallet_core_event_sharing_option_number(event, option, "group", NULL);
  }
  for (size_t activity = 0; activity <= activities; activity++) {
    size_t items = wallet_core_event_activity_item_count(event, activity);
    size_t registered = wallet_core_event_activity_registration_count(event, activity);
    length += strlen(wallet_core_event_activity_text(event, activity, "at")) +
              strlen(wallet_core_event_activity_purpose(event, activity, registered, NULL)) +
              strlen(wallet_core_event_activity_registration_text(
                  event, activity, registered, "registrar")) +
              strlen(wallet_core_event_activity_item_text(event, activity, items, "card")) +
              strlen(wallet_core_event_activity_item_path(event, activity, items, 0));
  }
  if (*wallet_core_event_sharing_warning(event, warnings) != 0 || length > SIZE_MAX / 2) {
    check_failed("a warning beyond the count");
  }
}

static void check_cards(const wallet_core_event *event) {
  size_t cards = wallet_core_event_card_count(event);
  for (size_t card = 0; card <= cards; card++) {
    size_t claims = wallet_core_event_card_claim_count(event, card), length = 0;
    for (size_t claim = 0; claim <= claims; claim++) {
      length += strlen(wallet_core_event_card_claim_name(event, card, claim)) +
                strlen(wallet_core_event_card_claim_text(event, card, claim)) +
                strlen(wallet_core_event_card_claim_path(event, card, claim)) +
                (size_t)wallet_core_event_card_claim_is_disclosable(event, card, claim);
    }
    length += strlen(wallet_core_event_card_text(event, card, "id")) +
              strlen(wallet_core_event_card_text(event, card, NULL)) +
              (size_t)wallet_core_event_card_state(event, card) +
              (size_t)wallet_core_event_card_number(event, card, "copies", NULL);
    if ((card < cards) != (length > 0)) check_failed("a card is not what the count says");
  }
}

void check_event(const wallet_core_event *event) {
  size_t length = 0;
  const wallet_core_error *error = wallet_core_event_error(event);
  int is_step = wallet_core_event_kind(event) == WALLET_CORE_EVENT_STEP;
  int is_completion = wallet_core_event_kind(event) == WALLET_CORE_EVENT_COMPLETION;
  const char *json = wallet_core_event_json(event, &length);
  check_text("an event", json);
  if (strlen(json) != length || wallet_core_event_locks_in_ms(event) < 0 ||
      wallet_core_event_version_blocked_in_ms(event) < 0 ||
      wallet_core_event_pin_blocked_for_ms(event) < 0 ||
      wallet_core_event_pin_failed_attempts(event) < 0 ||
      (wallet_core_event_pin_failed_attempts(event) > 0 &&
       (wallet_core_event_pin_outcome(event) == WALLET_CORE_PIN_OUTCOME_NOT_JUDGED ||
        wallet_core_event_pin_outcome(event) == WALLET_CORE_PIN_OUTCOME_WRONG)) ||
      wallet_core_error_code(error) != wallet_core_event_status(event) ||
      is_completion != (wallet_core_event_request(event) > 0) ||
      is_step != (wallet_core_event_step_serial(event) > 0) ||
      is_step != (wallet_core_event_step_kind(event) > 0) || is_step != (step_length(event) > 0)) {
    check_failed("an event contradicts itself: %s", json);
  }
  if (error != NULL) check_error_object("a completion", error);
  check_cards(event);
  check_sharing(event);
}
