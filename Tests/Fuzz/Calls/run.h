/* Runs a program in a process without a wallet, and resets the process afterwards. */
#ifndef RUN_H
#define RUN_H

#include "program.h"

void run(const struct program *program);

#endif
