/* A test's own process: files, clock, threads, signals. Does not use the library. */
#ifndef PROCESS_H
#define PROCESS_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "../Support/test_patience.h"

/* A file in memory, up to 256 KiB, read once per process; NULL and a message if that fails. */
const uint8_t *process_file(const char *path, size_t *length);

/* Milliseconds on a clock that only moves forward. */
int64_t process_now(void);

void process_sleep(int milliseconds);

/* The threads of this process. */
int process_threads(void);

/* Waits until there are no more than `most` threads; how many there are. */
int process_threads_settle(int most);

/* All signal settings of a host that a library could change. */
struct process_signals {
  struct sigaction actions[65];
  sigset_t mask;
  stack_t stack;
};

struct process_signals process_signals_now(void);

/* The first signal whose disposition differs, -1 for the mask, -2 for the stack, 0 for none. */
int process_signals_differ(
    const struct process_signals *before, const struct process_signals *after);

#endif
