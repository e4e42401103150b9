/* NULL, garbage and unknown handles to every function of a running library: a status, never a trap. */
#include <string.h>

#include "check.h"
#include "host.h"
#include "process.h"

#define REFUSED(call) CHECK(#call, (call) == WALLET_CORE_ERROR_INVALID_ARGUMENT)
#define STALE(call) CHECK(#call, (call) == WALLET_CORE_ERROR_STALE_STEP)
#define NO_CLIENT(call) CHECK(#call, (call) == WALLET_CORE_ERROR_CLIENT_DETACHED)

static const uint8_t pin[] = "471108";

static void on_event(void *context, wallet_core_event *event) {
  (void)context;
  wallet_core_event_free(event);
}

static void on_signal(void *context) {
  (void)context;
}

static void bridges(char *directory) {
  wallet_core_signing_key_bridge none = {0};
  wallet_core_encryption_key_bridge short_one = {.struct_size = 8};
  wallet_core_utilities_bridge utilities = {.struct_size = sizeof utilities};
  wallet_core_signing_key_bridge signing_key = {.struct_size = sizeof signing_key};
  wallet_core_encryption_key_bridge encryption_key = {.struct_size = sizeof encryption_key};
  wallet_core_error *error = NULL;
  REFUSED(wallet_core_init_platform_support(NULL, NULL, NULL, NULL));
  REFUSED(wallet_core_init_platform_support(&none, &encryption_key, &utilities, NULL));
  REFUSED(wallet_core_init_platform_support(&signing_key, &short_one, &utilities, NULL));
  wallet_core_status status =
      wallet_core_init_platform_support(&signing_key, &encryption_key, &utilities, &error);
  CHECK(
      "a missing bridge function is refused by name",
      status == WALLET_CORE_ERROR_BRIDGE_INCOMPLETE &&
          strstr(wallet_core_error_message(error, NULL), "public_key") != NULL);
  wallet_core_error_free(error);
  CHECK("bridges again", host_platform(directory) == WALLET_CORE_OK);

  const wallet_core_http_bridge no_send = {.struct_size = sizeof no_send};
  const wallet_core_http_bridge short_http = {.struct_size = 8};
  REFUSED(wallet_core_set_http_bridge(&short_http, NULL));
  status = wallet_core_set_http_bridge(&no_send, NULL);
  CHECK("an HTTP bridge without send", status == WALLET_CORE_ERROR_BRIDGE_INCOMPLETE);
  status = wallet_core_http_reply(UINT64_MAX, NULL);
  CHECK("an HTTP reply to no call", status == WALLET_CORE_ERROR_UNKNOWN_CALL);
  status = wallet_core_bridge_reply(0, WALLET_CORE_BRIDGE_OK, NULL, 0, NULL);
  CHECK("reply to call 0", status == WALLET_CORE_ERROR_UNKNOWN_CALL);
  status = wallet_core_bridge_reply(UINT64_MAX, -7, NULL, SIZE_MAX, "\xff");
  CHECK("a reply that is all wrong", status < 0);
}

static void start(const char *configuration) {
  wallet_core_options options = {0};
  REFUSED(wallet_core_init(NULL, NULL));
  REFUSED(wallet_core_init(&options, NULL));
  options = host_options(configuration, NULL);
  options.app_id = NULL;
  REFUSED(wallet_core_init(&options, NULL));
  options = host_options(configuration, NULL);
  options.app_version = "\xff\xfe";
  CHECK(
      "init with a text that is not UTF-8",
      wallet_core_init(&options, NULL) == WALLET_CORE_ERROR_INVALID_UTF8);
  options = host_options(configuration, NULL);
  options.embedded_configuration = (const uint8_t *)"{\"schema\":1}";
  options.embedded_configuration_length = 12;
  CHECK(
      "init with a hollow configuration",
      wallet_core_init(&options, NULL) == WALLET_CORE_ERROR_CONFIGURATION_INVALID);
  options = host_options(configuration, "/nowhere/at/all");
  CHECK(
      "init with a path that is not there",
      wallet_core_init(&options, NULL) == WALLET_CORE_ERROR_STORAGE_UNAVAILABLE);
  CHECK("still not initialized", wallet_core_is_initialized() == 0);
  options = host_options(configuration, NULL);
  CHECK("init after failures", wallet_core_init(&options, NULL) == WALLET_CORE_OK);
  CHECK("init again", wallet_core_init(&options, NULL) == WALLET_CORE_OK);
  CHECK("is_initialized", wallet_core_is_initialized() == 1);
}

