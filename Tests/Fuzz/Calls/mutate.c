#include "mutate.h"

#include <string.h>

static uint64_t below(struct chance *chance, uint64_t limit) {
  uint64_t mixed = chance->state += 0x9E3779B97F4A7C15u;
  mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
  return (mixed ^ mixed >> 31) % limit;
}

/* Mostly small numbers, because pools begin with arguments that work. */
static uint8_t number(struct chance *chance) {
  return (uint8_t)below(chance, below(chance, 4) == 0 ? 256 : 8);
}

static struct operation new_operation(struct chance *chance) {
  struct operation operation = {0};
  operation.is_ordered = below(chance, 2) == 0;
  operation.place = (uint8_t)below(chance, PLACES);
  operation.function = (uint8_t)below(chance, FUNCTIONS);
  for (int i = 0; i < PROGRAM_ARGUMENTS; i++) operation.arguments[i] = number(chance);
  return operation;
}

static void insert(struct program *program, size_t place, struct operation operation) {
  if (program->count == PROGRAM_OPERATIONS) return;
  memmove(
      program->operations + place + 1, program->operations + place,
      (program->count - place) * sizeof operation);
  program->operations[place] = operation;
  program->count += 1;
}

static struct operation take(struct program *program, size_t place) {
  struct operation operation = program->operations[place];
  program->count -= 1;
  memmove(
      program->operations + place, program->operations + place + 1,
      (program->count - place) * sizeof operation);
  return operation;
}

static void change_word(struct operation *operation, struct chance *chance) {
  switch (below(chance, 4 + PROGRAM_ARGUMENTS)) {
    case 0:
      operation->is_ordered ^= 1;
      break;
    case 1:
      operation->place = (uint8_t)below(chance, PLACES);
      break;
    case 2:
      operation->function = (uint8_t)below(chance, FUNCTIONS);
      break;
    default:
      operation->arguments[below(chance, PROGRAM_ARGUMENTS)] = number(chance);
  }
}

static void mutate_once(struct program *program, struct chance *chance) {
  size_t place = below(chance, program->count + 1);
  if (place == program->count) {
    if (below(chance, 4) == 0) {
      program->world[below(chance, WORLD_WORDS)] = number(chance);
    } else {
      insert(program, place, new_operation(chance));
    }
    return;
  }
  switch (below(chance, 8)) {
    case 0:
      insert(program, place, new_operation(chance));
      break;
    case 1:
      insert(program, below(chance, program->count + 1), program->operations[place]);
      break;
    case 2:
      (void)take(program, place);
      break;
    case 3: {
      struct operation moved = take(program, place);
      insert(program, below(chance, program->count + 1), moved);
      break;
    }
    default:
      change_word(&program->operations[place], chance);
  }
}

void mutate(struct program *program, struct chance *chance) {
  for (uint64_t left = 1 + below(chance, 4); left > 0; left--) mutate_once(program, chance);
}

void mutate_join(struct program *program, const struct program *other, struct chance *chance) {
  size_t from = below(chance, other->count + 1);
  program->count = below(chance, program->count + 1);
  while (from < other->count && program->count < PROGRAM_OPERATIONS) {
    program->operations[program->count++] = other->operations[from++];
  }
}
