#include "arrivals.h"

#include <string.h>

void arrivals_expect(struct arrivals *arrivals, int expected) {
  pthread_mutex_lock(&arrivals->mutex);
  arrivals->expected = expected;
  arrivals->count = 0;
  memset(arrivals->times, 0, sizeof arrivals->times);
  pthread_mutex_unlock(&arrivals->mutex);
}

void arrivals_note(struct arrivals *arrivals, int receiver, uint64_t number, int64_t time) {
  pthread_mutex_lock(&arrivals->mutex);
  int is_new = number > arrivals->number || (number == arrivals->number && arrivals->count > 0);
  int is_complete = 0;
  if (is_new && arrivals->times[receiver] == 0) {
    arrivals->number = number;
    arrivals->times[receiver] = time;
    arrivals->count += 1;
    is_complete = arrivals->count == arrivals->expected;
  }
  pthread_mutex_unlock(&arrivals->mutex);
  if (is_complete) {
    pthread_cond_signal(&arrivals->changed);
  }
}

uint64_t arrivals_wait(struct arrivals *arrivals) {
  pthread_mutex_lock(&arrivals->mutex);
  while (arrivals->count < arrivals->expected) {
    pthread_cond_wait(&arrivals->changed, &arrivals->mutex);
  }
  uint64_t number = arrivals->number;
  pthread_mutex_unlock(&arrivals->mutex);
  return number;
}