/* An invalid choice is refused before its step is compared with the current one; the rest is stale. */
static void choices(wallet_core_client client) {
  uint8_t bytes[4097] = {0};
  char long_text[2050];
  memset(long_text, 'a', sizeof long_text - 1);
  long_text[sizeof long_text - 1] = 0;
  REFUSED(wallet_core_open_app(client, 0, NULL, NULL));
  REFUSED(wallet_core_open_app(client, INT32_MIN, NULL, NULL));
  CHECK(
      "a link that cannot be read stops no start",
      wallet_core_open_app(client, WALLET_CORE_STARTUP_LAUNCH, long_text, NULL) == WALLET_CORE_OK &&
          wallet_core_open_app(client, WALLET_CORE_STARTUP_LAUNCH, "\xff", NULL) == WALLET_CORE_OK);
  REFUSED(wallet_core_choose(client, 1, NULL, NULL, 0, NULL));
  REFUSED(wallet_core_choose(client, 1, "", NULL, 0, NULL));
  REFUSED(wallet_core_choose(client, 1, long_text, NULL, 0, NULL));
  REFUSED(wallet_core_choose(client, 1, "enter", NULL, 6, NULL));
  REFUSED(wallet_core_choose(client, 1, "enter", NULL, SIZE_MAX, NULL));
  CHECK(
      "an action that is not UTF-8",
      wallet_core_choose(client, 1, "\xff", NULL, 0, NULL) == WALLET_CORE_ERROR_INVALID_UTF8);
  wallet_core_error *error = NULL;
  CHECK(
      "no PIN has so many bytes",
      wallet_core_choose(client, 1, "enter", bytes, SIZE_MAX, &error) ==
              WALLET_CORE_ERROR_PIN_REFUSED &&
          strstr(wallet_core_error_data(error, NULL), "wrong_length") != NULL);
  wallet_core_error_free(error);
  CHECK(
      "no PIN has such bytes",
      wallet_core_choose(client, 1, "enter", bytes, 6, &error) == WALLET_CORE_ERROR_PIN_REFUSED &&
          strstr(wallet_core_error_data(error, NULL), "not_digits") != NULL);
  wallet_core_error_free(error);
  REFUSED(wallet_core_choose_scanned(client, 1, 0, bytes, 1, NULL));
  REFUSED(wallet_core_choose_scanned(client, 1, INT32_MAX, bytes, 1, NULL));
  REFUSED(wallet_core_choose_scanned(client, 1, WALLET_CORE_SYMBOLOGY_QR_CODE, NULL, 1, NULL));
  REFUSED(wallet_core_choose_scanned(client, 1, WALLET_CORE_SYMBOLOGY_QR_CODE, bytes, 0, NULL));
  REFUSED(wallet_core_choose_scanned(client, 1, WALLET_CORE_SYMBOLOGY_QR_CODE, bytes, 4097, NULL));
  REFUSED(
      wallet_core_choose_scanned(client, 1, WALLET_CORE_SYMBOLOGY_QR_CODE, bytes, SIZE_MAX, NULL));
  STALE(wallet_core_choose(client, UINT64_MAX, "next", NULL, 0, NULL));
  STALE(wallet_core_choose(client, 0, "enter", pin, 6, NULL));
  REFUSED(wallet_core_choose_option(client, 1, SIZE_MAX, NULL));
  STALE(wallet_core_choose_scanned(client, 7, WALLET_CORE_SYMBOLOGY_PDF417, bytes, 4096, NULL));
  STALE(wallet_core_choose_option(client, 7, 0, NULL));
}

/* At once, or in the completion if it was not known yet whether there is a wallet. */
static int is_without_wallet(
    wallet_core_client client, wallet_core_status status, uint64_t request) {
  if (status == WALLET_CORE_OK) {
    wallet_core_event *completion = host_completion(client, request);
    status = wallet_core_event_status(completion);
    wallet_core_event_free(completion);
  }
  return status == WALLET_CORE_ERROR_NOT_REGISTERED;
}

