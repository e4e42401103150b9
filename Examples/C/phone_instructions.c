// SPDX-License-Identifier: Apache-2.0
/* The instructions of scenarios that drive the app; Tests/Scenarios/README.md describes them. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "phone_camera.h"
#include "phone_script.h"

static void ignore(void *context) {
  (void)context;
}

static enum result start(struct player *player) {
  if (player->is_started) {
    return OK;
  }
  if (device_start(player->device, ignore, NULL) != 0 ||
      app_start(&player->app, player->configuration_path) != 0) {
    return fail(player, "the app does not start");
  }
  player->is_started = 1;
  return OK;
}

/* --- steps ---------------------------------------------------------------------------------------- */

/* Whether the current step has the use case, the row and the name that are expected. */
static int is_expected(const struct player *player) {
  const wallet_core_event *step = player->app.step;
  return strcmp(wallet_core_event_step_use_case(step), player->words[1]) == 0 &&
         strcmp(wallet_core_event_step_row(step), player->words[2]) == 0 &&
         strcmp(wallet_core_event_step_name(step), player->words[3]) == 0;
}

/* Checks the other conditions of an expected step. It must not have notices that were not named. */
static enum result check_conditions(struct player *player) {
  const wallet_core_event *step = player->app.step;
  size_t notices = 0;
  for (int i = 4; i < player->count; i++) {
    const char *word = player->words[i];
    int holds = 0;
    if (strcmp(word, "actions") == 0 && i + 1 < player->count) {
      holds = step_has_actions(step, player->words[++i]);
    } else if (word[0] == '!') {
      holds = step_has_notice(step, word + 1);
      notices += 1;
    } else if (strchr(word, '=') != NULL) {
      holds = step_has_argument(step, word);
    }
    if (!holds) {
      return fail(player, "the step does not have: %s", player->words[i]);
    }
  }
  if (notices != wallet_core_event_step_notice_count(step)) {
    return fail(player, "the step has notices that were not expected");
  }
  return OK;
}

static enum result expect(struct player *player) {
  const int64_t deadline = app_now() + SCRIPT_PATIENCE_MS;
  for (;;) {
    const uint64_t serial = wallet_core_event_step_serial(player->app.step);
    if (serial > player->expected) {
      if (is_expected(player)) {
        player->expected = serial;
        return check_conditions(player);
      }
      if (!step_is_passing(player->app.step)) {
        return fail(player, "another step came");
      }
    }
    const int64_t left = deadline - app_now();
    if (left <= 0) {
      return fail(player, "the step did not come");
    }
    if (take(player, left) == APP_FAILED) {
      return FAILED;
    }
  }
}

/* Checks that only passing steps come for a moment. */
static enum result no_step(struct player *player) {
  const int64_t deadline = app_now() + SCRIPT_QUIET_MS;
  for (int64_t left = SCRIPT_QUIET_MS; left > 0; left = deadline - app_now()) {
    if (take(player, left) == APP_STEP && !step_is_passing(player->app.step)) {
      return fail(player, "a step came");
    }
  }
  return OK;
}

/* --- choices --------------------------------------------------------------------------------------- */

static enum result choose(struct player *player) {
  return check_status(player, app_choose(&player->app, player->words[1], NULL), "OK");
}

static enum result enter_pin(struct player *player) {
  return check_status(player, app_choose(&player->app, "enter", player->words[1]), "OK");
}

/* The text that a word means: the word itself, or for "@NAME" the content of the file NAME in the
   directory PHONE_PICTURES. */
static enum result content(
    const struct player *player, const char *word, char *bytes, size_t capacity, size_t *length) {
  if (word[0] != '@') {
    snprintf(bytes, capacity, "%s", word);
    *length = strlen(bytes);
    return OK;
  }
  const char *directory = getenv("PHONE_PICTURES");
  char path[DEVICE_PATH_BYTES];
  snprintf(path, sizeof path, "%s/%s", directory != NULL ? directory : ".", word + 1);
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    return fail(player, "%s: %s", path, strerror(errno));
  }
  *length = fread(bytes, 1, capacity - 1, file);
  bytes[*length] = 0;
  const int is_read = !ferror(file);
  fclose(file);
  return is_read ? OK : fail(player, "%s: cannot be read", path);
}

/* Scans the text that a word means, and checks the status. */
static enum result scan_content(
    struct player *player, wallet_core_symbology symbology, const char *word, const char *wanted) {
  char bytes[4096];
  size_t length = 0;
  if (content(player, word, bytes, sizeof bytes, &length) != OK) {
    return FAILED;
  }
  return check_status(player, app_scanned(&player->app, symbology, bytes, length), wanted);
}

