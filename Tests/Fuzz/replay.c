/*
 * Runs programs of calls without a fuzzer: those in files, then CHANGED random mutations of them, of which every
 * fifth one has a real provider.
 *
 *     replay CURRENT_FILE CHANGED SEED FILE...
 *
 * CURRENT_FILE has the running program: if the process ends early, the one that broke a promise.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Calls/checks.h"
#include "Calls/mutate.h"
#include "Calls/run.h"
#include "Calls/world.h"

enum { POOL = 256 };

static struct program pool[POOL];

static int read_program(const char *path, struct program *program) {
  static uint8_t bytes[PROGRAM_TEXT];
  FILE *file = fopen(path, "rb");
  if (file == NULL) return 0;
  size_t length = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  program_read(program, bytes, length);
  return 1;
}

static void run_noted(const char *path, const struct program *program) {
  char text[PROGRAM_TEXT];
  size_t length = program_write(program, text, sizeof text);
  FILE *file = fopen(path, "wb");
  if (file != NULL) {
    fwrite(text, 1, length, file);
    fclose(file);
  }
  run(program);
}

int main(int count, char **arguments) {
  if (count < 5) return 2;
  const long changed = strtol(arguments[2], NULL, 10);
  struct chance chance = {strtoull(arguments[3], NULL, 10)};
  int programs = 0;
  world_open();
  for (int i = 4; i < count && programs < POOL; i++) {
    if (!read_program(arguments[i], &pool[programs])) {
      perror(arguments[i]);
      return 2;
    }
    run_noted(arguments[1], &pool[programs++]);
  }
  for (long i = 0; i < changed; i++) {
    struct program program = pool[i % programs];
    if (i % 3 == 0) mutate_join(&program, &pool[(i / 3 + i) % programs], &chance);
    mutate(&program, &chance);
    mutate(&program, &chance);
    program.world[WORLD_PROVIDER] = i % 5 == 4;
    run_noted(arguments[1], &program);
  }
  remove(arguments[1]);
  check_report();
  printf("%d programs and %ld changed ones ran\n", programs, changed);
  return 0;
}