static void cards(wallet_core_client client) {
  static const char *const gap[] = {NULL}, *const empty[] = {""}, *const bare[] = {"birthdate"},
                           *const none[] = {"[]"}, *const good[] = {"[\"birthdate\"]"};
  const uint8_t *pin = (const uint8_t *)"471108";
  const wallet_core_card_selection pid = {sizeof pid, "pid", NULL, 0},
                                   small = {sizeof pid - 1, "pid", NULL, 0},
                                   nameless = {sizeof pid, NULL, NULL, 0},
                                   unnamed = {sizeof pid, "", NULL, 0},
                                   no_paths = {sizeof pid, "pid", NULL, 1},
                                   many = {sizeof pid, "pid", good, 65},
                                   endless = {sizeof pid, "pid", good, SIZE_MAX},
                                   with_gap = {sizeof pid, "pid", gap, 1},
                                   with_empty = {sizeof pid, "pid", empty, 1},
                                   with_bare = {sizeof pid, "pid", bare, 1},
                                   with_none = {sizeof pid, "pid", none, 1};
  const wallet_core_card_selection *wrong[] = {&small,     &nameless,  &unnamed,  &no_paths,
                                               &many,      &endless,   &with_gap, &with_empty,
                                               &with_bare, &with_none, NULL};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    const wallet_core_card_selection *pair[] = {&pid, wrong[i]};
    REFUSED(wallet_core_present(client, pair, 2, "n", "a", pin, 6, NULL, NULL));
  }
  const wallet_core_card_selection *one[17] = {&pid};
  REFUSED(wallet_core_present(client, NULL, 1, "n", "a", pin, 6, NULL, NULL));
  REFUSED(wallet_core_present(client, one, 0, "n", "a", pin, 6, NULL, NULL));
  REFUSED(wallet_core_present(client, one, 17, "n", "a", pin, 6, NULL, NULL));
  REFUSED(wallet_core_present(client, one, SIZE_MAX, "n", "a", pin, 6, NULL, NULL));
  REFUSED(wallet_core_present(client, one, 1, NULL, "a", pin, 6, NULL, NULL));
  REFUSED(wallet_core_present(client, one, 1, "n", "", pin, 6, NULL, NULL));
  REFUSED(wallet_core_present(client, one, 1, "n", "a", NULL, 6, NULL, NULL));
  REFUSED(wallet_core_present(client, one, 1, "n", "a", pin, SIZE_MAX, NULL, NULL));
  CHECK(
      "a presentation with half a PIN",
      wallet_core_present(client, one, 1, "n", "a", pin, 3, NULL, NULL) ==
          WALLET_CORE_ERROR_PIN_REFUSED);
  CHECK(
      "a nonce that is not UTF-8",
      wallet_core_present(client, one, 1, "\xff", "a", pin, 6, NULL, NULL) ==
          WALLET_CORE_ERROR_INVALID_UTF8);
  uint64_t request = 0;
  wallet_core_status status = wallet_core_cards(client, &request, NULL);
  CHECK("the cards without a wallet", is_without_wallet(client, status, request));
  status = wallet_core_present(client, one, 1, "n", "a", pin, 6, &request, NULL);
  CHECK("a presentation without a wallet", is_without_wallet(client, status, request));
  CHECK(
      "no event has no cards", wallet_core_event_card_count(NULL) == 0 &&
                                   wallet_core_event_card_claim_count(NULL, 7) == 0 &&
                                   wallet_core_event_card_state(NULL, SIZE_MAX) == 0 &&
                                   wallet_core_event_card_claim_is_disclosable(NULL, 0, 0) == 0 &&
                                   *wallet_core_event_card_text(NULL, 0, NULL) == 0 &&
                                   *wallet_core_event_card_claim_name(NULL, 0, SIZE_MAX) == 0 &&
                                   *wallet_core_event_card_claim_text(NULL, 0, 0) == 0 &&
                                   *wallet_core_event_card_claim_path(NULL, SIZE_MAX, 0) == 0 &&
                                   wallet_core_event_card_number(NULL, 0, NULL, NULL) == 0 &&
                                   wallet_core_event_presentation_count(NULL) == 0 &&
                                   *wallet_core_event_presentation(NULL, 0) == 0);
}

