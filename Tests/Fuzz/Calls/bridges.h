/* The bridges that a program registers: they answer correctly, unless the program says otherwise. */
#ifndef BRIDGES_H
#define BRIDGES_H

#include "program.h"

/* Begins an input. `storage` is what storage_path replies. */
void bridges_begin(const char *storage);

/* Registers bridges; `shape` 0 is a good one. */
void bridges_hand_over(uint8_t shape, uint8_t value);

/* Answers a kept call, correctly if `operation` says so. */
void bridges_reply(const struct operation *operation);

/* From now on everything is answered correctly, including kept calls. */
void bridges_make_peace(void);

/* Contexts of replaced bridges that the library has not released. */
int bridges_unreleased(void);

#endif
