#include <stdio.h>
#include <wallet_core_testing.h>

#include "../../ABI/process.h"
#include "arguments.h"
#include "calls.h"
#include "contexts.h"
#include "checks.h"
#include "phone.h"
#include "requests.h"

enum { SINKS = 7, WAKEUP = 6 };

/* For a call that only looks up its client. */
#define GONE ANSWERS(WALLET_CORE_ERROR_CLIENT_DETACHED, WALLET_CORE_ERROR_NOT_INITIALIZED)

void call_attach(const uint8_t *numbers) {
  static const uint32_t flags[] = {0, WALLET_CORE_ATTACH_TAKE_OVER, 2, UINT32_MAX};
  char name[32];
  snprintf(name, sizeof name, "engine %d", numbers[0] % SLOTS);
  wallet_core_client client = 0;
  wallet_core_status status = CALL(
      ANSWERS(
          WALLET_CORE_ERROR_NOT_INITIALIZED, WALLET_CORE_ERROR_INVALID_ARGUMENT,
          WALLET_CORE_ERROR_INVALID_UTF8, WALLET_CORE_ERROR_BUSY),
      wallet_core_client_attach, numbers[2] < 64 ? name : text_argument(numbers[2]),
      flags[numbers[1] % 4], numbers[3] == 255 ? NULL : &client);
  if ((status == WALLET_CORE_OK) != (client != 0)) check_failed("attach gives no client or one");
  if (client != 0) phone_attached(numbers[0], client);
}

void call_detach(const uint8_t *numbers) {
  wallet_core_client client = phone_client(numbers[0]);
  struct contexts_set before = contexts_before_detach(client);
  requests_detaching(client);
  wallet_core_status status = CALL(
      ANSWERS(
          WALLET_CORE_ERROR_CLIENT_DETACHED, WALLET_CORE_ERROR_REENTRANT,
          WALLET_CORE_ERROR_NOT_INITIALIZED),
      wallet_core_client_detach, client);
  if (status != WALLET_CORE_OK) return;
  if (inside != INSIDE_NOTHING) check_failed("detach works inside of host code");
  contexts_after_detach(client, &before);
}

void call_abandon(const uint8_t *numbers) {
  check_status(
      "wallet_core_client_abandon", wallet_core_client_abandon(phone_client(numbers[0])),
      ANSWERS(WALLET_CORE_ERROR_NOT_INITIALIZED));
}

typedef wallet_core_status set_sink(
    wallet_core_client client, wallet_core_event_callback callback, void *context,
    wallet_core_destroy destroy, uint64_t *token, wallet_core_error **error);
typedef wallet_core_status clear_sink(
    wallet_core_client client, uint64_t token, wallet_core_error **error);

void call_set(const uint8_t *numbers) {
  static set_sink *const setters[WAKEUP] = {
      wallet_core_set_event_callback,       wallet_core_set_lock_stream,
      wallet_core_set_configuration_stream, wallet_core_set_version_state_stream,
      wallet_core_set_step_stream,          wallet_core_set_cards_stream};
  static const int32_t answers[] = {
      WALLET_CORE_ERROR_INVALID_ARGUMENT, WALLET_CORE_ERROR_CLIENT_DETACHED,
      WALLET_CORE_ERROR_OUT_OF_RESOURCES, WALLET_CORE_ERROR_NOT_INITIALIZED, WALLET_CORE_OK};
  wallet_core_client client = phone_client(numbers[0]);
  int has_destroy = numbers[2] != 255, sink = numbers[1] % SINKS;
  void *context = context_new(client, has_destroy);
  if (context == NULL) check_failed("more contexts than a program can have");
  wallet_core_destroy destroy = has_destroy ? context_destroy : NULL;
  uint64_t token = 0, *out = numbers[2] % 2 ? NULL : &token;
  wallet_core_status status;
  if (sink == WAKEUP) {
    status = CALL(
        answers, wallet_core_set_wakeup, client, numbers[3] == 255 ? NULL : phone_on_wakeup,
        context, destroy, out);
  } else {
    status = CALL(
        answers, setters[sink], client, numbers[3] == 255 ? NULL : phone_on_event, context, destroy,
        out);
  }
  context_given(context, status);
}

void call_clear(const uint8_t *numbers) {
  static clear_sink *const clearers[SINKS] = {
      wallet_core_clear_event_callback,
      wallet_core_clear_lock_stream,
      wallet_core_clear_configuration_stream,
      wallet_core_clear_version_state_stream,
      wallet_core_clear_step_stream,
      wallet_core_clear_cards_stream,
      wallet_core_clear_wakeup};
  CALL(GONE, clearers[numbers[1] % SINKS], phone_client(numbers[0]), id_argument(numbers[2]));
}

void call_next(const uint8_t *numbers) {
  wallet_core_client client = phone_client(numbers[0]);
  wallet_core_event *event = NULL;
  wallet_core_status status = CALL(
      ANSWERS(
          WALLET_CORE_ERROR_TIMEOUT, WALLET_CORE_ERROR_INTERRUPTED, WALLET_CORE_ERROR_BUSY,
          WALLET_CORE_ERROR_CLIENT_DETACHED, WALLET_CORE_ERROR_REENTRANT,
          WALLET_CORE_ERROR_INVALID_ARGUMENT, WALLET_CORE_ERROR_NOT_INITIALIZED),
      wallet_core_client_next_event, client, timeout_argument(numbers[1]),
      numbers[2] == 255 ? NULL : &event);
  if ((status == WALLET_CORE_OK) != (event != NULL)) check_failed("next_event: no event, or one");
  if (event != NULL && inside != INSIDE_NOTHING) check_failed("next_event works in host code");
  if (event != NULL) phone_event(client, event);
}

void call_interrupt(const uint8_t *numbers) {
  CALL(GONE, wallet_core_client_interrupt, phone_client(numbers[0]));
}

/* Gives up when there is no progress for a while, because the event may never come. The key of a PIN takes
   some time. */
void call_await(const uint8_t *numbers) {
  enum { LOOKS = 24, LOOKS_FOR_REQUESTS = 200 };
  static const uint8_t poll = 0;
  if (inside != INSIDE_NOTHING) return;
  long wanted = phone_events() + numbers[1] % 8, seen = 0;
  for (int looks = 0; looks < LOOKS_FOR_REQUESTS; looks++) {
    call_next((const uint8_t[]){numbers[0], poll, 0, 0});
    int is_open = requests_open(phone_client(numbers[0])) > 0;
    if (!is_open && (phone_events() >= wanted || looks > LOOKS)) return;
    if (seen != phone_events()) looks = 0;
    seen = phone_events();
    if (looks % 8 == 7) wallet_core_testing_advance_clock(is_open ? 50 : 500);
    process_sleep(1);
  }
}

void call_free(const uint8_t *numbers) {
  phone_free(numbers[0]);
}