/* The requests of relying parties. */
static void sharing(wallet_core_client client) {
  static char long_link[WALLET_CORE_LINK_MAXIMUM + 2];
  memset(long_link, 'l', sizeof long_link - 1);
  char long_id[66];
  memset(long_id, 's', sizeof long_id - 1);
  long_id[sizeof long_id - 1] = 0;
  uint64_t request = 7;
  REFUSED(wallet_core_begin_sharing(client, NULL, 0, &request, NULL));
  CHECK("no request for no link", request == 0);
  REFUSED(wallet_core_begin_sharing(client, "", 0, NULL, NULL));
  REFUSED(wallet_core_begin_sharing(client, long_link, 0, NULL, NULL));
  REFUSED(wallet_core_begin_sharing(client, "openid4vp://", 2, NULL, NULL));
  REFUSED(wallet_core_begin_sharing(client, "openid4vp://", INT32_MIN, NULL, NULL));
  CHECK(
      "a link that is not UTF-8",
      wallet_core_begin_sharing(client, "\xff", 0, NULL, NULL) == WALLET_CORE_ERROR_INVALID_UTF8);
  REFUSED(wallet_core_choose_sharing_option(client, NULL, 0, NULL, NULL));
  REFUSED(wallet_core_choose_sharing_option(client, "", 0, NULL, NULL));
  REFUSED(wallet_core_choose_sharing_option(client, long_id, 0, NULL, NULL));
  REFUSED(wallet_core_choose_sharing_option(client, "s", SIZE_MAX, NULL, NULL));
  REFUSED(wallet_core_confirm_sharing(client, NULL, pin, 6, NULL, NULL));
  REFUSED(wallet_core_confirm_sharing(client, "s", NULL, 6, NULL, NULL));
  REFUSED(wallet_core_confirm_sharing(client, "s", pin, SIZE_MAX, NULL, NULL));
  CHECK(
      "a confirmation with half a PIN",
      wallet_core_confirm_sharing(client, "s", pin, 3, NULL, NULL) ==
          WALLET_CORE_ERROR_PIN_REFUSED);
  REFUSED(wallet_core_refuse_sharing(client, NULL, NULL, NULL));
  REFUSED(wallet_core_refuse_sharing(client, long_id, NULL, NULL));
  wallet_core_status status = wallet_core_begin_sharing(client, "openid4vp://", 1, &request, NULL);
  CHECK("a request without a wallet", is_without_wallet(client, status, request));
  status = wallet_core_activities(client, &request, NULL);
  CHECK("the history without a wallet", is_without_wallet(client, status, request));
  int64_t number = 7;
  CHECK(
      "no event has no request",
      *wallet_core_event_sharing_text(NULL, "id") == 0 &&
          wallet_core_event_sharing_number(NULL, "is_login", &number) == 0 && number == 0 &&
          wallet_core_event_sharing_registration_count(NULL) == 0 &&
          *wallet_core_event_sharing_registration_text(NULL, 0, NULL) == 0 &&
          *wallet_core_event_sharing_purpose(NULL, SIZE_MAX, NULL) == 0 &&
          wallet_core_event_sharing_warning_count(NULL) == 0 &&
          *wallet_core_event_sharing_warning(NULL, SIZE_MAX) == 0 &&
          wallet_core_event_sharing_option_count(NULL) == 0 &&
          *wallet_core_event_sharing_option_text(NULL, 0, NULL) == 0 &&
          wallet_core_event_sharing_option_number(NULL, SIZE_MAX, NULL, NULL) == 0 &&
          wallet_core_event_sharing_option_path_count(NULL, 0) == 0 &&
          *wallet_core_event_sharing_option_path(NULL, 0, SIZE_MAX) == 0 &&
          wallet_core_event_sharing_missing_count(NULL) == 0 &&
          *wallet_core_event_sharing_missing_type(NULL, 0, 0) == 0 &&
          *wallet_core_event_sharing_missing_path(NULL, SIZE_MAX, 0) == 0);
  CHECK(
      "no event has no activities",
      wallet_core_event_activity_count(NULL) == 0 &&
          *wallet_core_event_activity_text(NULL, 0, NULL) == 0 &&
          wallet_core_event_activity_registration_count(NULL, SIZE_MAX) == 0 &&
          *wallet_core_event_activity_registration_text(NULL, 0, 0, "registrar") == 0 &&
          *wallet_core_event_activity_purpose(NULL, 0, SIZE_MAX, NULL) == 0 &&
          wallet_core_event_activity_item_count(NULL, SIZE_MAX) == 0 &&
          *wallet_core_event_activity_item_text(NULL, 0, 0, "card") == 0 &&
          *wallet_core_event_activity_item_path(NULL, 0, 0, 0) == 0);
}

