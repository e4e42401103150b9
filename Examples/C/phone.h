// SPDX-License-Identifier: Apache-2.0
/* The two ways to use the phone, and its screen. */
#ifndef PHONE_H
#define PHONE_H

#include "phone_app.h"
#include "phone_device.h"

enum { PICTURES = 8, PICTURE_BYTES = 256 };

/* The pictures that lie ready for the camera: phone_pictures.c. */
struct pictures {
  const char *directory; /* NULL: none do */
  int count, more;       /* those that are named, and how many there are beside them */
  char names[PICTURES][PICTURE_BYTES];
};

/* Looks into the directory. */
void pictures_find(struct pictures *pictures);

/* The path of the picture that was typed: by its number, its name or a path. Returns 0 where that is no
   picture. */
int pictures_choose(
    const struct pictures *pictures, const char *typed, char path[DEVICE_PATH_BYTES]);

/* Which picture cannot be used, and why, on one line; valid until the next one. */
const char *pictures_news(const char *path, const char *why);

/* What the user of the phone is doing. */
struct view {
  const char *home;     /* why the home screen is shown instead of the app; NULL: it is not */
  const char *toast;    /* a line of news; NULL where there is none */
  const char *question; /* a text that is asked for, e.g. a link; NULL: none */
  const char *typed;    /* so far */
  int asks_for_picture; /* whether the question is which of the pictures is held before the camera */
  const struct pictures *pictures;
  int pin_length; /* digits so far */
};

/* Draws the phone on the terminal, which needs 80 columns and 24 lines. */
void screen_draw(const struct app *app, const struct device *device, const struct view *view);

enum { CARD_LINES = 12, CARD_LINE_BYTES = 512 };

/* What a card says, a line for each, as its owner would want to see it: phone_card.c. Returns how many
   lines there are. */
int card_lines(
    const wallet_core_event *cards, size_t card, char lines[CARD_LINES][CARD_LINE_BYTES]);

/* The letter that chooses the action of that index, phone_keys.c; 0 where no key does. Next and Back have
   theirs on every screen. */
char screen_key(const struct app *app, size_t index);

/* What the action of that index is called. */
const char *screen_label(const struct app *app, size_t index);

/* What the app does by itself where an action leaves the step as it is; NULL for the others. */
const char *screen_work_of_host(const char *action);

/* A notice in words. */
const char *screen_notice(const char *notice);

/* One life of the app on a terminal in raw mode, with the directory of its camera's pictures or NULL.
   Returns the exit status. A life that the user kills does not return. */
int terminal_play(struct device *device, const char *configuration_path, const char *pictures);

/* Reads a scenario, its parts included. Returns 0, or -1 with the reason on stderr. */
int script_load(const char *path);

/* One life of the app in the scenario, from device->line on. Returns the exit status. */
int script_play(struct device *device, const char *configuration_path);

/* Where the scenario goes on after the kill of a life; sets device->line. Returns 0 where it was not
   to be killed. */
int script_survives(struct device *device);

#endif
