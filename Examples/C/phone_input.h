// SPDX-License-Identifier: Apache-2.0
/* Keys of the terminal, one by one. */
#ifndef PHONE_INPUT_H
#define PHONE_INPUT_H

/* Takes what was typed. Returns 0 where the terminal is gone. */
int input_read(void);

/* The next key of it; 0 where there is none. Arrows and function keys are left out. */
char input_key(void);

#endif