static void decisions(wallet_core_client client) {
  char long_session[258];
  memset(long_session, 's', sizeof long_session - 1);
  long_session[sizeof long_session - 1] = 0;
  uint64_t request = 7;
  REFUSED(wallet_core_decide_replacement(client, NULL, 1, pin, 6, &request, NULL));
  CHECK("no request on failure", request == 0);
  REFUSED(wallet_core_decide_replacement(client, "", 1, pin, 6, NULL, NULL));
  REFUSED(wallet_core_decide_replacement(client, long_session, 1, pin, 6, NULL, NULL));
  REFUSED(wallet_core_decide_replacement(client, "s", 0, pin, 6, NULL, NULL));
  REFUSED(wallet_core_decide_replacement(client, "s", 3, pin, 6, NULL, NULL));
  REFUSED(wallet_core_decide_replacement(client, "s", INT32_MIN, pin, 6, NULL, NULL));
  REFUSED(wallet_core_decide_replacement(client, "s", 1, NULL, 6, NULL, NULL));
  REFUSED(wallet_core_decide_replacement(client, "s", 1, pin, SIZE_MAX, NULL, NULL));
  CHECK(
      "a session that is not UTF-8",
      wallet_core_decide_replacement(client, "\xff", 1, pin, 6, NULL, NULL) ==
          WALLET_CORE_ERROR_INVALID_UTF8);
  CHECK(
      "a decision with a PIN that is none",
      wallet_core_decide_replacement(client, "s", 1, pin, 5, NULL, NULL) ==
          WALLET_CORE_ERROR_PIN_REFUSED);
  wallet_core_status status = wallet_core_decide_replacement(
      client, long_session + 1, WALLET_CORE_REPLACEMENT_ALLOW, pin, 6, &request, NULL);
  CHECK("a decision without a wallet", is_without_wallet(client, status, request));
  CHECK(
      "no event tells of no replacement",
      *wallet_core_event_replacement_session(NULL) == 0 &&
          wallet_core_event_replacement_takes_effect_in_ms(NULL) == 0);
}

