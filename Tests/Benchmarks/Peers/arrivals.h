/* Counts what arrives at several threads, and lets one thread wait for all of it. */
#ifndef ARRIVALS_H
#define ARRIVALS_H

#include <pthread.h>
#include <stdint.h>

struct arrivals {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int expected, count;
  uint64_t number;
  int64_t times[64];
};

/* Begins to wait for `expected` arrivals of something newer than was seen before. */
void arrivals_expect(struct arrivals *arrivals, int expected);
/* Notes that `number` arrived at a receiver; older ones, and a second one, are ignored. */
void arrivals_note(struct arrivals *arrivals, int receiver, uint64_t number, int64_t time);
/* Waits until all have come; the greatest number. */
uint64_t arrivals_wait(struct arrivals *arrivals);

#endif
