// SPDX-License-Identifier: Apache-2.0
/* The internals of the scenario player. */
#ifndef PHONE_SCRIPT_H
#define PHONE_SCRIPT_H

#include <stdint.h>
#include <wallet_core.h>

#include "phone.h"

enum {
  SCRIPT_WORDS = 64,
  SCRIPT_PATIENCE_MS = 120000, /* for anything that must come, even on a busy machine */
  SCRIPT_QUIET_MS = 150        /* for checking that nothing comes */
};

/* One run of the app in the scenario. */
struct player {
  struct app app;
  struct device *device;
  const char *configuration_path;
  int is_started;
  uint64_t expected; /* the serial of the last expected step */
  char **words;      /* of the line being played */
  int count;
};

/* The result of an instruction. A failure has already been printed. */
enum result { OK, FAILED };

/* Prints where and why the scenario fails. */
enum result fail(const struct player *player, const char *format, ...);

/* Fails if the status does not have the wanted name, e.g. "OK". */
enum result check_status(
    const struct player *player, wallet_core_status status, const char *wanted);

/* Takes one event and prints it if it is a step. */
enum app_event take(struct player *player, int64_t milliseconds);

/* If there is a journal: takes the events that are still to come, so that it has them. */
void script_drain(struct player *player);

struct instruction {
  const char *word; /* NULL ends a list */
  int least, most;  /* number of words that follow it */
  enum result (*run)(struct player *player);
  int needs_app;
};

extern const struct instruction app_instructions[];   /* phone_instructions.c */
extern const struct instruction phone_instructions[]; /* phone_surroundings.c */
extern const struct instruction card_instructions[];  /* phone_cards.c */

/* --- steps as scenarios see them: phone_steps.c ---------------------------------------------------- */

/* Prints the step on one line. */
void step_print(const wallet_core_event *step);

/* Whether the step ends by itself: progress, or a prompt of the system. */
int step_is_passing(const wallet_core_event *step);

/* Whether the step has exactly these actions in this order; `wanted` is like "a,b,c". */
int step_has_actions(const wallet_core_event *step, const char *wanted);

/* Whether a condition like "attempts_left=2", "kind=prompt" or "beneath=dashboard" holds. */
int step_has_argument(const wallet_core_event *step, const char *condition);

/* The milliseconds since the scenario began. Count-downs may have run by that much on a busy machine. */
int64_t script_age(void);

int step_has_notice(const wallet_core_event *step, const char *notice);

#endif
