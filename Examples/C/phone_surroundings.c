// SPDX-License-Identifier: Apache-2.0
/* The instructions of scenarios that drive the phone around the app, or query the library directly. */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "phone_script.h"
#include "software_keys.h"

extern char **environ;

static enum result without_control(const struct player *player) {
  return fail(player, "this build has no such control, or the word is unknown");
}

/* The index of the word in `names`; -1 if it is not there. */
static int value_of(const char *word, const char *const names[], int count) {
  for (int i = 0; i < count; i++) {
    if (names[i] != NULL && strcmp(names[i], word) == 0) {
      return i;
    }
  }
  return -1;
}

static enum result platform(struct player *player) {
  static const char *const names[] = {
      [WALLET_CORE_PLATFORM_IOS] = "ios", [WALLET_CORE_PLATFORM_ANDROID] = "android"};
  int value = value_of(player->words[1], names, sizeof names / sizeof *names);
  player->device->platform = value;
  return value > 0 ? OK : fail(player, "expected ios or android");
}

static enum result biometrics(struct player *player) {
  static const char *const names[] = {
      "none", [WALLET_CORE_BIOMETRICS_ANY] = "any",
      [WALLET_CORE_BIOMETRICS_FINGERPRINT] = "fingerprint", [WALLET_CORE_BIOMETRICS_FACE] = "face"};
  int value = value_of(player->words[1], names, sizeof names / sizeof *names);
  player->device->biometrics = value;
  return value >= 0 ? OK : fail(player, "expected none, any, fingerprint or face");
}

static enum result camera(struct player *player) {
  static const char *const names[] = {
      [WALLET_CORE_CAMERA_MISSING] = "missing",
      [WALLET_CORE_CAMERA_USABLE] = "usable",
      [WALLET_CORE_CAMERA_DENIED] = "denied"};
  int value = value_of(player->words[1], names, sizeof names / sizeof *names);
  player->device->camera = value;
  return value >= 0 ? OK : fail(player, "expected usable, missing or denied");
}

static enum result device_lock(struct player *player) {
  player->device->is_secure = strcmp(player->words[1], "secure") == 0;
  return OK;
}

/* "keys ok", "keys unavailable", "keys lost". */
static enum result keys(struct player *player) {
  player->device->has_key_store = strcmp(player->words[1], "unavailable") != 0;
  if (strcmp(player->words[1], "lost") == 0 &&
      software_keys_lose(player->device->directory, "") != 0) {
    return fail(player, "the keys are still there");
  }
  return OK;
}

/* Runs the program that PHONE_PROVIDER names with these arguments; the first one is set to its name. */
static enum result run_program(const struct player *player, char **arguments) {
  char *program = getenv("PHONE_PROVIDER");
  pid_t child = 0;
  int status = 0;
  if (program == NULL) {
    return fail(player, "PHONE_PROVIDER is not set");
  }
  fflush(stdout);
  arguments[0] = program;
  if (posix_spawnp(&child, program, NULL, NULL, arguments, environ) != 0 ||
      waitpid(child, &status, 0) != child || status != 0) {
    return fail(player, "%s did not succeed", program);
  }
  return OK;
}

static enum result provider(struct player *player) {
  return run_program(player, player->words);
}

/* Overwrites a whole file with garbage and keeps its length. */
static int damage_file(int file) {
  static const char garbage[512] = "this is no wallet";
  struct stat state;
  int is_done = fstat(file, &state) == 0 && S_ISREG(state.st_mode);
  for (off_t offset = 0; is_done && offset < state.st_size; offset += (off_t)sizeof garbage) {
    const off_t left = state.st_size - offset;
    const size_t length = left < (off_t)sizeof garbage ? (size_t)left : sizeof garbage;
    is_done = pwrite(file, garbage, length, offset) == (ssize_t)length;
  }
  return is_done;
}

/* Damages all files of the storage. Returns their number. */
static int damage(const char *storage) {
  DIR *files = opendir(storage);
  int count = 0;
  for (struct dirent *entry; files != NULL && (entry = readdir(files)) != NULL;) {
    int file = openat(dirfd(files), entry->d_name, O_RDWR | O_NOFOLLOW);
    if (file >= 0) {
      count += damage_file(file);
      close(file);
    }
  }
  if (files != NULL) {
    closedir(files);
  }
  return count;
}

/* "storage missing": a file replaces the directory; "storage ok" brings it back. "storage damaged":
   all files, or one value with its name. */
static enum result storage(struct player *player) {
  char path[DEVICE_PATH_BYTES + 16], away[DEVICE_PATH_BYTES + 16];
  snprintf(path, sizeof path, "%s/storage", player->device->directory);
  snprintf(away, sizeof away, "%s/storage.away", player->device->directory);
  int is_done = 0;
  if (strcmp(player->words[1], "missing") == 0) {
    const int moved = rename(path, away) == 0 || errno == ENOENT;
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    is_done = moved && file >= 0 && close(file) == 0;
  } else if (strcmp(player->words[1], "ok") == 0) {
    is_done = unlink(path) == 0 && (rename(away, path) == 0 || errno == ENOENT);
  } else if (strcmp(player->words[1], "damaged") == 0 && player->count == 2) {
    is_done = damage(path) > 0;
  } else if (strcmp(player->words[1], "damaged") == 0) {
    char *arguments[] = {NULL, "damage", path, player->words[2], NULL};
    return run_program(player, arguments);
  }
  return is_done ? OK : fail(player, "the storage cannot be changed: %s", strerror(errno));
}

