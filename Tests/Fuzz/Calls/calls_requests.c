#include <wallet_core.h>

#include "arguments.h"
#include "calls.h"
#include "checks.h"
#include "phone.h"
#include "requests.h"

/* --- what the comments list --------------------------------------------------------------------- */

#define BEGINNING \
  WALLET_CORE_ERROR_CLIENT_DETACHED, WALLET_CORE_ERROR_BUSY, WALLET_CORE_ERROR_NOT_INITIALIZED
#define WITH_PIN                                                                    \
  BEGINNING, WALLET_CORE_ERROR_OUT_OF_RESOURCES, WALLET_CORE_ERROR_VERSION_BLOCKED, \
      WALLET_CORE_ERROR_PIN_REFUSED, WALLET_CORE_ERROR_INVALID_ARGUMENT
#define PLATFORM                                                             \
  WALLET_CORE_ERROR_PLATFORM_NOT_READY, WALLET_CORE_ERROR_BRIDGE_INCOMPLETE, \
      WALLET_CORE_ERROR_BRIDGE_FAILED, WALLET_CORE_ERROR_BRIDGE_TIMEOUT,     \
      WALLET_CORE_ERROR_DEVICE_INSECURE
#define STORAGE                                                            \
  WALLET_CORE_ERROR_STORAGE_UNAVAILABLE, WALLET_CORE_ERROR_STORAGE_FULL,   \
      WALLET_CORE_ERROR_STORAGE_CORRUPT, WALLET_CORE_ERROR_STORAGE_IN_USE, \
      WALLET_CORE_ERROR_STORAGE_KEY_LOST
#define PROVIDER                                                       \
  WALLET_CORE_ERROR_NO_INTERNET, WALLET_CORE_ERROR_SERVER_UNREACHABLE, \
      WALLET_CORE_ERROR_SERVER_REFUSED, WALLET_CORE_ERROR_TRANSPORT_MISSING
#define REMOTE PLATFORM, STORAGE, PROVIDER, WALLET_CORE_ERROR_CANCELLED

static const int32_t registering[] = {REMOTE, WALLET_CORE_ERROR_ALREADY_REGISTERED, WALLET_CORE_OK};
static const int32_t pin_checks[] = {
    REMOTE, WALLET_CORE_ERROR_NOT_REGISTERED, WALLET_CORE_ERROR_ACCOUNT_DIVERGED, WALLET_CORE_OK};
static const int32_t asking[] = {
    REMOTE, WALLET_CORE_ERROR_NOT_REGISTERED, WALLET_CORE_ERROR_ACCOUNT_DIVERGED,
    WALLET_CORE_ERROR_VERSION_BLOCKED, WALLET_CORE_OK};
static const int32_t changing[] = {
    REMOTE, WALLET_CORE_ERROR_NOT_REGISTERED, WALLET_CORE_ERROR_ACCOUNT_DIVERGED,
    WALLET_CORE_ERROR_LOCKED, WALLET_CORE_OK};
static const int32_t enabling[] = {
    REMOTE,
    WALLET_CORE_ERROR_NOT_REGISTERED,
    WALLET_CORE_ERROR_ACCOUNT_DIVERGED,
    WALLET_CORE_ERROR_LOCKED,
    WALLET_CORE_ERROR_BIOMETRICS_FAILED,
    WALLET_CORE_OK};
static const int32_t disabling[] = {PLATFORM, STORAGE, WALLET_CORE_ERROR_CANCELLED, WALLET_CORE_OK};
static const int32_t opening[] = {
    PLATFORM,
    STORAGE,
    WALLET_CORE_ERROR_NOT_REGISTERED,
    WALLET_CORE_ERROR_BIOMETRICS_NOT_ENABLED,
    WALLET_CORE_ERROR_BIOMETRICS_FAILED,
    WALLET_CORE_ERROR_CANCELLED,
    WALLET_CORE_OK};
static const int32_t reading[] = {
    PLATFORM,
    STORAGE,
    WALLET_CORE_ERROR_LOCKED,
    WALLET_CORE_ERROR_VERSION_BLOCKED,
    WALLET_CORE_ERROR_NOT_REGISTERED,
    WALLET_CORE_ERROR_CANCELLED,
    WALLET_CORE_OK};
static const int32_t presenting[] = {
    REMOTE,
    WALLET_CORE_ERROR_LOCKED,
    WALLET_CORE_ERROR_NOT_REGISTERED,
    WALLET_CORE_ERROR_ACCOUNT_DIVERGED,
    WALLET_CORE_ERROR_CARD_UNKNOWN,
    WALLET_CORE_ERROR_CARD_EXPIRED,
    WALLET_CORE_ERROR_CARD_KEY_LOST,
    WALLET_CORE_ERROR_CARD_REFUSED,
    WALLET_CORE_ERROR_VERSION_BLOCKED,
    WALLET_CORE_ERROR_INVALID_ARGUMENT,
    WALLET_CORE_OK};
