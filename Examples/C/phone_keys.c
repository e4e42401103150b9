// SPDX-License-Identifier: Apache-2.0
/* The letters that choose actions, and the labels of actions and notices. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "phone.h"

enum { ACTIONS = 16 };

/* These have the same letter on every screen. */
static const struct {
  const char *action;
  char key;
} fixed_keys[] = {{"next", 'n'}, {"back", 'b'}, {"help", 'h'}, {"cancel", 'c'}, {"close", 'c'}};

const char *screen_label(const struct app *app, size_t index) {
  /* The camera gives this answer; the user only shows it a picture. */
  if (strcmp(wallet_core_event_step_action(app->step, index), "scanned") == 0) {
    return "Show a picture";
  }
  return wallet_core_event_step_action_label(app->step, index);
}

/* Digits choose "enter", and the camera chooses "unreadable". */
static int is_chosen_by_key(const char *action) {
  return strcmp(action, "enter") != 0 && strcmp(action, "unreadable") != 0;
}

static char fixed_key(const char *action) {
  for (size_t i = 0; i < sizeof fixed_keys / sizeof *fixed_keys; i++) {
    if (strcmp(fixed_keys[i].action, action) == 0) {
      return fixed_keys[i].key;
    }
  }
  return 0;
}

/* The first free letter of the label, or else of the alphabet. */
static char free_key(const char *label, const char *taken) {
  static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz";
  for (const char *letter = label; *letter != '\0'; letter++) {
    const char key = (char)tolower((unsigned char)*letter);
    if (strchr(alphabet, key) != NULL && strchr(taken, key) == NULL) {
      return key;
    }
  }
  return alphabet[strspn(alphabet, taken)];
}

char screen_key(const struct app *app, size_t index) {
  const size_t count = wallet_core_event_step_action_count(app->step);
  char keys[ACTIONS] = "";
  /* "n" and "b" are kept for Next and Back, even on a screen that has neither. */
  char taken[ACTIONS + 3] = "nb";
  for (size_t i = 0; i < count && i < ACTIONS; i++) {
    const char key = fixed_key(wallet_core_event_step_action(app->step, i));
    if (key != 0 && (strchr(taken, key) == NULL || key == 'n' || key == 'b')) {
      keys[i] = key;
      taken[strlen(taken)] = key;
    }
  }
  for (size_t i = 0; i < count && i < ACTIONS; i++) {
    if (keys[i] == 0 && is_chosen_by_key(wallet_core_event_step_action(app->step, i))) {
      keys[i] = free_key(screen_label(app, i), taken);
      taken[strlen(taken)] = keys[i];
    }
  }
  return index < ACTIONS ? keys[index] : 0;
}

/* The host carries out some actions itself; the step stays. */
const char *screen_work_of_host(const char *action) {
  static const char *const works[][2] = {
      {"store", "Here the app opens the store."},
      {"website", "Here the app opens the website."},
      {"privacy-policy", "Here the app opens the privacy policy."},
      {"torch", "Here the app lights the torch."},
      {"pause-or-play", "Here the app pauses or plays the animation."},
  };
  for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
    if (strcmp(works[i][0], action) == 0) {
      return works[i][1];
    }
  }
  return NULL;
}

const char *screen_notice(const char *notice) {
  static const char *const words[][2] = {
      {"link-invalid", "The link is not one for this wallet."},
      {"no-wallet", "First set up your wallet; then open the link again."},
      {"no-pid", "First get your digital ID; then open the link again."},
      {"link-kept", "The link is kept until you get your digital ID."},
      {"flow-in-progress", "First finish or stop proving who you are."},
      {"biometrics-unavailable", "Biometrics cannot be used now."},
      {"biometrics-switched-off", "Biometric unlock was switched off: your fingers have changed."},
      {"failed-attempts", "Wrong PINs were entered since you last opened your wallet."},
      {"session-lost", "It took too long, and the code has lapsed."},
      {"replacement-refused", "The other wallet was declined."},
      {"replacement-allowed", "The other wallet can take the place of this one now."},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(words[i][0], notice) == 0) {
      return words[i][1];
    }
  }
  return notice;
}
