/* The bridges that a program hands over: they answer rightly, unless the program says otherwise. */
#ifndef BRIDGES_H
#define BRIDGES_H

#include "program.h"

/* Begins an input. `storage` is what storage_path replies. */
void bridges_begin(const char *storage);

/* Hands over bridges; `shape` 0 is a good one. */
void bridges_hand_over(uint8_t shape, uint8_t value);

/* Answers a call that was kept, rightly where `operation` says so. */
void bridges_reply(const struct operation *operation);

/* Everything is answered rightly from now on, also what was kept. */
void bridges_make_peace(void);

/* Contexts of replaced bridges that the library has not released. */
int bridges_unreleased(void);

#endif
