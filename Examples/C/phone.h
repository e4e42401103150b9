// SPDX-License-Identifier: Apache-2.0
/* The two ways to use the phone, and its screen. */
#ifndef PHONE_H
#define PHONE_H

#include "phone_app.h"
#include "phone_device.h"

/* What the user of the phone is doing. */
struct view {
  const char *home;     /* why the home screen is shown instead of the app; NULL: it is not */
  const char *toast;    /* a line of news; NULL where there is none */
  const char *question; /* a text that is asked for, e.g. a link; NULL: none */
  const char *typed;    /* so far */
  int pin_length;       /* digits so far */
};

/* Draws the phone on the terminal. */
void screen_draw(const struct app *app, const struct device *device, const struct view *view);

enum { CARD_LINES = 12, CARD_LINE_BYTES = 512 };

/* What a card says, a line for each, as its owner would want to see it: phone_card.c. Returns how many
   lines there are. */
int card_lines(
    const wallet_core_event *cards, size_t card, char lines[CARD_LINES][CARD_LINE_BYTES]);

/* The letter that chooses the action of that index; 0 where the user does not choose it himself. */
char screen_key(const struct app *app, size_t index);

/* One life of the app on a terminal in raw mode. Returns the exit status. A life that the user kills
   does not return. */
int terminal_play(struct device *device, const char *configuration_path);

/* Reads a scenario, its parts included. Returns 0, or -1 with the reason on stderr. */
int script_load(const char *path);

/* One life of the app in the scenario, from device->line on. Returns the exit status. */
int script_play(struct device *device, const char *configuration_path);

/* Where the scenario goes on after the kill of a life; sets device->line. Returns 0 where it was not
   to be killed. */
int script_survives(struct device *device);

#endif
