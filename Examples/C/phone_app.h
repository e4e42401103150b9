// SPDX-License-Identifier: Apache-2.0
/*
 * The app: everything that a host does with the flows. It keeps the step that the user sees and
 * answers it. Drawing the step is left to others.
 */
#ifndef PHONE_APP_H
#define PHONE_APP_H

#include <stdint.h>
#include <wallet_core.h>

struct app {
  wallet_core_client client;
  wallet_core_event *step; /* what the user sees; NULL before the first */
  int64_t step_time;       /* when it was shown, by app_now() */
  int is_locked;
  uint64_t request;          /* the last one made; 0 before the first */
  wallet_core_event *answer; /* to it; NULL until it came. It has personal data: free it soon */
};

/* Initialises the library and attaches to it. Returns 0, or -1 with the reason on stderr. */
int app_start(struct app *app, const char *configuration_path);

/* Takes over after the user-interface engine died without detaching. Returns as app_start() does. */
int app_rebind(struct app *app);

/* Milliseconds on a clock that also runs while the device sleeps, as step durations do. */
int64_t app_now(void);

enum app_event { APP_NOTHING, APP_STEP, APP_ANSWER, APP_CARDS, APP_OTHER, APP_FAILED };

/* Takes the next event. Waits up to `milliseconds` for one. */
enum app_event app_take(struct app *app, int64_t milliseconds);

/* Opens the app; `startup` is a WALLET_CORE_STARTUP_..., `link` a universal link or NULL. */
wallet_core_status app_open(struct app *app, wallet_core_startup startup, const char *link);

/* Answers the current step. `pin` is NULL, or digits, which are wiped. */
wallet_core_status app_choose(struct app *app, const char *action, char *pin);

/* Answers a step that asks for an option of a request. */
wallet_core_status app_choose_option(struct app *app, size_t option);

/* Answers a step that asks for a scan with the bytes that the camera read in a symbol of this
   WALLET_CORE_SYMBOLOGY_.... */
wallet_core_status app_scanned(
    struct app *app, wallet_core_symbology symbology, const void *bytes, size_t length);

/* Requests the cards; the answer comes as APP_ANSWER. */
wallet_core_status app_read_cards(struct app *app);

/* Requests the history of what was shared; the answer comes as APP_ANSWER. */
wallet_core_status app_read_activities(struct app *app);

/* Forgets the answer to the last request, even if it has yet to come. */
void app_forget_answer(struct app *app);

/* Reports a WALLET_CORE_LIFECYCLE_... to the library. */
void app_tell(int32_t lifecycle);

/* Whether the current step offers the action. */
int app_offers(const struct app *app, const char *action);

/* The milliseconds left of an argument like "blocked_for_ms"; -1 if the step has no such argument. */
int64_t app_time_left(const struct app *app, const char *argument);

#endif
