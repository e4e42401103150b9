// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "phone.h"
#include "phone_display.h"

enum { WIDTH = DISPLAY_WIDTH };

/* The time left, for example "Blocked for 2:05". */
static void count_down(const struct app *app, const char *argument, const char *what, int is_box) {
  int64_t left = app_time_left(app, argument);
  if (left >= 0) {
    int64_t seconds = (left + 999) / 1000;
    line(is_box, "%s %d:%02d", what, (int)(seconds / 60), (int)(seconds % 60));
  }
}

/* How often somebody entered a wrong PIN, and when last. */
static void wrong_pins(const struct app *app, int is_box) {
  int64_t count = 0, last = 0;
  if (!wallet_core_event_step_number(app->step, "failed_attempts", &count) ||
      !wallet_core_event_step_number(app->step, "last_failed_at", &last)) {
    return;
  }
  char when[32] = "";
  time_t seconds = (time_t)last;
  struct tm day;
  if (gmtime_r(&seconds, &day) != NULL) strftime(when, sizeof when, "%Y-%m-%d %H:%M", &day);
  line(is_box, "Wrong PINs: %lld, the last at %s UTC", (long long)count, when);
}

/* The arguments that the English message does not contain. */
static void arguments(const struct app *app, int is_box) {
  static const char *const texts[][2] = {
      {"app_version", "App"},
      {"core_version", "Core"},
      {"configuration_version", "Configuration"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *text = wallet_core_event_step_text(app->step, texts[i][0]);
    int64_t number = 0;
    if (*text != '\0') {
      line(is_box, "%-14s %s", texts[i][1], text);
    } else if (wallet_core_event_step_number(app->step, texts[i][0], &number)) {
      line(is_box, "%-14s %lld", texts[i][1], (long long)number);
    }
  }
  int64_t has_pid = 0, is_expired = 0, has_biometrics = 0;
  wallet_core_event_step_number(app->step, "is_pid_expired", &is_expired);
  if (wallet_core_event_step_number(app->step, "has_pid", &has_pid)) {
    line(
        is_box, !has_pid     ? "No cards yet."
                : is_expired ? "[#] Digital ID, expired"
                             : "[#] Digital ID");
  }
  if (wallet_core_event_step_number(app->step, "is_biometric_unlock_enabled", &has_biometrics)) {
    line(is_box, "Biometric unlock is %s.", has_biometrics ? "on" : "off");
  }
  wrong_pins(app, is_box);
  count_down(app, "blocked_for_ms", "Blocked for", is_box);
  count_down(app, "locks_in_ms", "Locks in", is_box);
}

static void pin_dots(const struct view *view, int is_box) {
  char dots[4 * WALLET_CORE_PIN_LENGTH + 1] = "";
  for (int i = 0; i < WALLET_CORE_PIN_LENGTH; i++) {
    strcat(dots, i < view->pin_length ? " (*)" : " ( )");
  }
  line(is_box, "            %s", dots);
}

/* The actions, in two or three columns as the longest label allows. */
static void actions(const struct app *app, int is_box) {
  const size_t count = wallet_core_event_step_action_count(app->step);
  const int width = is_box ? DISPLAY_BOX_WIDTH - 4 : WIDTH;
  int longest = 0;
  for (size_t i = 0; i < count; i++) {
    const int length = (int)strlen(screen_label(app, i));
    longest = screen_key(app, i) != 0 && length > longest ? length : longest;
  }
  const int columns = longest + 5 <= width / 3 ? 3 : 2;
  char text[4 * WIDTH] = "";
  int shown = 0;
  for (size_t i = 0; i < count; i++) {
    const char key = screen_key(app, i);
    const size_t length = strlen(text);
    if (key != 0) {
      shown += 1;
      snprintf(
          text + length, sizeof text - length, "[%c] %-*s ", key, width / columns - 5,
          screen_label(app, i));
    }
    if (shown > 0 && (shown % columns == 0 || i + 1 == count)) {
      text[strlen(text) - 1] = '\0';
      line(is_box, "%s", text);
      *text = '\0';
      shown = 0;
    }
  }
}

/* All cards with their claims, on the screen that requested them. They share the lines. */
static void cards(const struct app *app) {
  char lines[CARD_LINES][CARD_LINE_BYTES];
  int left = CARD_LINES;
  const size_t all = wallet_core_event_card_count(app->answer);
  for (size_t card = 0; card < all; card++) {
    const int share = left / (int)(all - card);
    const int count = card_lines(app->answer, card, share > 0 ? share : 1, lines);
    for (int i = 0; i < count; i++) {
      put("%s", lines[i]);
    }
    left -= count < left ? count : left;
  }
  wallet_core_memzero(lines, sizeof lines);
}

static void step(const struct app *app, const struct view *view, int is_box) {
  const wallet_core_event *step = app->step;
  line(is_box, "%s", wallet_core_event_step_title(step));
  gap(is_box);
  if (wallet_core_event_step_kind(step) == WALLET_CORE_STEP_HAND_OFF) {
    line(is_box, "(Here the app shows a screen of its own.)");
  }
  const char *message = wallet_core_event_step_message(step);
  if (*message != '\0') {
    paragraphs(is_box, message);
  }
  gap(is_box);
  arguments(app, is_box);
  request_lines(step, is_box);
  cards(app);
  activity_lines(step, app->answer, view->activity);
  if (wallet_core_event_step_kind(step) == WALLET_CORE_STEP_PROGRESS) {
    line(is_box, "            %c working", "|/-\\"[app_now() / 125 % 4]);
  }
  if (wallet_core_event_step_input(step) == WALLET_CORE_INPUT_PIN) {
    pin_dots(view, is_box);
  }
  gap(is_box);
  actions(app, is_box);
}

static void fingerprint_prompt(int is_new) {
  box_edge();
  box(is_new ? "The system: touch the sensor to confirm" : "The system: touch the sensor");
  box("[r] recognised      [n] not recognised");
  box("[l] locked out      [p] locked out for good");
  box("[e] fingers changed [u] unavailable");
  box("[x] close the prompt");
  box_edge();
}

static void app_screen(const struct app *app, const struct view *view) {
  const wallet_core_event *step_event = app->step;
  for (size_t i = 0; i < wallet_core_event_step_notice_count(step_event); i++) {
    put("! %s", screen_notice(wallet_core_event_step_notice(step_event, i)));
  }
  int is_new = 0;
  const int is_prompt = wallet_core_event_step_kind(step_event) == WALLET_CORE_STEP_PROMPT;
  if (is_prompt && *wallet_core_event_step_beneath(step_event) != '\0') {
    put("( %s )", wallet_core_event_step_beneath(step_event));
  }
  if (is_prompt) {
    box_edge();
  }
  step(app, view, is_prompt);
  if (is_prompt) {
    box_edge();
  }
  if (device_prompt(&is_new)) {
    gap(0);
    fingerprint_prompt(is_new);
  }
}

static void home_screen(const char *why) {
  put("");
  put("     .--------.");
  put("     | wallet |   press H to open it");
  put("     '--------'");
  put("");
  put("%s", why);
}

/* The pictures with their numbers, and what else can be typed. */
static void picture_list(const struct pictures *pictures) {
  for (int i = 0; i < pictures->count; i++) {
    put("  %d  %s", i + 1, pictures->names[i]);
  }
  if (pictures->more > 0) {
    put("  and %d more", pictures->more);
  }
  if (pictures->count == 0) {
    put("There are no pictures. Start this phone with --applicant to get an");
    put("account and the pictures that belong to it.");
  }
  put("");
  put("Type %sthe path of a picture (.png), or",
      pictures->count > 0 ? "its number, its name, " : "");
  put("the content of a QR code. Escape goes back.");
}

static void question(const struct view *view) {
  const size_t length = strlen(view->typed), seen = WIDTH - 4;
  gap(0);
  put("%s", view->question);
  if (view->asks_for_picture) {
    picture_list(view->pictures);
  }
  put("> %s_", view->typed + (length > seen ? length - seen : 0));
}

void screen_draw(const struct app *app, const struct device *device, const struct view *view) {
  printf("\x1b[H");
  rule('.');
  put("%-36s%36s", device->platform == WALLET_CORE_PLATFORM_IOS ? "iOS rules" : "Android rules",
      device->is_online ? "online" : "airplane mode");
  rule('|');
  display_start();
  if (view->home != NULL) {
    home_screen(view->home);
  } else if (app->step != NULL && (view->question == NULL || !view->asks_for_picture)) {
    app_screen(app, view);
  }
  if (view->question != NULL) {
    question(view);
  }
  display_end(view->toast != NULL ? view->toast : "");
  rule('|');
  put("%-9s %-6s%-47s%9s", wallet_core_event_step_use_case(app->step),
      wallet_core_event_step_row(app->step), wallet_core_event_step_name(app->step),
      app->is_locked ? "locked" : "unlocked");
  rule('\'');
  printf(
      "   H home button   K kill the app   E engine restart   Q off\x1b[K\r\n"
      "   L open a link   A airplane mode  T let time pass\x1b[K");
  if (view->pictures->directory != NULL) {
    printf("\r\n   For the camera, at \"Show a picture\": %.38s\x1b[K", view->pictures->directory);
  }
  printf("\x1b[J");
  fflush(stdout);
}
