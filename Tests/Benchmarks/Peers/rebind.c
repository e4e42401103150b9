/*
 * rebind CONFIGURATION_FILE STATE_DIRECTORY ROUNDS
 *
 * How long a new engine waits for everything that it shows: from attach with TAKE_OVER until its
 * callback has had the configuration, the lock state, the version state and the step. The previous
 * engine ended without detaching. The limit is a new thread of plain C that takes four events.
 * Microseconds.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "hand_over.h"
#include "host.h"
#include "measure.h"

enum { VALUES = 4, MOST_ROUNDS = 5000 };

/* What the newest engine has received. */
static struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  uint64_t engine;
  unsigned kinds;
  int64_t time;
} shown = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static double ours[MOST_ROUNDS], limit[MOST_ROUNDS];

enum {
  EVERYTHING = 1u << WALLET_CORE_EVENT_CONFIGURATION | 1u << WALLET_CORE_EVENT_LOCK_STATE |
               1u << WALLET_CORE_EVENT_VERSION_STATE | 1u << WALLET_CORE_EVENT_STEP
};

static void note(uint64_t engine, unsigned kind) {
  pthread_mutex_lock(&shown.mutex);
  if (engine == shown.engine) {
    shown.kinds |= 1u << kind;
    if (shown.kinds == EVERYTHING) {
      shown.time = measure_now();
      pthread_cond_signal(&shown.changed);
    }
  }
  pthread_mutex_unlock(&shown.mutex);
}

static void on_event(void *context, wallet_core_event *event) {
  note((uint64_t)(uintptr_t)context, (unsigned)wallet_core_event_kind(event));
  wallet_core_event_free(event);
}

static void expect(uint64_t engine) {
  pthread_mutex_lock(&shown.mutex);
  shown.engine = engine;
  shown.kinds = 0;
  pthread_mutex_unlock(&shown.mutex);
}

static int64_t await(void) {
  pthread_mutex_lock(&shown.mutex);
  while (shown.kinds != EVERYTHING) {
    pthread_cond_wait(&shown.changed, &shown.mutex);
  }
  int64_t time = shown.time;
  pthread_mutex_unlock(&shown.mutex);
  return time;
}

static double rebind(uint64_t engine) {
  wallet_core_client client = 0;
  expect(engine);
  int64_t start = measure_now();
  if (wallet_core_client_attach("app", WALLET_CORE_ATTACH_TAKE_OVER, &client, NULL) !=
          WALLET_CORE_OK ||
      wallet_core_set_event_callback(
          client, on_event, (void *)(uintptr_t)engine, NULL, NULL, NULL) != WALLET_CORE_OK) {
    measure_fail("no rebind");
  }
  if (engine == 1 && wallet_core_open_app(client, WALLET_CORE_STARTUP_LAUNCH, NULL, NULL) != 0) {
    measure_fail("no app");
  }
  return (double)(await() - start) / 1e3;
}

static void *receive(void *context) {
  struct hand_over_queue *queue = context;
  for (int i = 0; i < VALUES; i++) {
    struct hand_over_event *event = hand_over_take(queue);
    unsigned kind = (unsigned)event->number;
    free(event);
    note(0, kind);
  }
  return NULL;
}

static double start_thread(void) {
  static const int kinds[VALUES] = {
      WALLET_CORE_EVENT_CONFIGURATION, WALLET_CORE_EVENT_LOCK_STATE,
      WALLET_CORE_EVENT_VERSION_STATE, WALLET_CORE_EVENT_STEP};
  struct hand_over_queue queue;
  pthread_t thread;
  expect(0);
  int64_t start = measure_now();
  hand_over_open(&queue);
  for (int i = 0; i < VALUES; i++) {
    hand_over_put(&queue, (uint64_t)kinds[i]);
  }
  pthread_create(&thread, NULL, receive, &queue);
  double time = (double)(await() - start) / 1e3;
  pthread_join(thread, NULL);
  return time;
}

int main(int count, char **arguments) {
  int rounds = count == 4 ? atoi(arguments[3]) : 0;
  if (rounds < 1 || rounds > MOST_ROUNDS) {
    measure_fail("usage: rebind CONFIGURATION_FILE STATE_DIRECTORY ROUNDS");
  }
  mkdir(arguments[2], 0700);
  if (host_start(arguments[1], arguments[2]) != WALLET_CORE_OK) {
    measure_fail("no start");
  }
  uint64_t engine = 1;
  rebind(engine++); /* there is an engine to take over from, and a step */
  for (int round = 0; round < rounds; round++) {
    ours[round] = rebind(engine++);
    limit[round] = start_thread();
  }
  measure_print("rebind median", "ours", measure_median(ours, (size_t)rounds));
  measure_print("rebind p99", "ours", measure_quantile(ours, (size_t)rounds, 0.99));
  measure_print("rebind median", "limit", measure_median(limit, (size_t)rounds));
  measure_print("rebind p99", "limit", measure_quantile(limit, (size_t)rounds, 0.99));
  return 0;
}