/* No relying party runs beside these calls, so no request is ever begun. */
static const int32_t sharing[] = {
    PLATFORM,
    STORAGE,
    WALLET_CORE_ERROR_LOCKED,
    WALLET_CORE_ERROR_NOT_REGISTERED,
    WALLET_CORE_ERROR_CANCELLED,
    WALLET_CORE_ERROR_VERSION_BLOCKED,
    WALLET_CORE_ERROR_NO_INTERNET,
    WALLET_CORE_ERROR_REQUEST_REFUSED,
    WALLET_CORE_ERROR_REQUEST_EXPIRED};
static const int32_t wiping[] = {
    WALLET_CORE_ERROR_PLATFORM_NOT_READY,
    WALLET_CORE_ERROR_BRIDGE_FAILED,
    WALLET_CORE_ERROR_BRIDGE_INCOMPLETE,
    WALLET_CORE_ERROR_BRIDGE_TIMEOUT,
    WALLET_CORE_ERROR_DEVICE_INSECURE,
    WALLET_CORE_ERROR_STORAGE_UNAVAILABLE,
    WALLET_CORE_ERROR_STORAGE_FULL,
    WALLET_CORE_ERROR_CANCELLED,
    WALLET_CORE_OK};

static const int32_t refreshing[] = {
    WALLET_CORE_ERROR_NO_INTERNET,         WALLET_CORE_ERROR_SERVER_UNREACHABLE,
    WALLET_CORE_ERROR_TRANSPORT_MISSING,   WALLET_CORE_ERROR_STORAGE_FULL,
    WALLET_CORE_ERROR_STORAGE_UNAVAILABLE, WALLET_CORE_ERROR_OUT_OF_RESOURCES,
    WALLET_CORE_ERROR_CANCELLED,           WALLET_CORE_OK};

/* --- requests ----------------------------------------------------------------------------------- */

/* The last request of each thread, for cancel. */
static _Thread_local uint64_t newest;

