// SPDX-License-Identifier: Apache-2.0
/*
 * The app: everything that a host does with the flows. It keeps the step that the user sees and
 * answers it. What a step looks like is none of its business.
 */
#ifndef PHONE_APP_H
#define PHONE_APP_H

#include <stdint.h>
#include <stdio.h>
#include <wallet_core.h>

struct app {
  wallet_core_client client;
  wallet_core_event *step; /* what the user sees; NULL before the first */
  int64_t step_time;       /* when it was shown, by app_now() */
  int is_locked;
  int32_t version_grade;     /* WALLET_CORE_VERSION_..., as the last event said */
  uint64_t request;          /* that was made last; 0 before the first */
  wallet_core_event *answer; /* to it; NULL until it came. Has what a card says: free it soon */
  FILE *journal; /* receives the JSON of each event, a line each; NULL: nobody reads it */
};

/* Init and attach. Returns 0, or -1 with the reason on stderr. */
int app_start(struct app *app, const char *configuration_path);

/* The user-interface engine died without a word; a new one takes over. As app_start(). */
int app_rebind(struct app *app);

/* Milliseconds on a clock that counts sleep, as step durations do. */
int64_t app_now(void);

enum app_event { APP_NOTHING, APP_STEP, APP_ANSWER, APP_OTHER, APP_FAILED };

/* Takes the next event, waiting so many milliseconds for one. */
enum app_event app_take(struct app *app, int64_t milliseconds);

/* Opens the app as `startup` says, with a universal link or NULL. */
wallet_core_status app_open(struct app *app, int32_t startup, const char *link);

/* Answers the step that is seen. `pin` is NULL, or digits, and is wiped. */
wallet_core_status app_choose(struct app *app, const char *action, char *pin);

/* Answers a step that wants a scan with what the camera read in a symbol of that
   WALLET_CORE_SYMBOLOGY_.... */
wallet_core_status app_scanned(
    struct app *app, int32_t symbology, const void *bytes, size_t length);

/* Asks for the cards; the answer comes as APP_ANSWER. */
wallet_core_status app_read_cards(struct app *app);

/* Asks for a presentation of the PID to a verifier of an example, with these claims disclosed; as
   app_read_cards(). */
wallet_core_status app_present(struct app *app, const char *const *claims, size_t count);

/* Forgets the answer to the last request, also one that has yet to come. */
void app_forget_answer(struct app *app);

/* WALLET_CORE_LIFECYCLE_... */
void app_tell(int32_t lifecycle);

/* Whether the step that is seen offers the action. */
int app_offers(const struct app *app, const char *action);

/* The milliseconds left of an argument like "blocked_for_ms", from now on; -1 where there is none. */
int64_t app_time_left(const struct app *app, const char *argument);

#endif
