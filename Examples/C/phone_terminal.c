// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "phone.h"
#include "phone_camera.h"
#include "phone_input.h"

enum { TEXT_BYTES = 2048, CONTROL_C = 3, ESCAPE = 27, DELETE = 127, BACKSPACE = 8 };

struct phone {
  struct app app;
  struct device *device;
  struct view view;
  struct pictures pictures;
  char pin[WALLET_CORE_PIN_LENGTH + 1]; /* the digits typed so far */
  char text[TEXT_BYTES];                /* the answer to a question typed so far, for `take` */
  void (*take)(struct phone *phone, const char *text);
};

static int wakeup_pipe[2] = {-1, -1};

/* Called on a thread of the library when an event is ready: wakes the main loop. */
static void wake_up(void *context) {
  (void)context;
  (void)!write(wakeup_pipe[1], "", 1);
}

static int open_wakeup_pipe(void) {
  if (pipe(wakeup_pipe) != 0) {
    return -1;
  }
  for (int i = 0; i < 2; i++) {
    fcntl(wakeup_pipe[i], F_SETFL, O_NONBLOCK);
    fcntl(wakeup_pipe[i], F_SETFD, FD_CLOEXEC);
  }
  return 0;
}

static int listen_to(const struct app *app) {
  wallet_core_status status = wallet_core_set_wakeup(app->client, wake_up, NULL, NULL, NULL, NULL);
  return status == WALLET_CORE_OK ? 0 : -1;
}

static void forget_pin(struct phone *phone) {
  wallet_core_memzero(phone->pin, sizeof phone->pin);
  phone->view.pin_length = 0;
}

/* Reads the cards or the history, if the step shows them. No step of a locked wallet does. */
static void read_what_is_shown(struct phone *phone) {
  if (strcmp(wallet_core_event_step_name(phone->app.step), "card-details") == 0) {
    (void)app_read_cards(&phone->app);
  } else if (activity_is_shown(phone->app.step)) {
    (void)app_read_activities(&phone->app);
  }
}

/* Takes all events that are ready. Returns 0 if the library gives no more. */
static int drain(struct phone *phone) {
  char wakeups[64];
  while (read(wakeup_pipe[0], wakeups, sizeof wakeups) > 0) {
  }
  for (;;) {
    switch (app_take(&phone->app, 0)) {
      case APP_NOTHING:
        return 1;
      case APP_FAILED:
        return 0;
      case APP_STEP: /* typed digits, a card and the history belong to the step before */
        forget_pin(phone);
        app_forget_answer(&phone->app);
        read_what_is_shown(phone);
        if (wallet_core_event_step_kind(phone->app.step) == WALLET_CORE_STEP_END) {
          phone->view.home = "The app has closed itself.";
        }
        break;
      case APP_CARDS:
        read_what_is_shown(phone);
        break;
      case APP_ANSWER: /* kept in the app, drawn from there */
      case APP_OTHER:
        break;
    }
  }
}

/* --- what the user does in the app -------------------------------------------------------------- */

/* Shows a picture to the camera. A text that names no picture is scanned as the content of a QR code. */
static void scanned(struct phone *phone, const char *text) {
  char path[DEVICE_PATH_BYTES];
  wallet_core_status status;
  if (*text == '\0') {
    return;
  }
  if (pictures_choose(&phone->pictures, text, path)) {
    static struct camera camera; /* static: its message stays on the screen */
    const enum camera_outcome outcome = camera_take(&phone->app, path, &camera);
    phone->view.toast = outcome == CAMERA_FAILED  ? pictures_message(path, camera.message)
                        : *camera.message != '\0' ? camera.message
                                                  : NULL;
    status = camera.status;
  } else {
    status = app_scanned(&phone->app, WALLET_CORE_SYMBOLOGY_QR_CODE, text, strlen(text));
  }
  if (status != WALLET_CORE_OK) {
    phone->view.toast = wallet_core_status_name(status);
  }
}

static void ask(
    struct phone *phone, const char *question,
    void (*take)(struct phone *phone, const char *text)) {
  phone->text[0] = '\0';
  phone->take = take;
  phone->view.typed = phone->text;
  phone->view.question = question;
  phone->view.asks_for_picture = 0;
}

static void ask_for_picture(struct phone *phone) {
  ask(phone, "Which picture do you show to the camera?", scanned);
  pictures_find(&phone->pictures); /* again: there may be new ones */
  phone->view.asks_for_picture = 1;
}

