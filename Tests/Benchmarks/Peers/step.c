#include "step.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

enum { CASES = 3, TRAIL = 16 };

struct row {
  const char *use_case, *number, *name, *title, *message;
  struct {
    const char *action, *label, *next;
  } cases[CASES];
};

/* A part of the introduction and what is around it, as the library shows it. */
static const struct row rows[] = {
    {"UC1.1", "1.1", "splash", "Wallet", "", {{"over", "", "1.2"}}},
    {"UC1.1", "1.2", "start", "Wallet", "", {{"first", "", "1.3"}, {"again", "", "1.8"}}},
    {"UC1.2",
     "1.3",
     "introduction-1",
     "Your wallet",
     "Keep proof of who you are on your own phone.",
     {{"next", "Next", "1.4"}, {"skip", "Skip", "1.6"}}},
    {"UC1.2",
     "1.4",
     "introduction-2",
     "You decide",
     "Nothing is shared before you have seen it and agreed.",
     {{"next", "Next", "1.5"}, {"skip", "Skip", "1.6"}, {"back", "Back", "1.3"}}},
    {"UC1.2",
     "1.5",
     "introduction-3",
     "Safe with a PIN",
     "Six digits that only you know keep others out.",
     {{"next", "Next", "1.6"}, {"back", "Back", "1.4"}}},
    {"UC1.2",
     "1.6",
     "privacy-considerations",
     "Your privacy",
     "What is in your wallet stays on this device.",
     {{"next", "Next", "1.7"}, {"back", "Back", "1.5"}}},
    {"UC2.1",
     "1.7",
     "choose-pin",
     "Choose a PIN",
     "Choose 6 digits that are hard to guess.",
     {{"back", "Back", "1.6"}}},
    {"UC2.3",
     "1.8",
     "open-with-pin",
     "Enter your PIN",
     "",
     {{"forgot-pin", "Forgot the PIN?", "1.7"}}},
};

struct step {
  atomic_int references;
  uint64_t serial;
  char *use_case, *row, *name, *title, *message;
  struct {
    char *action, *label;
  } choices[CASES];
  char *trail;
};

static char *copy(const char *text) {
  size_t length = strlen(text) + 1;
  char *copied = malloc(length);
  if (copied == NULL) {
    measure_fail("no memory");
  }
  return memcpy(copied, text, length);
}

static const struct row *find(const char *number) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(rows[i].number, number) == 0) {
      return &rows[i];
    }
  }
  measure_fail("the table has no such row");
}

struct step *step_after(const char *number, const char *action, uint64_t serial) {
  const struct row *from = find(number), *to = NULL;
  char trail[TRAIL];
  for (int i = 0; i < CASES && from->cases[i].action != NULL && to == NULL; i++) {
    if (strcmp(from->cases[i].action, action) == 0) {
      to = find(from->cases[i].next);
      snprintf(trail, sizeof trail, "%s %s%c", from->use_case, from->number, 'a' + i);
    }
  }
  struct step *step = calloc(1, sizeof *step);
  if (to == NULL || step == NULL) {
    measure_fail("the table has no such case");
  }
  atomic_init(&step->references, 1);
  step->serial = serial;
  step->use_case = copy(to->use_case);
  step->row = copy(to->number);
  step->name = copy(to->name);
  step->title = copy(to->title);
  step->message = copy(to->message);
  for (int i = 0; i < CASES && to->cases[i].action != NULL; i++) {
    step->choices[i].action = copy(to->cases[i].action);
    step->choices[i].label = copy(to->cases[i].label);
  }
  step->trail = copy(trail);
  return step;
}

struct step *step_retain(struct step *step) {
  atomic_fetch_add_explicit(&step->references, 1, memory_order_relaxed);
  return step;
}

void step_release(struct step *step) {
  if (atomic_fetch_sub_explicit(&step->references, 1, memory_order_acq_rel) != 1) {
    return;
  }
  for (int i = 0; i < CASES; i++) {
    free(step->choices[i].action);
    free(step->choices[i].label);
  }
  free(step->use_case);
  free(step->row);
  free(step->name);
  free(step->title);
  free(step->message);
  free(step->trail);
  free(step);
}

uint64_t step_serial(const struct step *step) {
  return step->serial;
}

const char *step_row(const struct step *step) {
  return step->row;
}