static void clients(void) {
  wallet_core_client client = 0;
  wallet_core_client second = 0;
  char long_name[80];
  memset(long_name, 'a', sizeof long_name - 1);
  long_name[sizeof long_name - 1] = 0;
  REFUSED(wallet_core_client_attach(NULL, 0, &client, NULL));
  REFUSED(wallet_core_client_attach("", 0, &client, NULL));
  REFUSED(wallet_core_client_attach(long_name, 0, &client, NULL));
  REFUSED(wallet_core_client_attach("app", 0, NULL, NULL));
  REFUSED(wallet_core_client_attach("app", 0x80000000u, &client, NULL));
  CHECK(
      "a name that is not UTF-8",
      wallet_core_client_attach("\xc0\x80", 0, &client, NULL) == WALLET_CORE_ERROR_INVALID_UTF8);
  CHECK("attach", wallet_core_client_attach("app", 0, &client, NULL) == WALLET_CORE_OK);
  CHECK(
      "a taken name",
      wallet_core_client_attach("app", 0, &second, NULL) == WALLET_CORE_ERROR_BUSY && second == 0);

  wallet_core_event *event = NULL;
  REFUSED(wallet_core_client_next_event(client, 0, NULL, NULL));
  REFUSED(wallet_core_client_next_event(client, -2, &event, NULL));
  REFUSED(wallet_core_set_wakeup(client, NULL, NULL, NULL, NULL, NULL));
  REFUSED(wallet_core_set_event_callback(client, NULL, NULL, NULL, NULL, NULL));
  REFUSED(wallet_core_set_configuration_stream(client, NULL, NULL, NULL, NULL, NULL));
  REFUSED(wallet_core_set_lock_stream(client, NULL, NULL, NULL, NULL, NULL));
  REFUSED(wallet_core_set_version_state_stream(client, NULL, NULL, NULL, NULL, NULL));
  REFUSED(wallet_core_set_step_stream(client, NULL, NULL, NULL, NULL, NULL));
  REFUSED(wallet_core_set_cards_stream(client, NULL, NULL, NULL, NULL, NULL));
  REFUSED(wallet_core_register(client, NULL, 6, NULL, NULL));
  REFUSED(wallet_core_unlock(client, NULL, 6, NULL, NULL));
  REFUSED(wallet_core_check_pin(client, NULL, 6, NULL, NULL));
  REFUSED(wallet_core_change_pin(client, NULL, 6, pin, 6, NULL, NULL));
  REFUSED(wallet_core_change_pin(client, pin, 6, NULL, 6, NULL, NULL));
  REFUSED(wallet_core_change_pin(client, pin, 6, pin, SIZE_MAX, NULL, NULL));
  decisions(client);
  REFUSED(wallet_core_enable_biometric_unlock(client, NULL, 6, NULL, NULL));
  REFUSED(wallet_core_is_biometric_unlock_enabled(NULL, NULL));
  CHECK(
      "a PIN that is none is refused",
      wallet_core_register(client, (const uint8_t *)"12345\0", 6, NULL, NULL) ==
          WALLET_CORE_ERROR_PIN_REFUSED);
  CHECK(
      "clear with a token of nothing",
      wallet_core_clear_wakeup(client, 99, NULL) == WALLET_CORE_OK &&
          wallet_core_clear_event_callback(client, 99, NULL) == WALLET_CORE_OK &&
          wallet_core_clear_configuration_stream(client, 99, NULL) == WALLET_CORE_OK &&
          wallet_core_clear_lock_stream(client, 99, NULL) == WALLET_CORE_OK &&
          wallet_core_clear_version_state_stream(client, 99, NULL) == WALLET_CORE_OK &&
          wallet_core_clear_step_stream(client, 99, NULL) == WALLET_CORE_OK &&
          wallet_core_clear_cards_stream(client, 99, NULL) == WALLET_CORE_OK);
  choices(client);
  cards(client);
  sharing(client);
  CHECK("cancel of an unknown request", wallet_core_cancel(client, 12345, NULL) == WALLET_CORE_OK);
  CHECK("interrupt", wallet_core_client_interrupt(client, NULL) == WALLET_CORE_OK);
  CHECK("detach", wallet_core_client_detach(client, NULL) == WALLET_CORE_OK);
  NO_CLIENT(wallet_core_client_detach(client, NULL));
}