static void picked(struct phone *phone, const char *text) {
  const long number = strtol(text, NULL, 10);
  if (number < 1) {
    return;
  }
  wallet_core_status status = app_choose_option(&phone->app, (size_t)number - 1);
  phone->view.toast = status == WALLET_CORE_OK ? NULL : wallet_core_status_name(status);
}

/* The flow does not know which activity the user taps: the app keeps it. */
static void picked_activity(struct phone *phone, const char *text) {
  const long number = strtol(text, NULL, 10);
  if (number < 1 || (size_t)number > wallet_core_event_activity_count(phone->app.answer)) {
    return;
  }
  phone->view.activity = (size_t)number - 1;
  (void)app_choose(&phone->app, "activity", NULL);
}

static void choose(struct phone *phone, char key) {
  for (size_t i = 0; i < wallet_core_event_step_action_count(phone->app.step); i++) {
    if (screen_key(&phone->app, i) != key) {
      continue;
    }
    const char *action = wallet_core_event_step_action(phone->app.step, i);
    if (strcmp(action, "scanned") == 0) {
      ask_for_picture(phone);
      return;
    }
    if (strcmp(action, "choose") == 0) {
      ask(phone, "The number of which one?", picked);
      return;
    }
    if (strcmp(action, "activity") == 0) {
      if (activity_is_shown(phone->app.step)) {
        ask(phone, "The number of which one?", picked_activity);
        return;
      }
      phone->view.activity = 0; /* what has just been shared is the newest */
    }
    phone->view.toast = screen_work_of_host(action);
    wallet_core_status status = app_choose(&phone->app, action, NULL);
    if (status != WALLET_CORE_OK) {
      phone->view.toast = wallet_core_status_name(status);
    }
    return;
  }
}

static void type_pin(struct phone *phone, char key) {
  if (key == DELETE || key == BACKSPACE) {
    if (phone->view.pin_length > 0) {
      phone->pin[--phone->view.pin_length] = '\0';
    }
    return;
  }
  phone->pin[phone->view.pin_length++] = key;
  if (phone->view.pin_length == WALLET_CORE_PIN_LENGTH) {
    wallet_core_status status = app_choose(&phone->app, "enter", phone->pin);
    phone->view.toast = status == WALLET_CORE_OK ? NULL : wallet_core_status_name(status);
    forget_pin(phone);
  }
}

static void type_text(struct phone *phone, char key) {
  const size_t length = strlen(phone->text);
  if (key == '\r' || key == '\n') {
    phone->view.question = NULL;
    phone->take(phone, phone->text);
  } else if (key == ESCAPE) {
    phone->view.question = NULL;
  } else if ((key == DELETE || key == BACKSPACE) && length > 0) {
    phone->text[length - 1] = '\0';
  } else if (isprint((unsigned char)key) && length + 1 < sizeof phone->text) {
    phone->text[length] = key;
    phone->text[length + 1] = '\0';
  }
}

static int touch_sensor(char key) {
  static const struct {
    char key;
    const char *word;
  } touches[] = {
      {'r', "recognised"},  {'n', "not-recognised"},         {'x', "cancelled"},
      {'l', "locked-out"},  {'p', "locked-out-permanently"}, {'e', "invalidated"},
      {'u', "unavailable"},
  };
  for (size_t i = 0; i < sizeof touches / sizeof *touches; i++) {
    if (touches[i].key == key) {
      return device_finger(touches[i].word, 1);
    }
  }
  return 0;
}

/* --- what happens around the app ---------------------------------------------------------------- */

static void open_app(struct phone *phone, const char *link) {
  const int is_closed = wallet_core_event_step_kind(phone->app.step) == WALLET_CORE_STEP_END ||
                        phone->app.step == NULL;
  if (phone->view.home != NULL && !is_closed) {
    app_tell(WALLET_CORE_LIFECYCLE_FOREGROUND);
  }
  phone->view.home = NULL;
  if (is_closed || link != NULL) {
    app_open(
        &phone->app, is_closed ? WALLET_CORE_STARTUP_LAUNCH : WALLET_CORE_STARTUP_RESUME, link);
  }
}

static void pass_time(struct phone *phone, const char *typed) {
  const long long seconds = strtoll(typed, NULL, 10), most = 366LL * 24 * 60 * 60;
  if (seconds < -most || seconds > most) {
    phone->view.toast = "The clock moves by at most a year at once.";
  } else if (!device_move_clock(phone->device, seconds * 1000)) {
    phone->view.toast = "Only a build for tests has a clock that can be moved.";
  }
}