/* "scan FILE": a picture in the directory PHONE_PICTURES. */
static enum result scan_picture(struct player *player) {
  const char *directory = getenv("PHONE_PICTURES");
  const char *name = player->words[1];
  char path[DEVICE_PATH_BYTES];
  struct camera camera;
  const int is_inside = directory != NULL && name[0] != '/';
  snprintf(path, sizeof path, "%s%s%s", is_inside ? directory : "", is_inside ? "/" : "", name);
  switch (camera_take(&player->app, path, &camera)) {
    case CAMERA_FAILED:
      return fail(player, "%s: %s", path, camera.message);
    case CAMERA_WAITS:
      printf("# %s\n", camera.message);
      return OK;
    default:
      return check_status(player, camera.status, "OK");
  }
}

/* "scan FILE", "scan qr TEXT" or "scan pdf417 TEXT". */
static enum result scan(struct player *player) {
  if (player->count == 2) {
    return scan_picture(player);
  }
  if (strcmp(player->words[1], "qr") == 0) {
    return scan_content(player, WALLET_CORE_SYMBOLOGY_QR_CODE, player->words[2], "OK");
  }
  if (strcmp(player->words[1], "pdf417") == 0) {
    return scan_content(player, WALLET_CORE_SYMBOLOGY_PDF417, player->words[2], "OK");
  }
  return fail(player, "only qr and pdf417 can be scanned from a text");
}

/* "refused ACTION STATUS", "refused pin DIGITS STATUS" or "refused scan TEXT STATUS". */
static enum result make_refused_choice(struct player *player, const char *wanted) {
  char **words = player->words;
  if (player->count == 3) {
    return check_status(player, app_choose(&player->app, words[1], NULL), wanted);
  }
  if (strcmp(words[1], "pin") == 0) {
    return check_status(player, app_choose(&player->app, "enter", words[2]), wanted);
  }
  return scan_content(player, WALLET_CORE_SYMBOLOGY_QR_CODE, words[2], wanted);
}

static enum result refused(struct player *player) {
  const char *wanted = player->words[player->count - 1];
  if (make_refused_choice(player, wanted) != OK) {
    return FAILED;
  }
  return no_step(player);
}

/* "stale ACTION": a choice for the step before, as a double tap makes it. */
static enum result stale(struct player *player) {
  const uint64_t serial = wallet_core_event_step_serial(player->app.step) - 1;
  wallet_core_status status =
      wallet_core_choose(player->app.client, serial, player->words[1], NULL, 0, NULL);
  return check_status(player, status, "STALE_STEP");
}

/* --- the app's life --------------------------------------------------------------------------------- */

static enum result open_app(struct player *player) {
  if (start(player) != OK) {
    return FAILED;
  }
  const int is_launch = strcmp(player->words[1], "launch") == 0;
  char link[4096] = "";
  size_t length = 0;
  if (player->count > 2 && content(player, player->words[2], link, sizeof link, &length) != OK) {
    return FAILED;
  }
  wallet_core_status status = app_open(
      &player->app, is_launch ? WALLET_CORE_STARTUP_LAUNCH : WALLET_CORE_STARTUP_RESUME,
      player->count > 2 ? link : NULL);
  return check_status(player, status, "OK");
}

static enum result background(struct player *player) {
  (void)player;
  app_tell(WALLET_CORE_LIFECYCLE_BACKGROUND);
  return OK;
}

static enum result foreground(struct player *player) {
  (void)player;
  app_tell(WALLET_CORE_LIFECYCLE_FOREGROUND);
  return OK;
}

static enum result activity(struct player *player) {
  (void)player;
  app_tell(WALLET_CORE_LIFECYCLE_USER_ACTIVITY);
  return OK;
}

static enum result lock(struct player *player) {
  return check_status(player, wallet_core_lock(NULL), "OK");
}

static enum result rebind(struct player *player) {
  return app_rebind(&player->app) == 0 ? OK : fail(player, "the new engine does not start");
}

static enum result kill_app(struct player *player) {
  player->device->is_kill_expected = 1;
  script_drain(player);
  fflush(stdout);
  raise(SIGKILL);
  return FAILED;
}

/* The kill comes while this line waits. The next run of the app goes on after it. */
static enum result killed(struct player *player) {
  const int64_t deadline = app_now() + SCRIPT_PATIENCE_MS;
  for (int64_t left = SCRIPT_PATIENCE_MS; left > 0; left = deadline - app_now()) {
    if (take(player, left) == APP_FAILED) {
      return FAILED;
    }
  }
  return fail(player, "the app was not killed");
}

const struct instruction app_instructions[] = {
    {"open", 1, 2, open_app, 0},         {"expect", 3, SCRIPT_WORDS, expect, 1},
    {"no-step", 0, 0, no_step, 1},       {"choose", 1, 1, choose, 1},
    {"pin", 1, 1, enter_pin, 1},         {"scan", 1, 2, scan, 1},
    {"refused", 2, 3, refused, 1},       {"stale", 1, 1, stale, 1},
    {"background", 0, 0, background, 1}, {"foreground", 0, 0, foreground, 1},
    {"activity", 0, 0, activity, 1},     {"lock", 0, 0, lock, 1},
    {"rebind", 0, 0, rebind, 1},         {"kill", 0, 0, kill_app, 1},
    {"killed", 0, 0, killed, 1},         {0},
};
