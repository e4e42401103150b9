/*
 * requests CONFIGURATION_FILE STATE_DIRECTORY ASKAR ROUNDS
 *
 * From a call to the answer that another thread brings, of 1 to 8 threads at once: a request and
 * its completion by pull, compared with a call of askar and its callback, and with plain C, where
 * one worker answers all. The request looks for a wallet in the storage directory
 * (disable_biometric_unlock without one), and so does the limit's worker; askar's call returns the
 * name of its open store. Microseconds of one call at a time (median and the 99th of a hundred),
 * and answers per second of all threads. Then a question that needs no other thread, whether a wallet is
 * registered: nanoseconds, compared with a clock and a flag behind a mutex.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "askar.h"
#include "hand_over.h"
#include "host.h"
#include "../../Support/test_patience.h"
#include "measure.h"

enum { THREADS = 8, MOST_ROUNDS = 20000, QUESTIONS = 1000 };
enum { OURS, ASKAR, LIMIT, SUBJECTS };

struct caller {
  int subject, rounds, index;
  wallet_core_client client;
  struct hand_over_queue answers;
  pthread_t thread;
  double times[MOST_ROUNDS];
};

static const char *const subjects[] = {"ours", "askar", "limit"};
static struct caller callers[THREADS];
static struct askar askar;
static askar_handle store;
static struct hand_over_queue requests;
static pthread_barrier_t barrier;

/* The cheapest way to see that there is neither a wallet nor a wipe to finish. */
static void look(int directory) {
  struct stat status;
  if (openat(directory, "wipe", O_RDONLY | O_CLOEXEC) >= 0 ||
      fstatat(directory, "wallet.db", &status, 0) == 0) {
    measure_fail("there is a wallet");
  }
}

static void *answer(void *context) {
  struct hand_over_event *request;
  int directory = open(context, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  while ((request = hand_over_take(&requests)) != NULL) {
    look(directory);
    hand_over_put(&callers[request->number].answers, request->number);
    free(request);
  }
  return NULL;
}

static void on_name(int64_t call, askar_status status, char *name) {
  askar_check(status, "askar does not say its name");
  askar.text_free(name);
  hand_over_put(&callers[call].answers, 0);
}

static void ask_ours(const struct caller *caller) {
  uint64_t request = 0;
  wallet_core_event *event = NULL;
  if (wallet_core_disable_biometric_unlock(caller->client, &request, NULL) != WALLET_CORE_OK) {
    measure_fail("a request was refused");
  }
  do {
    wallet_core_event_free(event);
    if (wallet_core_client_next_event(caller->client, TEST_PATIENCE_MS, &event, NULL) !=
        WALLET_CORE_OK) {
      measure_fail("no completion");
    }
  } while (wallet_core_event_request(event) != request);
  wallet_core_event_free(event);
}

static void ask(struct caller *caller) {
  switch (caller->subject) {
    case OURS:
      ask_ours(caller);
      return;
    case ASKAR:
      askar_check(askar.profile_name(store, on_name, caller->index), "askar refuses a call");
      break;
    default:
      hand_over_put(&requests, (uint64_t)caller->index);
  }
  free(hand_over_take(&caller->answers));
}

static void *call(void *context) {
  struct caller *caller = context;
  pthread_barrier_wait(&barrier);
  for (int round = 0; round < caller->rounds; round++) {
    int64_t start = measure_now();
    ask(caller);
    caller->times[round] = (double)(measure_now() - start) / 1e3;
  }
  return NULL;
}

/* All threads call `rounds` times each; returns the seconds. */
static double run(int subject, int threads, int rounds) {
  pthread_barrier_init(&barrier, NULL, (unsigned)threads + 1);
  for (int i = 0; i < threads; i++) {
    callers[i].subject = subject;
    callers[i].rounds = rounds;
    pthread_create(&callers[i].thread, NULL, call, &callers[i]);
  }
  pthread_barrier_wait(&barrier);
  int64_t start = measure_now();
  for (int i = 0; i < threads; i++) {
    pthread_join(callers[i].thread, NULL);
  }
  pthread_barrier_destroy(&barrier);
  return (double)(measure_now() - start) / 1e9;
}

static void measure(int threads, int turns, int rounds) {
  static double samples[SUBJECTS][THREADS * MOST_ROUNDS];
  double seconds[SUBJECTS] = {0};
  size_t count = 0;
  for (int turn = 0; turn < turns; turn++) {
    for (int i = 0; i < SUBJECTS; i++) {
      int subject = (i + turn) % SUBJECTS;
      seconds[subject] += run(subject, threads, rounds);
      for (int j = 0; j < threads; j++) {
        memcpy(
            samples[subject] + count + (size_t)(j * rounds), callers[j].times,
            (size_t)rounds * sizeof(double));
      }
    }
    count += (size_t)(threads * rounds);
  }
  for (int subject = 0; subject < SUBJECTS; subject++) {
    char name[64];
    snprintf(name, sizeof name, "request %d median", threads);
    measure_print(name, subjects[subject], measure_median(samples[subject], count));
    snprintf(name, sizeof name, "request %d p99", threads);
    measure_print(name, subjects[subject], measure_quantile(samples[subject], count, 0.99));
    snprintf(name, sizeof name, "request %d rate", threads);
    measure_print(name, subjects[subject], (double)count / seconds[subject]);
  }
}

static int ask_whether_registered(int subject) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static int64_t last_asked;
  static int32_t is_known;
  int32_t answer = 0;
  if (subject == OURS) {
    return wallet_core_has_registration(&answer, NULL) == WALLET_CORE_OK && answer == 0;
  }
  pthread_mutex_lock(&mutex);
  last_asked = measure_now();
  answer = is_known;
  pthread_mutex_unlock(&mutex);
  return last_asked != 0 && answer == 0;
}

