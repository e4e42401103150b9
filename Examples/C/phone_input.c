// SPDX-License-Identifier: Apache-2.0
/* Reads the keys of the terminal, one by one. */
#include "phone_input.h"

#include <string.h>
#include <unistd.h>
#include <wallet_core.h>

enum { ESCAPE = 27 };

static char waiting[256];
static size_t count, next;

/* Arrows and function keys arrive as sequences, whose letters must not count as keys. Returns the length
   of the sequence that is next, or 0. */
static size_t sequence(void) {
  if (count - next < 2 || waiting[next] != ESCAPE ||
      (waiting[next + 1] != '[' && waiting[next + 1] != 'O')) {
    return 0;
  }
  size_t end = next + 2;
  while (end < count && (waiting[end] < '@' || waiting[end] > '~')) {
    end += 1;
  }
  return (end < count ? end + 1 : end) - next;
}

static void skip_sequences(void) {
  for (size_t length = sequence(); length > 0; length = sequence()) {
    next += length;
  }
}

int input_read(void) {
  const ssize_t length = read(STDIN_FILENO, waiting, sizeof waiting);
  count = length > 0 ? (size_t)length : 0;
  next = 0;
  return length > 0;
}

char input_key(void) {
  skip_sequences();
  if (next == count) {
    return 0;
  }
  const char key = waiting[next];
  wallet_core_memzero(&waiting[next], 1); /* it may be a digit of a PIN */
  next += 1;
  return key;
}
