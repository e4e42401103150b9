/* Runs a program from a process that knows no wallet to one that knows none again. */
#ifndef RUN_H
#define RUN_H

#include "program.h"

void run(const struct program *program);

#endif