static enum result finger(struct player *player) {
  const char *word = player->words[1];
  const int times = player->count > 2 ? atoi(player->words[2]) : 1;
  if (strncmp(word, "late-", 5) != 0 && !device_await_prompt(1, SCRIPT_PATIENCE_MS)) {
    return fail(player, "no prompt opened");
  }
  return device_finger(word, times) ? OK : fail(player, "no such prompt, or an unknown word");
}

static enum result prompt(struct player *player) {
  const int is_open = strcmp(player->words[1], "open") == 0;
  return device_await_prompt(is_open, SCRIPT_PATIENCE_MS) ? OK : fail(player, "not in time");
}

/* Moves the clock. Any call then makes the wallet do what is due. */
static enum result clock_passes(struct player *player) {
  int32_t is_locked = 0;
  if (!device_move_clock(player->device, strtoll(player->words[1], NULL, 10))) {
    return without_control(player);
  }
  (void)wallet_core_is_locked(&is_locked, NULL);
  return OK;
}

static enum result calendar(struct player *player) {
  const int64_t seconds = strtoll(player->words[1], NULL, 10);
  return device_move_calendar(player->device, seconds) ? OK : without_control(player);
}

static enum result network(struct player *player) {
  const int count = player->count > 2 ? atoi(player->words[2]) : -1;
  return device_network(player->device, player->words[1], count) ? OK : without_control(player);
}

static enum result kill_at(struct player *player) {
  player->device->is_kill_expected = 1;
  return device_kill_at(player->words[1]) ? OK : without_control(player);
}

/* Waits until the wallet has passed the point once more than at the last wait for it. */
static enum result reached(struct player *player) {
  /* Static: it counts in this run of the app, which is a process of its own. */
  static struct {
    char point[48];
    int64_t passes;
  } seen[8], *last;
  for (last = seen; last->point[0] != 0 && strcmp(last->point, player->words[1]) != 0;) {
    if (++last == seen + sizeof seen / sizeof *seen) {
      return fail(player, "too many different points to wait for");
    }
  }
  snprintf(last->point, sizeof last->point, "%s", player->words[1]);
  const int64_t deadline = app_now() + SCRIPT_PATIENCE_MS;
  for (;;) {
    const int64_t passes = device_passes(player->words[1]);
    if (passes < 0) {
      return without_control(player);
    }
    if (passes > last->passes) {
      last->passes = passes;
      return OK;
    }
    if (app_now() > deadline || take(player, 20) == APP_FAILED) {
      return fail(player, "not in time");
    }
  }
}

/* --- queries outside the flows ----------------------------------------------------------------------- */

typedef wallet_core_status query(int32_t *answer, wallet_core_error **error);

/* Waits until the library answers 1 if the line's word is `yes`, else 0. */
static enum result await_answer(struct player *player, query *query_wallet, const char *yes) {
  const int32_t wanted = strcmp(player->words[1], yes) == 0;
  const int64_t deadline = app_now() + SCRIPT_PATIENCE_MS;
  for (;;) {
    int32_t found = 0;
    wallet_core_status status = query_wallet(&found, NULL);
    if (status != WALLET_CORE_OK || found == wanted) {
      return check_status(player, status, "OK");
    }
    if (app_now() > deadline || take(player, 20) == APP_FAILED) {
      return fail(player, "not in time");
    }
  }
}

static enum result locked(struct player *player) {
  return await_answer(player, wallet_core_is_locked, "yes");
}

static enum result registered(struct player *player) {
  return await_answer(player, wallet_core_has_registration, "yes");
}

static enum result biometric_unlock(struct player *player) {
  return await_answer(player, wallet_core_is_biometric_unlock_enabled, "on");
}

/* Waits until the library gives the app's version this grade. */
static enum result version(struct player *player) {
  static const char *const grades[] = {
      [WALLET_CORE_GRADE_OK] = "ok",
      [WALLET_CORE_GRADE_RECOMMEND] = "recommend",
      [WALLET_CORE_GRADE_WARN] = "warn",
      [WALLET_CORE_GRADE_BLOCK] = "block",
  };
  const int wanted = value_of(player->words[1], grades, sizeof grades / sizeof *grades);
  if (wanted < 0) {
    return fail(player, "expected ok, recommend, warn or block");
  }
  const int64_t deadline = app_now() + SCRIPT_PATIENCE_MS;
  while (player->app.version_grade != wanted) {
    if (app_now() > deadline || take(player, 20) == APP_FAILED) {
      return fail(player, "not in time");
    }
  }
  return OK;
}

const struct instruction phone_instructions[] = {
    {"platform", 1, 1, platform, 0},
    {"biometrics", 1, 1, biometrics, 0},
    {"camera", 1, 1, camera, 0},
    {"device", 1, 1, device_lock, 0},
    {"keys", 1, 1, keys, 0},
    {"storage", 1, 2, storage, 0},
    {"network", 1, 2, network, 0},
    {"provider", 1, SCRIPT_WORDS, provider, 0},
    {"clock", 1, 1, clock_passes, 0},
    {"calendar", 1, 1, calendar, 0},
    {"kill-at", 1, 1, kill_at, 0},
    {"reached", 1, 1, reached, 1},
    {"finger", 1, 2, finger, 1},
    {"prompt", 1, 1, prompt, 1},
    {"locked", 1, 1, locked, 1},
    {"registered", 1, 1, registered, 1},
    {"biometric-unlock", 1, 1, biometric_unlock, 1},
    {"version", 1, 1, version, 1},
    {0},
};
