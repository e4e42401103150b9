#include "perform.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <wallet_core_testing.h>

#include "arguments.h"
#include "bridges.h"
#include "calls.h"
#include "provider.h"
#include "world.h"

static const struct program *program;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_begun = PTHREAD_COND_INITIALIZER;
static int begun[PROGRAM_OPERATIONS];
static unsigned progress;

void perform_begin(const struct program *new_program, const char *storage) {
  program = new_program;
  memset(begun, 0, sizeof begun);
  calls_begin(storage);
}

/* Whether all operations of threads above this one have begun. With the lock held. */
static int is_its_turn(size_t place) {
  for (size_t i = 0; i < place; i++) {
    if (!begun[i] && program->operations[i].place < PROGRAM_THREADS) return 0;
  }
  return 1;
}

const struct operation *perform_next(enum place place) {
  const struct operation *next = NULL;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < program->count && next == NULL; i++) {
    const struct operation *operation = &program->operations[i];
    if (begun[i] || operation->place != place) continue;
    while ((int)place < PROGRAM_THREADS && operation->is_ordered && !is_its_turn(i)) {
      pthread_cond_wait(&has_begun, &lock);
    }
    begun[i] = 1;
    progress += 1;
    pthread_cond_broadcast(&has_begun);
    next = operation;
  }
  pthread_mutex_unlock(&lock);
  return next;
}

unsigned perform_progress(void) {
  pthread_mutex_lock(&lock);
  unsigned now = progress;
  pthread_mutex_unlock(&lock);
  return now;
}

/* The outside world, and what is no call of its own. */
static void move_world(const struct operation *operation) {
  const uint8_t *numbers = operation->arguments;
  switch (operation->function) {
    case FUNCTION_CLOCK:
      wallet_core_testing_advance_clock(clock_argument(numbers[0]));
      break;
    case FUNCTION_CALENDAR:
      world_move_calendar(calendar_argument(numbers[0]));
      break;
    case FUNCTION_NETWORK:
      wallet_core_testing_set_network_fault(numbers[0] % 4, numbers[1] < 8 ? -1 : numbers[1] % 4);
      break;
    case FUNCTION_BRIDGES:
      bridges_hand_over(numbers[0], numbers[1]);
      break;
    case FUNCTION_REPLY:
      bridges_reply(operation);
      break;
    case FUNCTION_ANSWER:
      provider_answer(numbers[0]);
      break;
    case FUNCTION_DAMAGE: /* done before everything */
      break;
    default: /* "yield", and "keep" where nothing is asked */
      for (int i = 0; i < numbers[0]; i++) sched_yield();
  }
}

void perform(const struct operation *operation) {
  if (!calls_perform(operation)) move_world(operation);
}

void perform_fixture(uint8_t left_out) {
  static const struct operation attach = {.function = FUNCTION_ATTACH};
  static const struct operation second = {.function = FUNCTION_ATTACH, .arguments = {1}};
  static const struct operation init = {.function = FUNCTION_INIT};
  if (!(left_out & 1)) bridges_hand_over(0, 0);
  if (!(left_out & 2)) perform(&init);
  if (!(left_out & 4)) perform(&attach);
  if (!(left_out & 4)) perform(&second);
}
