// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "phone.h"

/* With its edges and two lines of help the phone fits a terminal of 80 by 24. */
enum { WIDTH = 56, HEIGHT = 14, BOX_WIDTH = 50, COLUMN = 24 };

static int height;   /* lines of the display that are drawn */
static int is_blank; /* the last one is empty */

/* How many columns of the display so many bytes of UTF-8 take, one for each character. */
static int columns_of(const char *text, int length) {
  int columns = 0;
  for (int i = 0; i < length; i++) {
    columns += ((unsigned char)text[i] & 0xC0) != 0x80;
  }
  return columns;
}

/* How many bytes take at most so many columns. */
static int bytes_of(const char *text, int columns) {
  int length = 0;
  while (text[length] != '\0' && columns_of(text, length + 1) <= columns) {
    length += 1;
  }
  return length;
}

/* One line of the display. */
static void put(const char *format, ...) {
  char text[WIDTH * 4];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const int length = bytes_of(text, WIDTH);
  printf("  | %.*s%*s |\x1b[K\r\n", length, text, WIDTH - columns_of(text, length), "");
  height += 1;
  is_blank = *text == '\0';
}

static void rule(char corner) {
  printf("  %c", corner);
  for (int i = 0; i < WIDTH + 2; i++) {
    putchar('-');
  }
  printf("%c\x1b[K\r\n", corner);
}

/* Words, broken at `width`; in a box where `edge` is "|". */
static void wrap(const char *text, int width, const char *edge) {
  while (*text != '\0') {
    const int length = bytes_of(text, width);
    int shown = length;
    if (text[length] != '\0') {
      for (; shown > 0 && text[shown] != ' '; shown--) {
      }
      shown = shown > 0 ? shown : length;
    }
    put("%s%s%.*s%*s%s%s", edge, *edge ? " " : "", shown, text, width - columns_of(text, shown), "",
        *edge ? " " : "", edge);
    text += shown;
    text += strspn(text, " ");
  }
}

static void box_edge(void) {
  put("+%.*s+", BOX_WIDTH - 2, "------------------------------------------------------------");
}

static void box(const char *text) {
  if (*text == '\0') {
    put("|%*s|", BOX_WIDTH - 2, "");
  } else {
    wrap(text, BOX_WIDTH - 4, "|");
  }
}

/* Either a line of the screen or one of the box that stands over it. */
static void line(int is_box, const char *format, ...) {
  char text[WIDTH * 4];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (is_box) {
    box(text);
  } else {
    put("%s", text);
  }
}

/* An empty line, but never two of them. */
static void gap(int is_box) {
  if (!is_blank) {
    line(is_box, "");
    is_blank = 1;
  }
}

/* "2:05", with what it is that ends then. */
static void count_down(const struct app *app, const char *argument, const char *what, int is_box) {
  int64_t left = app_time_left(app, argument);
  if (left >= 0) {
    int64_t seconds = (left + 999) / 1000;
    line(is_box, "%s %d:%02d", what, (int)(seconds / 60), (int)(seconds % 60));
  }
}

/* The arguments that the English message does not say by itself. */
static void arguments(const struct app *app, int is_box) {
  static const char *const texts[] = {"app_version", "core_version", "configuration_version"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *text = wallet_core_event_step_text(app->step, texts[i]);
    int64_t number = 0;
    if (*text != '\0') {
      line(is_box, "%-22s %s", texts[i], text);
    } else if (wallet_core_event_step_number(app->step, texts[i], &number)) {
      line(is_box, "%-22s %lld", texts[i], (long long)number);
    }
  }
  int64_t has_pid = 0, has_biometrics = 0;
  if (wallet_core_event_step_number(app->step, "has_pid", &has_pid)) {
    line(is_box, has_pid ? "[#] PID" : "No cards yet.");
  }
  if (wallet_core_event_step_number(app->step, "is_biometric_unlock_enabled", &has_biometrics)) {
    line(is_box, "Biometric unlock is %s.", has_biometrics ? "on" : "off");
  }
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

char screen_key(const struct app *app, size_t index) {
  char key = 'a';
  for (size_t i = 0; i < wallet_core_event_step_action_count(app->step); i++) {
    const int is_typed = strcmp(wallet_core_event_step_action(app->step, i), "enter") == 0;
    if (i == index) {
      return is_typed ? 0 : key;
    }
    key = (char)(key + !is_typed);
  }
  return 0;
}

/* In two columns, so that eight fit. */
static void actions(const struct app *app, int is_box) {
  const size_t count = wallet_core_event_step_action_count(app->step);
  char text[4 * WIDTH] = "";
  int shown = 0;
  for (size_t i = 0; i < count; i++) {
    const char *label = wallet_core_event_step_action_label(app->step, i);
    const char key = screen_key(app, i);
    const size_t length = strlen(text);
    if (key != 0) {
      shown += 1;
      snprintf(text + length, sizeof text - length, "[%c] %-*s ", key, COLUMN - 5, label);
    }
    if (shown > 0 && (shown % 2 == 0 || i + 1 == count)) {
      text[strlen(text) - 1] = '\0';
      line(is_box, "%s", text);
      *text = '\0';
      shown = 0;
    }
  }
}

/* The answer to a request for cards: on the screen that asked for it. */
static void cards(const struct app *app) {
  char lines[CARD_LINES][CARD_LINE_BYTES];
  const int count = card_lines(app->answer, 0, lines);
  for (int i = 0; i < count; i++) {
    put("%s", lines[i]);
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
  if (*message != '\0' && is_box) {
    box(message);
  } else {
    wrap(message, WIDTH, "");
  }
  gap(is_box);
  arguments(app, is_box);
  cards(app);
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
    put("! %s", wallet_core_event_step_notice(step_event, i));
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

void screen_draw(const struct app *app, const struct device *device, const struct view *view) {
  printf("\x1b[H");
  rule('.');
  put("%-28s%28s", device->platform == WALLET_CORE_PLATFORM_IOS ? "iOS rules" : "Android rules",
      device->is_online ? "online" : "airplane mode");
  rule('|');
  height = 0;
  if (view->home != NULL) {
    home_screen(view->home);
  } else if (app->step != NULL) {
    app_screen(app, view);
  }
  if (view->question != NULL) {
    const size_t length = strlen(view->typed), seen = WIDTH - 4;
    gap(0);
    put("%s", view->question);
    put("> %s_", view->typed + (length > seen ? length - seen : 0));
  }
  while (height < HEIGHT) {
    put("");
  }
  put("%s", view->toast != NULL ? view->toast : "");
  rule('|');
  put("%-9s %-6s%-31s%9s", wallet_core_event_step_use_case(app->step),
      wallet_core_event_step_row(app->step), wallet_core_event_step_name(app->step),
      app->is_locked ? "locked" : "unlocked");
  rule('\'');
  printf(
      "   H home button   K kill the app   E engine restart   Q off\x1b[K\r\n"
      "   L open a link   A airplane mode  T let time pass\x1b[J");
  fflush(stdout);
}
