/* The entry points of libFuzzer: a program for each input, with custom mutations. */

#include <string.h>

#include "mutate.h"
#include "run.h"
#include "world.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t longest, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(
    const uint8_t *one, size_t one_length, const uint8_t *other, size_t other_length,
    uint8_t *bytes, size_t longest, unsigned seed);

int LLVMFuzzerInitialize(int *count, char ***arguments) {
  (void)count;
  (void)arguments;
  world_open();
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
  struct program program;
  program_read(&program, bytes, length);
  run(&program);
  return 0;
}

/* Writes the program, without its last operations if it does not fit. */
static size_t written(struct program *program, uint8_t *bytes, size_t longest) {
  char text[PROGRAM_TEXT];
  size_t length = program_write(program, text, longest < sizeof text ? longest : sizeof text);
  while (length == 0 && program->count > 0) {
    program->count /= 2;
    length = program_write(program, text, longest < sizeof text ? longest : sizeof text);
  }
  memcpy(bytes, text, length);
  return length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t longest, unsigned seed) {
  struct program program;
  struct chance chance = {seed};
  program_read(&program, bytes, length);
  mutate(&program, &chance);
  return written(&program, bytes, longest);
}

size_t LLVMFuzzerCustomCrossOver(
    const uint8_t *one, size_t one_length, const uint8_t *other, size_t other_length,
    uint8_t *bytes, size_t longest, unsigned seed) {
  struct program program, second;
  struct chance chance = {seed};
  program_read(&program, one, one_length);
  program_read(&second, other, other_length);
  mutate_join(&program, &second, &chance);
  return written(&program, bytes, longest);
}
