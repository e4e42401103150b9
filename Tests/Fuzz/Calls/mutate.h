/* Changes of programs that leave programs: whole operations come, go, move and change a word. */
#ifndef MUTATE_H
#define MUTATE_H

#include "program.h"

/* splitmix64. */
struct chance {
  uint64_t state;
};

void mutate(struct program *program, struct chance *chance);

/* Makes `program` the beginning of itself and the end of `other`. */
void mutate_join(struct program *program, const struct program *other, struct chance *chance);

#endif
