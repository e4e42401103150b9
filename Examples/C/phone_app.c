// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L

#include "phone_app.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Reports a failure and frees its error, which belongs to the caller. */
static int succeeded(wallet_core_status status, wallet_core_error *error, const char *what) {
  if (status != WALLET_CORE_OK) {
    fprintf(
        stderr, "phone: %s: %s: %s\n", what, wallet_core_status_name(status),
        wallet_core_error_message(error, NULL));
  }
  wallet_core_error_free(error);
  return status == WALLET_CORE_OK;
}

static int attach(struct app *app) {
  wallet_core_error *error = NULL;
  app_forget_answer(app);
  wallet_core_event_free(app->step);
  *app = (struct app){.is_locked = 1};
  wallet_core_status status =
      wallet_core_client_attach("phone", WALLET_CORE_ATTACH_TAKE_OVER, &app->client, &error);
  return succeeded(status, error, "attach") ? 0 : -1;
}

int app_start(struct app *app, const char *configuration_path) {
  static uint8_t configuration[256 * 1024];
  FILE *file = fopen(configuration_path, "rb");
  if (file == NULL) {
    fprintf(stderr, "phone: %s: %s\n", configuration_path, strerror(errno));
    return -1;
  }
  size_t length = fread(configuration, 1, sizeof configuration, file);
  fclose(file);
  const wallet_core_options options = {
      .struct_size = sizeof options,
      .embedded_configuration = configuration,
      .embedded_configuration_length = length,
      .app_version = "1.0.0",
      .app_id = "org.example.phone",
  };
  wallet_core_error *error = NULL;
  if (!succeeded(wallet_core_init(&options, &error), error, "init")) {
    return -1;
  }
  return attach(app);
}

int app_rebind(struct app *app) {
  return attach(app);
}

int64_t app_now(void) {
#ifdef CLOCK_BOOTTIME
  const clockid_t with_sleep = CLOCK_BOOTTIME;
#else
  const clockid_t with_sleep = CLOCK_MONOTONIC;
#endif
  struct timespec now;
  clock_gettime(with_sleep, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

enum app_event app_take(struct app *app, int64_t milliseconds) {
  wallet_core_event *event = NULL;
  wallet_core_error *error = NULL;
  wallet_core_status status =
      wallet_core_client_next_event(app->client, milliseconds, &event, &error);
  if (status == WALLET_CORE_ERROR_TIMEOUT) {
    return APP_NOTHING;
  }
  if (!succeeded(status, error, "next_event")) {
    return APP_FAILED;
  }
  switch (wallet_core_event_kind(event)) {
    case WALLET_CORE_EVENT_STEP:
      wallet_core_event_free(app->step);
      app->step = event; /* kept: the screen is drawn from it */
      app->step_time = app_now();
      return APP_STEP;
    case WALLET_CORE_EVENT_COMPLETION:
      if (wallet_core_event_request(event) == app->request) {
        wallet_core_event_free(app->answer);
        app->answer = event;
        return APP_ANSWER;
      }
      break; /* of a request that was forgotten */
    case WALLET_CORE_EVENT_LOCK_STATE:
      app->is_locked = wallet_core_event_is_locked(event);
      break;
    case WALLET_CORE_EVENT_CARDS_CHANGED:
      wallet_core_event_free(event);
      return APP_CARDS;
    default: /* the configuration and the version state, which the flows act on by themselves */
      break;
  }
  wallet_core_event_free(event);
  return APP_OTHER;
}

wallet_core_status app_open(struct app *app, wallet_core_startup startup, const char *link) {
  return wallet_core_open_app(app->client, startup, link, NULL);
}

wallet_core_status app_choose(struct app *app, const char *action, char *pin) {
  const uint64_t serial = wallet_core_event_step_serial(app->step);
  const size_t length = pin != NULL ? strlen(pin) : 0;
  wallet_core_status status =
      wallet_core_choose(app->client, serial, action, (const uint8_t *)pin, length, NULL);
  wallet_core_memzero(pin, length); /* the library has its own copy */
  return status;
}

wallet_core_status app_choose_option(struct app *app, size_t option) {
  return wallet_core_choose_option(
      app->client, wallet_core_event_step_serial(app->step), option, NULL);
}

wallet_core_status app_scanned(
    struct app *app, wallet_core_symbology symbology, const void *bytes, size_t length) {
  return wallet_core_choose_scanned(
      app->client, wallet_core_event_step_serial(app->step), symbology, (const uint8_t *)bytes,
      length, NULL);
}

wallet_core_status app_read_cards(struct app *app) {
  app_forget_answer(app);
  return wallet_core_cards(app->client, &app->request, NULL);
}

wallet_core_status app_read_activities(struct app *app) {
  app_forget_answer(app);
  return wallet_core_activities(app->client, &app->request, NULL);
}

void app_forget_answer(struct app *app) {
  wallet_core_event_free(app->answer);
  app->answer = NULL;
  app->request = 0;
}

void app_tell(int32_t lifecycle) {
  wallet_core_error *error = NULL;
  succeeded(wallet_core_notify_lifecycle(lifecycle, &error), error, "notify_lifecycle");
}

int app_offers(const struct app *app, const char *action) {
  for (size_t i = 0; i < wallet_core_event_step_action_count(app->step); i++) {
    if (strcmp(wallet_core_event_step_action(app->step, i), action) == 0) {
      return 1;
    }
  }
  return 0;
}

int64_t app_time_left(const struct app *app, const char *argument) {
  int64_t duration = 0;
  if (!wallet_core_event_step_number(app->step, argument, &duration)) {
    return -1;
  }
  int64_t left = app->step_time + duration - app_now();
  return left > 0 ? left : 0;
}