/* Calls a function that begins a request; `out` receives its number. */
#define REQUEST(answers, completions, function, ...)                               \
  do {                                                                             \
    wallet_core_client client = phone_client(numbers[0]);                          \
    uint64_t number = 0, *out = numbers[3] % 4 == 3 ? NULL : &number;              \
    if (CALL(answers, function, client, __VA_ARGS__) == WALLET_CORE_OK) {          \
      if (out != NULL && number == 0) check_failed(#function " gives no request"); \
      request_begun("the completion of " #function, client, number, completions);  \
      newest = number;                                                             \
    }                                                                              \
  } while (0)

void call_register(const uint8_t *numbers) {
  struct bytes pin = pin_argument(numbers[1]);
  REQUEST(ANSWERS(WITH_PIN), registering, wallet_core_register, pin.start, pin.length, out);
}

void call_unlock(const uint8_t *numbers) {
  struct bytes pin = pin_argument(numbers[1]);
  REQUEST(ANSWERS(WITH_PIN), pin_checks, wallet_core_unlock, pin.start, pin.length, out);
}

void call_check_pin(const uint8_t *numbers) {
  struct bytes pin = pin_argument(numbers[1]);
  REQUEST(ANSWERS(WITH_PIN), pin_checks, wallet_core_check_pin, pin.start, pin.length, out);
}

void call_pin_state(const uint8_t *numbers) {
  REQUEST(
      ANSWERS(BEGINNING, WALLET_CORE_ERROR_OUT_OF_RESOURCES, WALLET_CORE_ERROR_VERSION_BLOCKED),
      asking, wallet_core_pin_state, out);
}

void call_change_pin(const uint8_t *numbers) {
  struct bytes pin = pin_argument(numbers[1]), other = pin_argument((uint8_t)(numbers[2] + 1));
  REQUEST(
      ANSWERS(WITH_PIN, WALLET_CORE_ERROR_NOT_REGISTERED, WALLET_CORE_ERROR_LOCKED), changing,
      wallet_core_change_pin, pin.start, pin.length, other.start, other.length, out);
}

void call_decide_replacement(const uint8_t *numbers) {
  struct bytes pin = pin_argument(numbers[1]);
  REQUEST(
      ANSWERS(
          WITH_PIN, WALLET_CORE_ERROR_NOT_REGISTERED, WALLET_CORE_ERROR_LOCKED,
          WALLET_CORE_ERROR_INVALID_UTF8),
      changing, wallet_core_decide_replacement, text_argument(numbers[2]),
      small_argument(numbers[3]), pin.start, pin.length, out);
}

void call_enable_biometrics(const uint8_t *numbers) {
  struct bytes pin = pin_argument(numbers[1]);
  REQUEST(
      ANSWERS(WITH_PIN, WALLET_CORE_ERROR_NOT_REGISTERED, WALLET_CORE_ERROR_LOCKED), enabling,
      wallet_core_enable_biometric_unlock, pin.start, pin.length, out);
}

void call_disable_biometrics(const uint8_t *numbers) {
  REQUEST(
      ANSWERS(BEGINNING, WALLET_CORE_ERROR_OUT_OF_RESOURCES), disabling,
      wallet_core_disable_biometric_unlock, out);
}

void call_unlock_with_biometrics(const uint8_t *numbers) {
  REQUEST(
      ANSWERS(BEGINNING, WALLET_CORE_ERROR_OUT_OF_RESOURCES, WALLET_CORE_ERROR_VERSION_BLOCKED),
      opening, wallet_core_unlock_with_biometrics, out);
}

#define WITH_CARDS                                                       \
  BEGINNING, WALLET_CORE_ERROR_NOT_REGISTERED, WALLET_CORE_ERROR_LOCKED, \
      WALLET_CORE_ERROR_VERSION_BLOCKED, WALLET_CORE_ERROR_OUT_OF_RESOURCES

void call_cards(const uint8_t *numbers) {
  REQUEST(ANSWERS(WITH_CARDS), reading, wallet_core_cards, out);
}

void call_present(const uint8_t *numbers) {
  struct bytes pin = pin_argument(numbers[1]);
  const char *paths[] = {
      text_argument((uint8_t)(numbers[2] + 1)), "[\"birthdate\"]", text_argument(numbers[2])};
  size_t count = numbers[2] < 128 ? numbers[2] % 4 : numbers[2] < 192 ? 65 : SIZE_MAX;
  const wallet_core_card_selection
      chosen = {sizeof chosen, text_argument(numbers[1]), numbers[3] == 200 ? NULL : paths, count},
      pid = {sizeof pid, "pid", &paths[1], 1};
  const wallet_core_card_selection *selections[] = {&pid, numbers[0] % 8 == 7 ? NULL : &chosen};
  REQUEST(
      ANSWERS(
          WITH_PIN, WALLET_CORE_ERROR_NOT_REGISTERED, WALLET_CORE_ERROR_LOCKED,
          WALLET_CORE_ERROR_INVALID_UTF8),
      presenting, wallet_core_present, numbers[3] == 201 ? NULL : selections,
      numbers[3] == 202 ? SIZE_MAX : numbers[3] % 3, text_argument(numbers[3]),
      text_argument((uint8_t)(numbers[3] + 1)), pin.start, pin.length, out);
}

void call_begin_sharing(const uint8_t *numbers) {
  REQUEST(
      ANSWERS(WITH_CARDS, WALLET_CORE_ERROR_INVALID_ARGUMENT, WALLET_CORE_ERROR_INVALID_UTF8),
      sharing, wallet_core_begin_sharing, link_argument(numbers[1]), numbers[2] % 3, out);
}

void call_choose_sharing(const uint8_t *numbers) {
  REQUEST(
      ANSWERS(WITH_CARDS, WALLET_CORE_ERROR_INVALID_ARGUMENT, WALLET_CORE_ERROR_INVALID_UTF8),
      sharing, wallet_core_choose_sharing_option, text_argument(numbers[1]),
      numbers[2] == 255 ? SIZE_MAX : numbers[2], out);
}

void call_confirm_sharing(const uint8_t *numbers) {
  struct bytes pin = pin_argument(numbers[1]);
  REQUEST(
      ANSWERS(
          WITH_PIN, WALLET_CORE_ERROR_NOT_REGISTERED, WALLET_CORE_ERROR_LOCKED,
          WALLET_CORE_ERROR_INVALID_UTF8),
      sharing, wallet_core_confirm_sharing, text_argument(numbers[2]), pin.start, pin.length, out);
}

void call_refuse_sharing(const uint8_t *numbers) {
  REQUEST(
      ANSWERS(WITH_CARDS, WALLET_CORE_ERROR_INVALID_ARGUMENT, WALLET_CORE_ERROR_INVALID_UTF8),
      sharing, wallet_core_refuse_sharing, text_argument(numbers[1]), out);
}

void call_activities(const uint8_t *numbers) {
  REQUEST(ANSWERS(WITH_CARDS), reading, wallet_core_activities, out);
}

void call_wipe(const uint8_t *numbers) {
  REQUEST(ANSWERS(BEGINNING), wiping, wallet_core_wipe, out);
}

void call_refresh(const uint8_t *numbers) {
  REQUEST(ANSWERS(BEGINNING), refreshing, wallet_core_refresh, out);
}

void call_cancel(const uint8_t *numbers) {
  uint64_t request = numbers[1] < 128 ? newest : id_argument(numbers[1]);
  CALL(
      ANSWERS(WALLET_CORE_ERROR_CLIENT_DETACHED, WALLET_CORE_ERROR_NOT_INITIALIZED),
      wallet_core_cancel, phone_client(numbers[0]), request);
}
