// SPDX-License-Identifier: Apache-2.0
/* Reads and plays scenarios. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "phone_script.h"

enum { LINES = 4000, DEPTH = 8, PARTS = 64 };

static struct line {
  const char *path;
  int number;
  const char *text;
} lines[LINES];
static size_t line_count;
static int64_t began;

int64_t script_age(void) {
  return app_now() - began;
}

/* The paths of the included files; lines refer to them. */
static char parts[PARTS][DEVICE_PATH_BYTES];
static size_t part_count;

static int add(const char *path, int number, const char *text) {
  if (line_count == LINES) {
    fprintf(stderr, "%s:%d: a scenario has at most %d lines\n", path, number, LINES);
    return -1;
  }
  lines[line_count++] = (struct line){.path = path, .number = number, .text = text};
  return 0;
}

static int load(const char *path, int depth);

/* "include NAME": reads NAME.part from the directory of the including file. */
static int include(const char *path, const char *name, int depth) {
  const char *slash = strrchr(path, '/');
  const int directory = slash != NULL ? (int)(slash - path) + 1 : 0;
  if (part_count == PARTS) {
    fprintf(stderr, "%s: a scenario includes at most %d files\n", path, PARTS);
    return -1;
  }
  char *part = parts[part_count++];
  snprintf(part, DEVICE_PATH_BYTES, "%.*s%s.part", directory, path, name);
  return load(part, depth + 1);
}

static int load(const char *path, int depth) {
  if (depth == DEPTH) {
    fprintf(stderr, "phone: %s: scenarios include each other at most %d deep\n", path, DEPTH);
    return -1;
  }
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    fprintf(stderr, "phone: %s: %s\n", path, strerror(errno));
    return -1;
  }
  char *text = NULL;
  size_t size = 0;
  int result = 0;
  for (int number = 1; result == 0 && getline(&text, &size, file) >= 0; number++) {
    text[strcspn(text, "\r\n")] = '\0';
    const char *start = text + strspn(text, " \t");
    if (strncmp(start, "include ", 8) == 0) {
      result = include(path, start + 8, depth);
    } else if (*start != '\0' && *start != '#') {
      result = add(path, number, strdup(start));
    }
  }
  free(text);
  fclose(file);
  return result;
}

int script_load(const char *path) {
  began = app_now();
  return load(path, 0);
}

int script_survives(struct device *device) {
  if (strcmp(lines[device->line].text, "kill") == 0) {
    device->line += 1;
    return 1;
  }
  /* Killed at a point, at any line up to "killed", which waits for the kill. */
  for (size_t i = device->line; i < line_count; i++) {
    if (strcmp(lines[i].text, "killed") == 0) {
      device->line = i + 1;
      return 1;
    }
  }
  return 0;
}

/* --- playing -------------------------------------------------------------------------------------- */

enum result fail(const struct player *player, const char *format, ...) {
  const struct line *line = &lines[player->device->line];
  va_list arguments;
  va_start(arguments, format);
  fflush(stdout);
  fprintf(stderr, "%s:%d: %s: ", line->path, line->number, line->text);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return FAILED;
}

enum result check_status(
    const struct player *player, wallet_core_status status, const char *wanted) {
  if (strcmp(wallet_core_status_name(status), wanted) != 0) {
    return fail(player, "the answer is %s", wallet_core_status_name(status));
  }
  return OK;
}

enum app_event take(struct player *player, int64_t milliseconds) {
  enum app_event event = app_take(&player->app, milliseconds);
  if (event == APP_STEP) {
    step_print(player->app.step);
  }
  return event;
}

static const struct instruction *find(const struct instruction *list, const char *word) {
  while (list->word != NULL && strcmp(list->word, word) != 0) {
    list++;
  }
  return list->word != NULL ? list : NULL;
}

static enum result run_line(struct player *player) {
  const struct instruction *instruction = find(app_instructions, player->words[0]);
  if (instruction == NULL) {
    instruction = find(phone_instructions, player->words[0]);
  }
  if (instruction == NULL) {
    instruction = find(card_instructions, player->words[0]);
  }
  if (instruction == NULL) {
    return fail(player, "unknown instruction");
  }
  if (player->count - 1 < instruction->least || player->count - 1 > instruction->most) {
    return fail(player, "too few or too many words");
  }
  if (instruction->needs_app && !player->is_started) {
    return fail(player, "the app was not opened");
  }
  return instruction->run(player);
}

/*
 * Opens the file that receives all events of this run of the app. PHONE_JOURNAL names one that also
 * receives the events after the last instruction; with PHONE_EVENTS the player does not wait for them.
 */
static void open_journal(struct player *player) {
  const char *path = getenv("PHONE_JOURNAL");
  path = path != NULL ? path : getenv("PHONE_EVENTS");
  player->app.journal = path != NULL ? fopen(path, "a") : NULL;
  if (player->app.journal != NULL) {
    setvbuf(player->app.journal, NULL, _IOLBF, 0); /* a kill must not lose lines */
    fputs("{\"kind\":\"life\"}\n", player->app.journal);
  }
}

void script_drain(struct player *player) {
  enum app_event event =
      getenv("PHONE_JOURNAL") != NULL && player->is_started ? APP_OTHER : APP_NOTHING;
  while (event != APP_NOTHING && event != APP_FAILED) {
    event = take(player, SCRIPT_QUIET_MS);
  }
}

int script_play(struct device *device, const char *configuration_path) {
  struct player player = {.device = device, .configuration_path = configuration_path};
  int status = 0;
  open_journal(&player);
  device_restore_world(device);
  device_stop_clock();
  for (; status == 0 && device->line < line_count; device->line++) {
    char *words[SCRIPT_WORDS + 2] = {NULL}, *rest = NULL;
    char *text = strdup(lines[device->line].text);
    printf("> %s\n", text);
    player.words = words;
    player.count = 0;
    for (char *word = strtok_r(text, " ", &rest); word != NULL && player.count < SCRIPT_WORDS;
         word = strtok_r(NULL, " ", &rest)) {
      words[player.count++] = word;
    }
    status = run_line(&player) == OK ? 0 : 1;
    free(text);
  }
  script_drain(&player);
  fflush(stdout);
  app_forget_answer(&player.app);
  wallet_core_event_free(player.app.step);
  if (player.is_started) {
    wallet_core_client_abandon(player.app.client);
  }
  return status;
}
