/* Performs the operations of the running program. */
#ifndef PERFORM_H
#define PERFORM_H

#include "program.h"

/* Begins with a program, which must not move. */
void perform_begin(const struct program *program, const char *storage);

/* The next operation of a place; NULL when there is none left. For an ordered one of a thread this
   waits until everything above has begun. */
const struct operation *perform_next(enum place place);

void perform(const struct operation *operation);

/* Good bridges, init and two clients, without what `left_out` says. */
void perform_fixture(uint8_t left_out);

/* How many operations have begun: whether anything still moves. */
unsigned perform_progress(void);

#endif