static void measure_questions(int rounds) {
  const int chosen[] = {OURS, LIMIT};
  static double times[2][MOST_ROUNDS];
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < 2; i++) {
      int64_t start = measure_now();
      for (int question = 0; question < QUESTIONS; question++) {
        if (!ask_whether_registered(chosen[i])) {
          measure_fail("there is a wallet");
        }
      }
      times[i][round] = (double)(measure_now() - start) / QUESTIONS;
    }
  }
  for (int i = 0; i < 2; i++) {
    measure_print("registered", subjects[chosen[i]], measure_median(times[i], (size_t)rounds));
  }
}

static void open_askar(const char *path, const char *directory) {
  static uint8_t seed[32];
  char uri[512], *key = NULL;
  askar = askar_load(measure_load(path));
  askar_check(askar.raw_key((struct askar_bytes){sizeof seed, seed}, &key), "raw key");
  snprintf(uri, sizeof uri, "sqlite://%s/askar.db", directory);
  askar_check(askar.provision(uri, "raw", key, NULL, 1, askar_on_handle, 0), "no askar store");
  store = askar_wait(1);
  askar.text_free(key);
}

int main(int count, char **arguments) {
  enum { TURNS = 10 };
  pthread_t worker;
  int rounds = count == 5 ? atoi(arguments[4]) / TURNS : 0;
  if (rounds < 1 || rounds * TURNS > MOST_ROUNDS) {
    measure_fail("usage: requests CONFIGURATION_FILE STATE_DIRECTORY ASKAR ROUNDS");
  }
  mkdir(arguments[2], 0700);
  if (host_start(arguments[1], arguments[2]) != WALLET_CORE_OK) {
    measure_fail("no start");
  }
  open_askar(arguments[3], arguments[2]);
  hand_over_open(&requests);
  pthread_create(&worker, NULL, answer, arguments[2]);
  for (int i = 0; i < THREADS; i++) {
    char name[16];
    snprintf(name, sizeof name, "caller-%d", i);
    callers[i].index = i;
    hand_over_open(&callers[i].answers);
    if (wallet_core_client_attach(name, 0, &callers[i].client, NULL) != WALLET_CORE_OK) {
      measure_fail("no client");
    }
  }
  for (int threads = 1; threads <= THREADS; threads *= 2) {
    measure(threads, TURNS, rounds);
  }
  measure_questions(rounds);
  return 0;
}
