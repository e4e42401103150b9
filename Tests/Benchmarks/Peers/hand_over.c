#include "hand_over.h"

#include <stdlib.h>
#include <string.h>

#include "measure.h"

void hand_over_open(struct hand_over_queue *queue) {
  pthread_mutex_init(&queue->mutex, NULL);
  pthread_cond_init(&queue->changed, NULL);
  queue->first = NULL;
  queue->last = &queue->first;
  queue->is_ended = 0;
}

static struct hand_over_event *make(uint64_t number, struct step *step) {
  struct hand_over_event *event = malloc(sizeof *event);
  if (event == NULL) {
    measure_fail("no memory");
  }
  event->number = number;
  event->step = step;
  event->next = NULL;
  return event;
}

static void put(struct hand_over_queue *queue, struct hand_over_event *event) {
  pthread_mutex_lock(&queue->mutex);
  *queue->last = event;
  queue->last = &event->next;
  pthread_mutex_unlock(&queue->mutex);
  pthread_cond_signal(&queue->changed);
}

void hand_over_put(struct hand_over_queue *queue, uint64_t number) {
  struct hand_over_event *event = make(number, NULL);
  memset(event->content, (int)number, sizeof event->content);
  put(queue, event);
}

void hand_over_put_step(struct hand_over_queue *queue, struct step *step) {
  put(queue, make(step_serial(step), step_retain(step)));
}

struct hand_over_event *hand_over_take(struct hand_over_queue *queue) {
  pthread_mutex_lock(&queue->mutex);
  while (queue->first == NULL && !queue->is_ended) {
    pthread_cond_wait(&queue->changed, &queue->mutex);
  }
  struct hand_over_event *event = queue->first;
  if (event != NULL) {
    queue->first = event->next;
    if (queue->first == NULL) {
      queue->last = &queue->first;
    }
  }
  pthread_mutex_unlock(&queue->mutex);
  return event;
}

void hand_over_end(struct hand_over_queue *queue) {
  pthread_mutex_lock(&queue->mutex);
  queue->is_ended = 1;
  pthread_mutex_unlock(&queue->mutex);
  pthread_cond_broadcast(&queue->changed);
}
