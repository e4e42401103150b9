#include "calls.h"

#include <string.h>
#include <wallet_core.h>

#include "arguments.h"
#include "checks.h"
#include "phone.h"
#include "world.h"

static const char *storage_path;

void calls_begin(const char *storage) {
  storage_path = storage;
}

int calls_perform(const struct operation *operation) {
  static void (*const calls[FUNCTIONS])(const uint8_t *) = {
      [FUNCTION_INIT] = call_init,
      [FUNCTION_ATTACH] = call_attach,
      [FUNCTION_DETACH] = call_detach,
      [FUNCTION_ABANDON] = call_abandon,
      [FUNCTION_SET] = call_set,
      [FUNCTION_CLEAR] = call_clear,
      [FUNCTION_NEXT] = call_next,
      [FUNCTION_INTERRUPT] = call_interrupt,
      [FUNCTION_AWAIT] = call_await,
      [FUNCTION_FREE] = call_free,
      [FUNCTION_REGISTER] = call_register,
      [FUNCTION_UNLOCK] = call_unlock,
      [FUNCTION_CHECK_PIN] = call_check_pin,
      [FUNCTION_PIN_STATE] = call_pin_state,
      [FUNCTION_CHANGE_PIN] = call_change_pin,
      [FUNCTION_DECIDE_REPLACEMENT] = call_decide_replacement,
      [FUNCTION_ENABLE_BIOMETRICS] = call_enable_biometrics,
      [FUNCTION_DISABLE_BIOMETRICS] = call_disable_biometrics,
      [FUNCTION_UNLOCK_BIOMETRICS] = call_unlock_with_biometrics,
      [FUNCTION_CARDS] = call_cards,
      [FUNCTION_PRESENT] = call_present,
      [FUNCTION_BEGIN_SHARING] = call_begin_sharing,
      [FUNCTION_CHOOSE_SHARING] = call_choose_sharing,
      [FUNCTION_CONFIRM_SHARING] = call_confirm_sharing,
      [FUNCTION_REFUSE_SHARING] = call_refuse_sharing,
      [FUNCTION_ACTIVITIES] = call_activities,
      [FUNCTION_WIPE] = call_wipe,
      [FUNCTION_REFRESH] = call_refresh,
      [FUNCTION_CANCEL] = call_cancel,
      [FUNCTION_LOCK] = call_lock,
      [FUNCTION_LIFECYCLE] = call_lifecycle,
      [FUNCTION_QUESTION] = call_question,
      [FUNCTION_OPEN_APP] = call_open_app,
      [FUNCTION_CHOOSE] = call_choose,
      [FUNCTION_SCANNED] = call_scanned,
      [FUNCTION_OPTION] = call_option,
  };
  if (calls[operation->function] == NULL) return 0;
  calls[operation->function](operation->arguments);
  return 1;
}

/* --- start -------------------------------------------------------------------------------------- */

/* From 4 on one option is wrong. */
static void corrupt(wallet_core_options *options, const uint8_t *numbers) {
  static wallet_core_configuration_key keys[3] = {{"one", {1}}, {"two", {2}}, {NULL, {3}}};
  static const size_t sizes[] = {0, 8, 40, 111};
  static const size_t lengths[] = {0, 1, 100, 1 << 18, (1 << 18) + 1, SIZE_MAX};
  const uint8_t value = numbers[1];
  switch (numbers[0] % 13) {
    case 4:
      options->struct_size = sizes[value % 4];
      break;
    case 5: /* never longer than it is, unless the library must not read it */
      if (lengths[value % 6] < options->embedded_configuration_length || value % 6 > 3) {
        options->embedded_configuration_length = lengths[value % 6];
      }
      break;
    case 6:
      options->embedded_configuration = NULL;
      break;
    case 7:
      options->app_version = text_argument(value);
      break;
    case 8:
      options->app_id = text_argument(value);
      break;
    case 9:
      options->storage_path = value % 2 ? "/nowhere/at/all" : text_argument(value);
      break;
    case 10:
      options->configuration_keys = value % 4 ? keys : NULL;
      options->configuration_key_count = value % 8 < 4 ? value % 4 : value < 128 ? 17 : SIZE_MAX;
      break;
    case 11:
      options->log_level = small_argument(value);
      break;
    case 12:
      options->reserved = small_argument(value);
      break;
    default:
      break;
  }
}

void call_init(const uint8_t *numbers) {
  wallet_core_options options = {
      .struct_size = sizeof options,
      .app_version = "1.4.2",
      .app_id = "org.example.fuzz",
      .storage_path = storage_path,
      .log = phone_on_log,
      .log_level = WALLET_CORE_LOG_DEBUG,
      .on_thread_start = phone_on_thread_start,
      .on_thread_stop = phone_on_thread_stop,
  };
  options.embedded_configuration = world_configuration(&options.embedded_configuration_length);
  corrupt(&options, numbers);
  wallet_core_status status = CALL(
      ANSWERS(
          WALLET_CORE_ERROR_INVALID_ARGUMENT, WALLET_CORE_ERROR_INVALID_UTF8,
          WALLET_CORE_ERROR_CONFIGURATION_INVALID, WALLET_CORE_ERROR_STORAGE_UNAVAILABLE,
          WALLET_CORE_ERROR_STORAGE_IN_USE, WALLET_CORE_ERROR_OUT_OF_RESOURCES,
          WALLET_CORE_ERROR_REENTRANT),
      wallet_core_init, numbers[2] == 255 ? NULL : &options);
  if (inside != INSIDE_NOTHING && status == WALLET_CORE_OK) {
    check_failed("wallet_core_init() works inside of host code");
  }
}

