// SPDX-License-Identifier: Apache-2.0
/* The pictures offered to the camera. */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "phone.h"
#include "phone_display.h"

static int is_picture(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot != NULL && strcasecmp(dot, ".png") == 0;
}

static int is_wanted(const struct dirent *entry) {
  return is_picture(entry->d_name);
}

/* Orders by the name without ".png", so that licence comes before licence-damaged. */
static int by_name(const struct dirent **one, const struct dirent **other) {
  const char *a = (*one)->d_name, *b = (*other)->d_name;
  const size_t a_length = strlen(a) - strlen(".png"), b_length = strlen(b) - strlen(".png");
  const int order = strncmp(a, b, a_length < b_length ? a_length : b_length);
  return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

void pictures_find(struct pictures *pictures) {
  struct dirent **entries = NULL;
  const int count =
      pictures->directory != NULL ? scandir(pictures->directory, &entries, is_wanted, by_name) : 0;
  pictures->count = 0;
  pictures->more = count > PICTURES ? count - PICTURES : 0;
  for (int i = 0; i < count; i++) {
    if (i < PICTURES) {
      snprintf(pictures->names[pictures->count++], PICTURE_BYTES, "%s", entries[i]->d_name);
    }
    free(entries[i]);
  }
  free(entries);
}

int pictures_choose(
    const struct pictures *pictures, const char *typed, char path[DEVICE_PATH_BYTES]) {
  const int number = typed[0] - '0';
  if (typed[0] != '\0' && typed[1] == '\0' && number >= 1 && number <= pictures->count) {
    snprintf(path, DEVICE_PATH_BYTES, "%s/%s", pictures->directory, pictures->names[number - 1]);
    return 1;
  }
  if (!is_picture(typed)) {
    return 0;
  }
  /* A name without a directory means a picture among those offered. */
  const int is_inside = pictures->directory != NULL && strchr(typed, '/') == NULL;
  snprintf(
      path, DEVICE_PATH_BYTES, "%s%s%s", is_inside ? pictures->directory : "", is_inside ? "/" : "",
      typed);
  return 1;
}

const char *pictures_message(const char *path, const char *why) {
  static char message[DISPLAY_WIDTH + 1];
  /* Cut at the front: paths differ at their ends. */
  const size_t length = strlen(path), others = strlen(": ") + strlen(why);
  const size_t seen = others < DISPLAY_WIDTH ? DISPLAY_WIDTH - others : 0;
  snprintf(message, sizeof message, "%s: %s", path + (length > seen ? length - seen : 0), why);
  return message;
}
