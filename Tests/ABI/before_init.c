/* Every function before init answers with a status or a neutral value, and starts no thread. */
#include <string.h>

#include "check.h"
#include "host.h"
#include "process.h"

#define NOT_INITIALIZED(call) \
  CHECK(#call " before init", (call) == WALLET_CORE_ERROR_NOT_INITIALIZED)

static int calls;

static void on_event(void *context, wallet_core_event *event) {
  (void)context;
  calls += 1;
  wallet_core_event_free(event);
}

static void on_signal(void *context) {
  (void)context;
  calls += 1;
}

static void without_a_wallet(void) {
  uint8_t bytes[4] = {1, 2, 3, 4};
  size_t length = 7;
  wallet_core_pin_verdict verdict = -1;
  CHECK("abi_version", wallet_core_abi_version() == WALLET_CORE_ABI_VERSION);
  char version[32];
  snprintf(
      version, sizeof version, "%d.%d.%d", WALLET_CORE_VERSION_MAJOR, WALLET_CORE_VERSION_MINOR,
      WALLET_CORE_VERSION_PATCH);
  CHECK("version", strcmp(wallet_core_version(), version) == 0);
  CHECK("is_initialized", wallet_core_is_initialized() == 0);
  CHECK("status_name", strcmp(wallet_core_status_name(-51), "STORAGE_FULL") == 0);
  CHECK("status_name of an unknown status", strcmp(wallet_core_status_name(77), "UNKNOWN") == 0);
  wallet_core_memzero(bytes, 3);
  CHECK("memzero", bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 0 && bytes[3] == 4);
  CHECK("pin_length", wallet_core_pin_length() == WALLET_CORE_PIN_LENGTH);
  CHECK(
      "validate_pin",
      wallet_core_validate_pin((const uint8_t *)"471108", 6, &verdict, NULL) == WALLET_CORE_OK &&
          verdict == WALLET_CORE_PIN_VERDICT_ACCEPTED);
  CHECK(
      "validate_pin of a sequence",
      wallet_core_validate_pin((const uint8_t *)"123456", 6, &verdict, NULL) == WALLET_CORE_OK &&
          verdict == WALLET_CORE_PIN_VERDICT_SEQUENCE);

  CHECK("error_code(NULL)", wallet_core_error_code(NULL) == WALLET_CORE_OK);
  CHECK("error_category(NULL)", wallet_core_error_category(NULL) == 0);
  CHECK("error_message(NULL)", *wallet_core_error_message(NULL, &length) == 0 && length == 0);
  CHECK(
      "error_data(NULL)", strcmp(wallet_core_error_data(NULL, &length), "{}") == 0 && length == 2);
  wallet_core_error_free(NULL);

  CHECK("event_kind(NULL)", wallet_core_event_kind(NULL) == 0);
  CHECK("event_request(NULL)", wallet_core_event_request(NULL) == 0);
  CHECK("event_status(NULL)", wallet_core_event_status(NULL) == WALLET_CORE_OK);
  CHECK("event_error(NULL)", wallet_core_event_error(NULL) == NULL);
  CHECK("event_is_locked(NULL)", wallet_core_event_is_locked(NULL) == 1);
  CHECK("event_locks_in_ms(NULL)", wallet_core_event_locks_in_ms(NULL) == 0);
  CHECK("event_version_grade(NULL)", wallet_core_event_version_grade(NULL) == 0);
  CHECK("event_blocked_in_ms(NULL)", wallet_core_event_version_blocked_in_ms(NULL) == 0);
  CHECK(
      "event_is_update_available(NULL)", wallet_core_event_version_is_update_available(NULL) == 0);
  CHECK("event_pin_outcome(NULL)", wallet_core_event_pin_outcome(NULL) == 0);
  CHECK("event_attempts_left(NULL)", wallet_core_event_pin_attempts_left(NULL) == 0);
  CHECK("event_is_final_round(NULL)", wallet_core_event_pin_is_final_round(NULL) == 0);
  CHECK("event_failed_attempts(NULL)", wallet_core_event_pin_failed_attempts(NULL) == 0);
  CHECK("event_last_failed_at(NULL)", wallet_core_event_pin_last_failed_at(NULL) == 0);
  CHECK(
      "event_replacement_session(NULL)",
      strcmp(wallet_core_event_replacement_session(NULL), "") == 0);
  CHECK(
      "event_replacement_takes_effect_in_ms(NULL)",
      wallet_core_event_replacement_takes_effect_in_ms(NULL) == 0);
  CHECK("event_blocked_for_ms(NULL)", wallet_core_event_pin_blocked_for_ms(NULL) == 0);
  CHECK("event_json(NULL)", strcmp(wallet_core_event_json(NULL, NULL), "{}") == 0);
  wallet_core_event_free(NULL);
}

static void without_a_step(void) {
  int64_t number = 7;
  CHECK("event_step_serial(NULL)", wallet_core_event_step_serial(NULL) == 0);
  CHECK("event_step_use_case(NULL)", *wallet_core_event_step_use_case(NULL) == 0);
  CHECK("event_step_row(NULL)", *wallet_core_event_step_row(NULL) == 0);
  CHECK("event_step_kind(NULL)", wallet_core_event_step_kind(NULL) == 0);
  CHECK("event_step_name(NULL)", *wallet_core_event_step_name(NULL) == 0);
  CHECK("event_step_title(NULL)", *wallet_core_event_step_title(NULL) == 0);
  CHECK("event_step_message(NULL)", *wallet_core_event_step_message(NULL) == 0);
  CHECK("event_step_beneath(NULL)", *wallet_core_event_step_beneath(NULL) == 0);
  CHECK("event_step_input(NULL)", wallet_core_event_step_input(NULL) == WALLET_CORE_INPUT_NONE);
  CHECK("event_step_action_count(NULL)", wallet_core_event_step_action_count(NULL) == 0);
  CHECK("event_step_action(NULL)", *wallet_core_event_step_action(NULL, 0) == 0);
  CHECK("event_step_action_label(NULL)", *wallet_core_event_step_action_label(NULL, SIZE_MAX) == 0);
  CHECK(
      "event_step_number(NULL)",
      wallet_core_event_step_number(NULL, "attempts_left", &number) == 0 && number == 0);
  CHECK("event_step_text(NULL)", *wallet_core_event_step_text(NULL, "reason") == 0);
  CHECK("event_step_notice_count(NULL)", wallet_core_event_step_notice_count(NULL) == 0);
  CHECK("event_step_notice(NULL)", *wallet_core_event_step_notice(NULL, 0) == 0);
  CHECK("event_card_count(NULL)", wallet_core_event_card_count(NULL) == 0);
  CHECK("event_card_text(NULL)", *wallet_core_event_card_text(NULL, 0, "id") == 0);
  CHECK("event_card_state(NULL)", wallet_core_event_card_state(NULL, 0) == 0);
  CHECK("event_card_claim_count(NULL)", wallet_core_event_card_claim_count(NULL, 0) == 0);
  CHECK("event_card_claim_name(NULL)", *wallet_core_event_card_claim_name(NULL, 0, 0) == 0);
  CHECK("event_card_claim_text(NULL)", *wallet_core_event_card_claim_text(NULL, 0, 0) == 0);
  CHECK("event_card_claim_path(NULL)", *wallet_core_event_card_claim_path(NULL, 0, 0) == 0);
  CHECK("event_card_number(NULL)", wallet_core_event_card_number(NULL, 0, "copies", NULL) == 0);
  CHECK(
      "event_card_claim_is_disclosable(NULL)",
      wallet_core_event_card_claim_is_disclosable(NULL, 0, 0) == 0);
  CHECK("event_presentation_count(NULL)", wallet_core_event_presentation_count(NULL) == 0);
  CHECK("event_presentation(NULL)", *wallet_core_event_presentation(NULL, 0) == 0);
  CHECK("event_sharing_text(NULL)", *wallet_core_event_sharing_text(NULL, "id") == 0);
  CHECK(
      "event_sharing_number(NULL)", wallet_core_event_sharing_number(NULL, "is_login", NULL) == 0);
  CHECK(
      "event_sharing_registration_count(NULL)",
      wallet_core_event_sharing_registration_count(NULL) == 0);
  CHECK(
      "event_sharing_registration_text(NULL)",
      *wallet_core_event_sharing_registration_text(NULL, 0, "registrar") == 0);
  CHECK("event_sharing_purpose(NULL)", *wallet_core_event_sharing_purpose(NULL, 0, NULL) == 0);
  CHECK("event_sharing_warning_count(NULL)", wallet_core_event_sharing_warning_count(NULL) == 0);
  CHECK("event_sharing_warning(NULL)", *wallet_core_event_sharing_warning(NULL, 0) == 0);
  CHECK("event_sharing_option_count(NULL)", wallet_core_event_sharing_option_count(NULL) == 0);
  CHECK(
      "event_sharing_option_text(NULL)",
      *wallet_core_event_sharing_option_text(NULL, 0, "card") == 0);
  CHECK(
      "event_sharing_option_number(NULL)",
      wallet_core_event_sharing_option_number(NULL, 0, "group", NULL) == 0);
  CHECK(
      "event_sharing_option_path_count(NULL)",
      wallet_core_event_sharing_option_path_count(NULL, 0) == 0);
  CHECK("event_sharing_option_path(NULL)", *wallet_core_event_sharing_option_path(NULL, 0, 0) == 0);
  CHECK("event_sharing_missing_count(NULL)", wallet_core_event_sharing_missing_count(NULL) == 0);
  CHECK(
      "event_sharing_missing_type(NULL)", *wallet_core_event_sharing_missing_type(NULL, 0, 0) == 0);
  CHECK(
      "event_sharing_missing_path(NULL)", *wallet_core_event_sharing_missing_path(NULL, 0, 0) == 0);
  CHECK("event_activity_count(NULL)", wallet_core_event_activity_count(NULL) == 0);
  CHECK("event_activity_text(NULL)", *wallet_core_event_activity_text(NULL, 0, "at") == 0);
  CHECK(
      "event_activity_registration_count(NULL)",
      wallet_core_event_activity_registration_count(NULL, 0) == 0);
  CHECK(
      "event_activity_registration_text(NULL)",
      *wallet_core_event_activity_registration_text(NULL, 0, 0, "registrar") == 0);
  CHECK("event_activity_purpose(NULL)", *wallet_core_event_activity_purpose(NULL, 0, 0, NULL) == 0);
  CHECK("event_activity_item_count(NULL)", wallet_core_event_activity_item_count(NULL, 0) == 0);
  CHECK(
      "event_activity_item_text(NULL)",
      *wallet_core_event_activity_item_text(NULL, 0, 0, "card") == 0);
  CHECK(
      "event_activity_item_path(NULL)", *wallet_core_event_activity_item_path(NULL, 0, 0, 0) == 0);
}

static void with_a_client(void) {
  const uint8_t *pin = (const uint8_t *)"471108";
  wallet_core_client client = 9;
  wallet_core_event *event = NULL;
  uint64_t token = 0, request = 0;
  NOT_INITIALIZED(wallet_core_client_attach("app", 0, &client, NULL));
  CHECK("attach leaves no client", client == 0);
  NOT_INITIALIZED(wallet_core_client_detach(1, NULL));
  NOT_INITIALIZED(wallet_core_client_abandon(1));
  wallet_core_client_finalize((void *)(uintptr_t)1);
  NOT_INITIALIZED(wallet_core_client_next_event(1, -1, &event, NULL));
  NOT_INITIALIZED(wallet_core_client_interrupt(1, NULL));
  NOT_INITIALIZED(wallet_core_set_wakeup(1, on_signal, NULL, NULL, &token, NULL));
  NOT_INITIALIZED(wallet_core_clear_wakeup(1, 0, NULL));
  NOT_INITIALIZED(wallet_core_set_event_callback(1, on_event, NULL, NULL, &token, NULL));
  NOT_INITIALIZED(wallet_core_clear_event_callback(1, 0, NULL));
  NOT_INITIALIZED(wallet_core_set_configuration_stream(1, on_event, NULL, NULL, &token, NULL));
  NOT_INITIALIZED(wallet_core_clear_configuration_stream(1, 0, NULL));
  NOT_INITIALIZED(wallet_core_set_lock_stream(1, on_event, NULL, NULL, &token, NULL));
  NOT_INITIALIZED(wallet_core_clear_lock_stream(1, 0, NULL));
  NOT_INITIALIZED(wallet_core_set_version_state_stream(1, on_event, NULL, NULL, &token, NULL));
  NOT_INITIALIZED(wallet_core_clear_version_state_stream(1, 0, NULL));
  NOT_INITIALIZED(wallet_core_set_step_stream(1, on_event, NULL, NULL, &token, NULL));
  NOT_INITIALIZED(wallet_core_clear_step_stream(1, 0, NULL));
  NOT_INITIALIZED(wallet_core_set_cards_stream(1, on_event, NULL, NULL, &token, NULL));
  NOT_INITIALIZED(wallet_core_clear_cards_stream(1, 0, NULL));
  NOT_INITIALIZED(wallet_core_open_app(1, WALLET_CORE_STARTUP_LAUNCH, NULL, NULL));
  NOT_INITIALIZED(wallet_core_choose(1, 1, "enter", pin, 6, NULL));
  NOT_INITIALIZED(wallet_core_choose_scanned(1, 1, WALLET_CORE_SYMBOLOGY_PDF417, pin, 6, NULL));
  NOT_INITIALIZED(wallet_core_choose_option(1, 1, 0, NULL));
  NOT_INITIALIZED(wallet_core_register(1, pin, 6, &request, NULL));
  NOT_INITIALIZED(wallet_core_unlock(1, pin, 6, &request, NULL));
  NOT_INITIALIZED(wallet_core_check_pin(1, pin, 6, &request, NULL));
  NOT_INITIALIZED(wallet_core_pin_state(1, &request, NULL));
  NOT_INITIALIZED(wallet_core_change_pin(1, pin, 6, pin, 6, &request, NULL));
  NOT_INITIALIZED(wallet_core_decide_replacement(1, "s", 1, pin, 6, &request, NULL));
  NOT_INITIALIZED(wallet_core_enable_biometric_unlock(1, pin, 6, &request, NULL));
  NOT_INITIALIZED(wallet_core_disable_biometric_unlock(1, &request, NULL));
  NOT_INITIALIZED(wallet_core_unlock_with_biometrics(1, &request, NULL));
  NOT_INITIALIZED(wallet_core_cards(1, &request, NULL));
  NOT_INITIALIZED(wallet_core_present(1, NULL, 0, "n", "a", pin, 6, &request, NULL));
  NOT_INITIALIZED(wallet_core_begin_sharing(1, "openid4vp://", 0, &request, NULL));
  NOT_INITIALIZED(wallet_core_choose_sharing_option(1, "s", 0, &request, NULL));
  NOT_INITIALIZED(wallet_core_confirm_sharing(1, "s", pin, 6, &request, NULL));
  NOT_INITIALIZED(wallet_core_refuse_sharing(1, "s", &request, NULL));
  NOT_INITIALIZED(wallet_core_activities(1, &request, NULL));
  NOT_INITIALIZED(wallet_core_wipe(1, &request, NULL));
  NOT_INITIALIZED(wallet_core_refresh(1, &request, NULL));
  NOT_INITIALIZED(wallet_core_cancel(1, 1, NULL));
}

static void of_the_wallet(char *directory) {
  int32_t answer = 9;
  wallet_core_error *error = NULL;
  NOT_INITIALIZED(wallet_core_has_registration(&answer, NULL));
  NOT_INITIALIZED(wallet_core_is_biometric_unlock_enabled(&answer, NULL));
  NOT_INITIALIZED(wallet_core_lock(NULL));
  NOT_INITIALIZED(wallet_core_notify_lifecycle(WALLET_CORE_LIFECYCLE_FOREGROUND, NULL));
  answer = 0;
  NOT_INITIALIZED(wallet_core_is_locked(&answer, &error));
  CHECK("an unknown wallet counts as locked", answer == 1);
  CHECK(
      "the error has code, category and message",
      wallet_core_error_code(error) == WALLET_CORE_ERROR_NOT_INITIALIZED &&
          wallet_core_error_category(error) == WALLET_CORE_CATEGORY_USAGE &&
          *wallet_core_error_message(error, NULL) != 0);
  wallet_core_error_free(error);
  wallet_core_status status = wallet_core_bridge_reply(1, WALLET_CORE_BRIDGE_OK, NULL, 0, NULL);
  CHECK("bridge_reply to no call", status == WALLET_CORE_ERROR_UNKNOWN_CALL);
  CHECK("http_reply to no call", wallet_core_http_reply(1, NULL) == WALLET_CORE_ERROR_UNKNOWN_CALL);
  CHECK("set_http_bridge before init", wallet_core_set_http_bridge(NULL, NULL) == WALLET_CORE_OK);
  CHECK("init_platform_support before init", host_platform(directory) == WALLET_CORE_OK);
  wallet_core_options options = {.struct_size = sizeof options};
  status = wallet_core_init(&options, &error);
  CHECK("init without a configuration fails", status != WALLET_CORE_OK && error != NULL);
  wallet_core_error_free(error);
  CHECK("and leaves nothing behind", wallet_core_is_initialized() == 0);
}

int main(int count, char **arguments) {
  (void)count;
  struct process_signals before = process_signals_now();
  CHECK("loading starts no thread", process_threads() == 1);
  without_a_wallet();
  without_a_step();
  with_a_client();
  of_the_wallet(arguments[2]);
  CHECK("no host code ran", calls == 0);
  CHECK("no call before init started a thread", process_threads() == 1);
  struct process_signals after = process_signals_now();
  CHECK("signals are as before", process_signals_differ(&before, &after) == 0);
  return check_result();
}
