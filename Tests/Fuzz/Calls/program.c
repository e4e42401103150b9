#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const place_words[PLACES] = {"t0", "t1", "t2", "t3", "event", "bridge"};

static const char *const function_words[FUNCTIONS] = {
#define AS_WORD(name, word) word,
    PROGRAM_FUNCTIONS(AS_WORD)
#undef AS_WORD
};

static int place_in(const char *word, const char *const *words, int count) {
  for (int i = 0; word != NULL && i < count; i++) {
    if (strcmp(word, words[i]) == 0) return i;
  }
  return -1;
}

static void read_numbers(char **rest, uint8_t *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const char *word = strtok_r(NULL, " ", rest);
    numbers[i] = word != NULL ? (uint8_t)strtoul(word, NULL, 10) : 0;
  }
}

static void read_line(struct program *program, char *line) {
  char *rest = NULL;
  const char *word = strtok_r(line, " ", &rest);
  if (word != NULL && strcmp(word, "world") == 0) {
    read_numbers(&rest, program->world, WORLD_WORDS);
    return;
  }
  struct operation operation = {0};
  if (word != NULL && strcmp(word, "then") == 0) {
    operation.is_ordered = 1;
    word = strtok_r(NULL, " ", &rest);
  }
  int place = place_in(word, place_words, PLACES);
  int function = place_in(strtok_r(NULL, " ", &rest), function_words, FUNCTIONS);
  if (place < 0 || function < 0 || program->count == PROGRAM_OPERATIONS) return;
  operation.place = (uint8_t)place;
  operation.function = (uint8_t)function;
  read_numbers(&rest, operation.arguments, PROGRAM_ARGUMENTS);
  program->operations[program->count++] = operation;
}

void program_read(struct program *program, const uint8_t *bytes, size_t length) {
  char text[PROGRAM_TEXT + 1], *rest = NULL;
  memset(program, 0, sizeof *program);
  if (length > PROGRAM_TEXT) length = PROGRAM_TEXT;
  for (size_t i = 0; i < length; i++) text[i] = bytes[i] != 0 ? (char)bytes[i] : '\n';
  text[length] = 0;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    read_line(program, line);
  }
}

size_t program_write(const struct program *program, char *text, size_t size) {
  const uint8_t *world = program->world;
  int length = snprintf(text, size, "world %u %u %u %u\n", world[0], world[1], world[2], world[3]);
  for (size_t i = 0; i < program->count && length > 0 && (size_t)length < size; i++) {
    const struct operation *operation = &program->operations[i];
    const uint8_t *numbers = operation->arguments;
    length += snprintf(
        text + length, size - (size_t)length, "%s%s %s %u %u %u %u\n",
        operation->is_ordered ? "then " : "", place_words[operation->place],
        function_words[operation->function], numbers[0], numbers[1], numbers[2], numbers[3]);
  }
  return length > 0 && (size_t)length < size ? (size_t)length : 0;
}
