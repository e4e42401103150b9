// SPDX-License-Identifier: Apache-2.0
/* Inside the player of scenarios. */
#ifndef PHONE_SCRIPT_H
#define PHONE_SCRIPT_H

#include <stdint.h>
#include <wallet_core.h>

#include "phone.h"

enum {
  SCRIPT_WORDS = 64,
  SCRIPT_PATIENCE_MS = 120000, /* for whatever must come, however busy the machine is */
  SCRIPT_QUIET_MS = 150        /* how long nothing must come */
};

/* One life of the app in the scenario. */
struct player {
  struct app app;
  struct device *device;
  const char *configuration_path;
  int is_started;
  uint64_t expected; /* the serial of the step that was expected last */
  char **words;      /* of the line that is played */
  int count;
};

/* What an instruction answers; a failure has been told. */
enum result { OK, FAILED };

/* Tells where and why the scenario fails. */
enum result fail(const struct player *player, const char *format, ...);

/* Fails with the status where it is not the one that was wanted, e.g. "OK". */
enum result check_status(
    const struct player *player, wallet_core_status status, const char *wanted);

/* Takes one event in and prints it if it is a step. */
enum app_event take(struct player *player, int64_t milliseconds);

/* Where there is a journal: takes what the library still has to say. */
void script_hear_out(struct player *player);

struct instruction {
  const char *word; /* NULL ends a list */
  int least, most;  /* words that follow it */
  enum result (*run)(struct player *player);
  int needs_app;
};

extern const struct instruction app_instructions[];   /* phone_instructions.c */
extern const struct instruction phone_instructions[]; /* phone_surroundings.c */
extern const struct instruction card_instructions[];  /* phone_cards.c */

/* --- steps as scenarios see them: phone_steps.c ---------------------------------------------------- */

/* The step on one line. */
void step_print(const wallet_core_event *step);

/* Ends by itself: progress, or a prompt of the system. */
int step_is_passing(const wallet_core_event *step);

/* "a,b,c": these actions and no others, in this order. */
int step_has_actions(const wallet_core_event *step, const char *wanted);

/* "attempts_left=2", "kind=prompt", "beneath=dashboard". */
int step_has_argument(const wallet_core_event *step, const char *condition);

/* The milliseconds since the scenario began: its count-downs run, and a busy machine takes its time. */
int64_t script_age(void);

int step_has_notice(const wallet_core_event *step, const char *notice);

#endif