/* --- queries and small calls ------------------------------------------------------------------ */

#define STORED_QUESTION                                                        \
  ANSWERS(                                                                     \
      WALLET_CORE_ERROR_NOT_INITIALIZED, WALLET_CORE_ERROR_PLATFORM_NOT_READY, \
      WALLET_CORE_ERROR_BRIDGE_INCOMPLETE, WALLET_CORE_ERROR_BRIDGE_FAILED,    \
      WALLET_CORE_ERROR_BRIDGE_TIMEOUT, WALLET_CORE_ERROR_DEVICE_INSECURE,     \
      WALLET_CORE_ERROR_STORAGE_UNAVAILABLE, WALLET_CORE_ERROR_STORAGE_IN_USE, \
      WALLET_CORE_ERROR_STORAGE_CORRUPT, WALLET_CORE_ERROR_REENTRANT,          \
      WALLET_CORE_ERROR_INVALID_ARGUMENT)

void call_question(const uint8_t *numbers) {
  int32_t answer = -1, *out = numbers[1] == 255 ? NULL : &answer;
  wallet_core_status status = WALLET_CORE_OK;
  switch (numbers[0] % 5) {
    case 0:
      status = CALL(
          ANSWERS(WALLET_CORE_ERROR_NOT_INITIALIZED, WALLET_CORE_ERROR_INVALID_ARGUMENT),
          wallet_core_is_locked, out);
      break;
    case 1:
      status = CALL(STORED_QUESTION, wallet_core_has_registration, out);
      break;
    case 2:
      status = CALL(STORED_QUESTION, wallet_core_is_biometric_unlock_enabled, out);
      break;
    case 3: {
      struct bytes pin = pin_argument(numbers[2]);
      status = CALL(
          ANSWERS(WALLET_CORE_ERROR_INVALID_ARGUMENT), wallet_core_validate_pin, pin.start,
          pin.length, out);
      break;
    }
    default:
      answer = wallet_core_is_initialized();
      (void)wallet_core_status_name(reply_status_argument(numbers[2]));
      wallet_core_client_finalize((void *)(uintptr_t)id_argument(numbers[2]));
  }
  if (status == WALLET_CORE_OK && (answer < 0 || answer > WALLET_CORE_PIN_VERDICT_COMMON)) {
    check_failed("question %d is answered with %d", numbers[0] % 5, answer);
  }
  if (status == WALLET_CORE_ERROR_REENTRANT && inside != INSIDE_BRIDGE) {
    check_failed("a question is REENTRANT outside of a bridge function");
  }
}

void call_lock(const uint8_t *numbers) {
  (void)numbers;
  check_answer(
      "wallet_core_lock", wallet_core_lock(error_slot()),
      ANSWERS(WALLET_CORE_ERROR_NOT_INITIALIZED));
}

void call_lifecycle(const uint8_t *numbers) {
  CALL(
      ANSWERS(WALLET_CORE_ERROR_INVALID_ARGUMENT, WALLET_CORE_ERROR_NOT_INITIALIZED),
      wallet_core_notify_lifecycle, small_argument(numbers[0]));
}

/* --- flows -------------------------------------------------------------------------------------- */

void call_open_app(const uint8_t *numbers) {
  CALL(
      ANSWERS(
          WALLET_CORE_ERROR_INVALID_ARGUMENT, WALLET_CORE_ERROR_CLIENT_DETACHED,
          WALLET_CORE_ERROR_NOT_INITIALIZED),
      wallet_core_open_app, phone_client(numbers[0]), 1 + small_argument(numbers[1]) % 3,
      link_argument(numbers[2]));
}

#define CHOICE                                                               \
  ANSWERS(                                                                   \
      WALLET_CORE_ERROR_STALE_STEP, WALLET_CORE_ERROR_PIN_REFUSED,           \
      WALLET_CORE_ERROR_INVALID_ARGUMENT, WALLET_CORE_ERROR_INVALID_UTF8,    \
      WALLET_CORE_ERROR_CLIENT_DETACHED, WALLET_CORE_ERROR_OUT_OF_RESOURCES, \
      WALLET_CORE_ERROR_NOT_INITIALIZED)

void call_choose(const uint8_t *numbers) {
  struct step step = phone_step();
  const char *action = text_argument(numbers[1]);
  if (numbers[1] < 200 && step.count > 0) action = step.actions[numbers[1] % step.count];
  struct bytes pin = {NULL, 0};
  if (step.input == WALLET_CORE_INPUT_PIN || numbers[2] >= 32) pin = pin_argument(numbers[2]);
  uint64_t serial = numbers[3] >= 200 ? id_argument(numbers[3]) : step.serial;
  CALL(CHOICE, wallet_core_choose, phone_client(numbers[0]), serial, action, pin.start, pin.length);
}

void call_scanned(const uint8_t *numbers) {
  struct bytes scan = scan_argument(numbers[1]);
  uint64_t serial = numbers[3] >= 200 ? id_argument(numbers[3]) : phone_step().serial;
  wallet_core_symbology symbology =
      numbers[2] < 200 ? 1 + numbers[2] % 3 : small_argument(numbers[2]);
  CALL(
      CHOICE, wallet_core_choose_scanned, phone_client(numbers[0]), serial, symbology, scan.start,
      scan.length);
}

void call_option(const uint8_t *numbers) {
  uint64_t serial = numbers[3] >= 200 ? id_argument(numbers[3]) : phone_step().serial;
  size_t option = numbers[1] < 200 ? numbers[1] % 4 : SIZE_MAX - numbers[1] % 4;
  CALL(CHOICE, wallet_core_choose_option, phone_client(numbers[0]), serial, option);
}
