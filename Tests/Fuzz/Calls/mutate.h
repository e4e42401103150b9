/* Mutations that give valid programs: operations are added, removed, moved, or changed in one word. */
#ifndef MUTATE_H
#define MUTATE_H

#include "program.h"

/* splitmix64. */
struct chance {
  uint64_t state;
};

void mutate(struct program *program, struct chance *chance);

/* Replaces the end of `program` by the end of `other`. */
void mutate_join(struct program *program, const struct program *other, struct chance *chance);

#endif
