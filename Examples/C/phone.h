// SPDX-License-Identifier: Apache-2.0
/* The phone in a terminal, and its screen. */
#ifndef PHONE_H
#define PHONE_H

#include "phone_app.h"
#include "phone_device.h"

enum { PICTURES = 8, PICTURE_BYTES = 256 };

/* The pictures offered to the camera: phone_pictures.c. */
struct pictures {
  const char *directory; /* NULL: none are offered */
  int count, more;       /* how many are listed, and how many there are besides */
  char names[PICTURES][PICTURE_BYTES];
};

/* Lists the directory again. */
void pictures_find(struct pictures *pictures);

/* Finds the path of the picture that was typed: its number, its name or a path. Returns 0 if that is
   not a picture. */
int pictures_choose(
    const struct pictures *pictures, const char *typed, char path[DEVICE_PATH_BYTES]);

/* Says on one line which picture cannot be used, and why. Valid until the next call. */
const char *pictures_message(const char *path, const char *why);

/* What the user of the phone is doing. */
struct view {
  const char *home;     /* why the home screen is shown instead of the app; NULL: it is not */
  const char *toast;    /* a message of one line; NULL: none */
  const char *question; /* what the user is asked to type, e.g. a link; NULL: nothing */
  const char *typed;    /* what was typed so far */
  int asks_for_picture; /* whether the question asks for a picture */
  const struct pictures *pictures;
  int pin_length;  /* digits so far */
  size_t activity; /* the index of the one that is looked at */
};

/* Draws the phone on the terminal, which needs 80 columns and 24 lines. */
void screen_draw(const struct app *app, const struct device *device, const struct view *view);

enum { CARD_LINES = 12, CARD_LINE_BYTES = 512 };

/* The claims of a card, one on a line, in words for its owner, and its state: phone_card.c. Several
   cards have their name above. Returns the number of lines, at most `most`. */
int card_lines(
    const wallet_core_event *cards, size_t card, int most, char lines[CARD_LINES][CARD_LINE_BYTES]);

/* The letter that chooses the action at the index, or 0 if no key does: phone_keys.c. Next and Back
   have the same letter on every screen. */
char screen_key(const struct app *app, size_t index);

/* Draws what a relying party asks for, on the steps about it. */
void request_lines(const wallet_core_event *step, int is_box);

enum { CLAIM_BYTES = 64 };

/* Writes the way to a claim, a JSON array, as a name with dots. */
void claim_name(const char *path, char name[CLAIM_BYTES]);

/* Draws the history, or one activity of it, on the steps about it: phone_activity.c. */
void activity_lines(
    const wallet_core_event *step, const wallet_core_event *answer, size_t activity);

/* Whether the step is about the history. */
int activity_is_shown(const wallet_core_event *step);

/* The label of the action at the index. */
const char *screen_label(const struct app *app, size_t index);

/* A message for an action that the app carries out itself, such as opening a website; NULL for the
   others, which the library carries out. */
const char *screen_work_of_host(const char *action);

/* The text for a notice. */
const char *screen_notice(const char *notice);

/* Runs the app on a terminal in raw mode, with the directory of its camera's pictures or NULL. Returns
   the exit status. Does not return if the user kills the app. */
int terminal_play(struct device *device, const char *configuration_path, const char *pictures);

#endif