static void press_home(struct phone *phone) {
  if (phone->view.home != NULL) {
    open_app(phone, NULL);
  } else {
    app_tell(WALLET_CORE_LIFECYCLE_BACKGROUND);
    forget_pin(phone);
    phone->view.home = "The app is in the background.";
  }
}

static void switch_airplane_mode(struct phone *phone) {
  const char *wanted = phone->device->is_online ? "no-internet" : "ok";
  if (!device_network(phone->device, wanted, -1) && !phone->device->is_online) {
    phone->view.toast = "The wallet is told that it is offline; the connection itself stays.";
  }
}

/* Kills this process as the system would; its parent starts the app again. */
static void kill_app(struct phone *phone) {
  phone->device->is_kill_expected = 1;
  raise(SIGKILL);
}

/* Lets a new engine take over, as after one that died without detaching. Returns 0 if it does not
   start. */
static int restart_engine(struct phone *phone) {
  if (app_rebind(&phone->app) != 0 || listen_to(&phone->app) != 0) {
    return 0;
  }
  app_open(&phone->app, WALLET_CORE_STARTUP_RESUME, NULL);
  phone->view.toast = "A new engine has taken over.";
  return 1;
}

static void press_in_app(struct phone *phone, char key) {
  const int is_pin = wallet_core_event_step_input(phone->app.step) == WALLET_CORE_INPUT_PIN &&
                     (isdigit((unsigned char)key) || key == DELETE || key == BACKSPACE);
  if (phone->view.home != NULL || touch_sensor(key)) {
    return;
  }
  if (is_pin) {
    type_pin(phone, key);
  } else {
    choose(phone, key);
  }
}

/* Returns 0 if the key switches the phone off. */
static int press(struct phone *phone, char key) {
  phone->view.toast = NULL;
  switch (key) {
    case 'Q':
    case CONTROL_C:
      return 0;
    case 'K':
      kill_app(phone);
      break;
    case 'E':
      return restart_engine(phone);
    case 'H':
      press_home(phone);
      break;
    case 'L':
      ask(phone, "Which link?", open_app);
      break;
    case 'T':
      ask(phone, "How many seconds pass?", pass_time);
      break;
    case 'A':
      switch_airplane_mode(phone);
      break;
    default:
      press_in_app(phone, key);
  }
  return 1;
}

/* Reports user activity to the library; once a second is enough. */
static void note_activity(const struct phone *phone) {
  static int64_t last;
  if (phone->view.home == NULL && app_now() - last >= 1000) {
    last = app_now();
    app_tell(WALLET_CORE_LIFECYCLE_USER_ACTIVITY);
  }
}

/* Handles keys until the phone is switched off. Draws ten times a second, for count-downs and the
   spinner. */
static int run(struct phone *phone) {
  for (;;) {
    if (!drain(phone)) {
      return 1;
    }
    screen_draw(&phone->app, phone->device, &phone->view);
    const char key = input_key();
    if (key == 0) {
      struct pollfd inputs[2] = {
          {.fd = STDIN_FILENO, .events = POLLIN}, {.fd = wakeup_pipe[0], .events = POLLIN}};
      if (poll(inputs, 2, 100) < 0 && errno != EINTR) {
        return 1;
      }
      if (inputs[0].revents != 0 && !input_read()) {
        return 1; /* the terminal is gone */
      }
      continue;
    }
    note_activity(phone);
    if (phone->view.question != NULL) {
      type_text(phone, key);
    } else if (!press(phone, key)) {
      return 0;
    }
  }
}

int terminal_play(struct device *device, const char *configuration_path, const char *pictures) {
  static struct phone phone;
  phone.device = device;
  phone.pictures.directory = pictures;
  phone.view.pictures = &phone.pictures;
  device_restore_world(device);
  if (open_wakeup_pipe() != 0 || device_start(device, wake_up, NULL) != 0 ||
      app_start(&phone.app, configuration_path) != 0 || listen_to(&phone.app) != 0) {
    return 1;
  }
  app_open(&phone.app, WALLET_CORE_STARTUP_LAUNCH, NULL);
  int status = run(&phone);
  forget_pin(&phone);
  app_forget_answer(&phone.app);
  wallet_core_event_free(phone.app.step);
  wallet_core_client_detach(phone.app.client, NULL);
  return status;
}