static void unknown_clients(void) {
  const wallet_core_client unknown = UINT64_MAX;
  wallet_core_event *event = (wallet_core_event *)(uintptr_t)1;
  NO_CLIENT(wallet_core_client_next_event(unknown, -1, &event, NULL));
  CHECK("no event on failure", event == NULL);
  NO_CLIENT(wallet_core_client_interrupt(unknown, NULL));
  NO_CLIENT(wallet_core_set_wakeup(unknown, on_signal, NULL, NULL, NULL, NULL));
  NO_CLIENT(wallet_core_clear_wakeup(unknown, 0, NULL));
  NO_CLIENT(wallet_core_set_event_callback(unknown, on_event, NULL, NULL, NULL, NULL));
  NO_CLIENT(wallet_core_clear_event_callback(unknown, 0, NULL));
  NO_CLIENT(wallet_core_set_configuration_stream(unknown, on_event, NULL, NULL, NULL, NULL));
  NO_CLIENT(wallet_core_clear_configuration_stream(unknown, 0, NULL));
  NO_CLIENT(wallet_core_set_lock_stream(unknown, on_event, NULL, NULL, NULL, NULL));
  NO_CLIENT(wallet_core_clear_lock_stream(unknown, 0, NULL));
  NO_CLIENT(wallet_core_set_version_state_stream(unknown, on_event, NULL, NULL, NULL, NULL));
  NO_CLIENT(wallet_core_clear_version_state_stream(unknown, 0, NULL));
  NO_CLIENT(wallet_core_set_step_stream(unknown, on_event, NULL, NULL, NULL, NULL));
  NO_CLIENT(wallet_core_clear_step_stream(unknown, 0, NULL));
  NO_CLIENT(wallet_core_set_cards_stream(unknown, on_event, NULL, NULL, NULL, NULL));
  NO_CLIENT(wallet_core_clear_cards_stream(unknown, 0, NULL));
  NO_CLIENT(wallet_core_open_app(unknown, 0, NULL, NULL));
  NO_CLIENT(wallet_core_choose(unknown, 1, NULL, pin, 6, NULL));
  NO_CLIENT(wallet_core_choose_scanned(unknown, 1, 0, NULL, 6, NULL));
  NO_CLIENT(wallet_core_choose_option(unknown, 1, SIZE_MAX, NULL));
  NO_CLIENT(wallet_core_register(unknown, pin, 6, NULL, NULL));
  NO_CLIENT(wallet_core_unlock(unknown, pin, 6, NULL, NULL));
  NO_CLIENT(wallet_core_check_pin(unknown, pin, 6, NULL, NULL));
  NO_CLIENT(wallet_core_pin_state(unknown, NULL, NULL));
  NO_CLIENT(wallet_core_change_pin(unknown, pin, 6, pin, 6, NULL, NULL));
  NO_CLIENT(wallet_core_decide_replacement(unknown, NULL, 0, NULL, 6, NULL, NULL));
  NO_CLIENT(wallet_core_enable_biometric_unlock(unknown, pin, 6, NULL, NULL));
  NO_CLIENT(wallet_core_disable_biometric_unlock(unknown, NULL, NULL));
  NO_CLIENT(wallet_core_unlock_with_biometrics(unknown, NULL, NULL));
  NO_CLIENT(wallet_core_cards(unknown, NULL, NULL));
  NO_CLIENT(wallet_core_present(unknown, NULL, 0, "n", "a", NULL, 0, NULL, NULL));
  NO_CLIENT(wallet_core_begin_sharing(unknown, "openid4vp://", 0, NULL, NULL));
  NO_CLIENT(wallet_core_choose_sharing_option(unknown, "s", 0, NULL, NULL));
  NO_CLIENT(wallet_core_confirm_sharing(unknown, "s", pin, 6, NULL, NULL));
  NO_CLIENT(wallet_core_refuse_sharing(unknown, "s", NULL, NULL));
  NO_CLIENT(wallet_core_activities(unknown, NULL, NULL));
  NO_CLIENT(wallet_core_wipe(unknown, NULL, NULL));
  NO_CLIENT(wallet_core_refresh(unknown, NULL, NULL));
  NO_CLIENT(wallet_core_cancel(unknown, 1, NULL));
  NO_CLIENT(wallet_core_client_detach(unknown, NULL));
  CHECK("abandon of an unknown client", wallet_core_client_abandon(unknown) == WALLET_CORE_OK);
  wallet_core_client_finalize(NULL);
  wallet_core_client_finalize((void *)UINTPTR_MAX);
}

static void answers(void) {
  wallet_core_pin_verdict verdict = -1;
  int32_t answer = -1;
  REFUSED(wallet_core_validate_pin(NULL, 6, &verdict, NULL));
  REFUSED(wallet_core_validate_pin(pin, 6, NULL, NULL));
  CHECK(
      "validate_pin of nothing",
      wallet_core_validate_pin(NULL, 0, &verdict, NULL) == WALLET_CORE_OK &&
          verdict == WALLET_CORE_PIN_VERDICT_WRONG_LENGTH);
  CHECK(
      "validate_pin of anything",
      wallet_core_validate_pin((const uint8_t *)"\0\xff\n 12", 6, &verdict, NULL) ==
              WALLET_CORE_OK &&
          verdict == WALLET_CORE_PIN_VERDICT_NOT_DIGITS);
  REFUSED(wallet_core_has_registration(NULL, NULL));
  REFUSED(wallet_core_is_locked(NULL, NULL));
  CHECK("is_locked", wallet_core_is_locked(&answer, NULL) == WALLET_CORE_OK && answer == 1);
  CHECK(
      "has_registration",
      wallet_core_has_registration(&answer, NULL) == WALLET_CORE_OK && answer == 0);
  CHECK("lock", wallet_core_lock(NULL) == WALLET_CORE_OK);
  REFUSED(wallet_core_notify_lifecycle(0, NULL));
  REFUSED(wallet_core_notify_lifecycle(INT32_MIN, NULL));
  wallet_core_memzero(NULL, 5);
  CHECK("status_name of the least number", *wallet_core_status_name(INT32_MIN) != 0);
}

int main(int count, char **arguments) {
  if (count != 3) {
    return 2;
  }
  bridges(arguments[2]);
  start(arguments[1]);
  clients();
  unknown_clients();
  answers();
  return check_result();
}
