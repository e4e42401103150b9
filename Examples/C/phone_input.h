// SPDX-License-Identifier: Apache-2.0
/* Reads the keys of the terminal, one by one. */
#ifndef PHONE_INPUT_H
#define PHONE_INPUT_H

/* Reads what was typed. Returns 0 if the terminal is gone. */
int input_read(void);

/* The next key of what was read; 0 if there is none. Arrows and function keys are skipped. */
char input_key(void);

#endif
