// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L

#include "phone_display.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = DISPLAY_WIDTH, BOX_WIDTH = DISPLAY_BOX_WIDTH, INDENT = 2 };

static int height;   /* number of lines drawn */
static int is_blank; /* whether the last one is empty */

/* The number of columns that these bytes of UTF-8 take, one for each character. */
static int columns_of(const char *text, int length) {
  int columns = 0;
  for (int i = 0; i < length; i++) {
    columns += ((unsigned char)text[i] & 0xC0) != 0x80;
  }
  return columns;
}

/* The number of bytes that fit into the columns. */
static int bytes_of(const char *text, int columns) {
  int length = 0;
  while (text[length] != '\0' && columns_of(text, length + 1) <= columns) {
    length += 1;
  }
  return length;
}

void put(const char *format, ...) {
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

void rule(char corner) {
  printf("  %c", corner);
  for (int i = 0; i < WIDTH + 2; i++) {
    putchar('-');
  }
  printf("%c\x1b[K\r\n", corner);
}

/* Prints text up to the end of the line, broken at `width` and indented by `indent`; in a box if `edge`
   is "|". */
static void wrap(const char *text, int width, int indent, const char *edge) {
  const char *end = text + strcspn(text, "\n");
  while (text < end) {
    int shown = bytes_of(text, width - indent);
    if (shown >= end - text) {
      shown = (int)(end - text);
    } else {
      const int length = shown;
      for (; shown > 0 && text[shown] != ' '; shown--) {
      }
      shown = shown > 0 ? shown : length;
    }
    put("%s%s%*s%.*s%*s%s%s", edge, *edge ? " " : "", indent, "", shown, text,
        width - indent - columns_of(text, shown), "", *edge ? " " : "", edge);
    text += shown;
    text += strspn(text, " ");
  }
}

/* Prints paragraphs. The second and further lines of one are indented, so that its first is a heading. */
static void wrap_all(const char *text, int width, const char *edge) {
  int is_first = 1; /* line of its paragraph */
  while (*text != '\0') {
    const size_t length = strcspn(text, "\n");
    wrap(text, width, is_first ? 0 : INDENT, edge);
    is_first = length == 0;
    text += length + (text[length] == '\n');
  }
}

void box_edge(void) {
  char dashes[BOX_WIDTH - 1];
  memset(dashes, '-', sizeof dashes - 1);
  dashes[sizeof dashes - 1] = '\0';
  put("+%s+", dashes);
}

void box(const char *text) {
  if (*text == '\0') {
    put("|%*s|", BOX_WIDTH - 2, "");
  } else {
    wrap_all(text, BOX_WIDTH - 4, "|");
  }
}

void line(int is_box, const char *format, ...) {
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

void gap(int is_box) {
  if (!is_blank) {
    line(is_box, "");
    is_blank = 1;
  }
}

void paragraphs(int is_box, const char *text) {
  if (is_box) {
    box(text);
  } else {
    wrap_all(text, WIDTH, "");
  }
}

void display_start(void) {
  height = 0;
  is_blank = 1;
}

void display_end(const char *last) {
  while (height < DISPLAY_HEIGHT) {
    put("");
  }
  put("%s", last);
}
