/*
 * The least that delivery on another thread can cost, in plain C: a queue of events from malloc behind a
 * mutex and a condition.
 */
#ifndef HAND_OVER_H
#define HAND_OVER_H

#include <pthread.h>
#include <stdint.h>

#include "step.h"

struct hand_over_event {
  struct hand_over_event *next;
  uint64_t number;
  struct step *step; /* yours to release; NULL unless one was put */
  char content[240];
};

struct hand_over_queue {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  struct hand_over_event *first, **last;
  int is_ended;
};

void hand_over_open(struct hand_over_queue *queue);
void hand_over_put(struct hand_over_queue *queue, uint64_t number);
/* The same for a step that all queues share. */
void hand_over_put_step(struct hand_over_queue *queue, struct step *step);
/* Waits for the next event, yours to free; NULL once the queue has ended. */
struct hand_over_event *hand_over_take(struct hand_over_queue *queue);
void hand_over_end(struct hand_over_queue *queue);

#endif
