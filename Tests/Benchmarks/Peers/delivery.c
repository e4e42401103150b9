/*
 * delivery CONFIGURATION_FILE STATE_DIRECTORY ROUNDS
 *
 * From one choice to the next step at each of 1 to 64 clients, by callbacks and by pull,
 * alternating with plain C that makes such a step and hands it over, and with the same number of
 * hand-overs alone: microseconds (median and the 99th of a hundred), and events per second. A choice without network and key derivation: the
 * introduction, forward and back.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arrivals.h"
#include "hand_over.h"
#include "host.h"
#include "../../Support/test_patience.h"
#include "measure.h"

enum { CLIENTS = 64, MOST_SAMPLES = 400000 };
enum { OURS, LIMIT, HAND_OVER, SUBJECTS };

struct receiver {
  int index;
  wallet_core_client client;
  pthread_t thread;
  struct hand_over_queue queue;
};

static struct receiver ours[CLIENTS], plain[CLIENTS];
static struct arrivals our_arrivals = {
    .mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
static struct arrivals plain_arrivals = {
    .mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
static double samples[SUBJECTS][MOST_SAMPLES];

static void check(wallet_core_status status, const char *what) {
  if (status != WALLET_CORE_OK) {
    measure_fail(what);
  }
}

/* --- wallet_core -------------------------------------------------------------------------------------- */

static void on_step(void *context, wallet_core_event *event) {
  const struct receiver *receiver = context;
  int64_t time = measure_now();
  uint64_t serial = wallet_core_event_step_serial(event);
  wallet_core_event_free(event);
  arrivals_note(&our_arrivals, receiver->index, serial, time);
}

static void *pull(void *context) {
  const struct receiver *receiver = context;
  wallet_core_event *event = NULL;
  while (wallet_core_client_next_event(receiver->client, -1, &event, NULL) == WALLET_CORE_OK) {
    int64_t time = measure_now();
    uint64_t serial = wallet_core_event_step_serial(event);
    wallet_core_event_free(event);
    if (serial != 0) {
      arrivals_note(&our_arrivals, receiver->index, serial, time);
    }
  }
  return NULL;
}

static void attach(int clients, int pulls) {
  for (int i = 0; i < clients; i++) {
    char name[16];
    snprintf(name, sizeof name, "client-%d", i);
    ours[i].index = i;
    check(wallet_core_client_attach(name, 0, &ours[i].client, NULL), "no client");
    if (pulls) {
      pthread_create(&ours[i].thread, NULL, pull, &ours[i]);
    } else {
      check(
          wallet_core_set_step_stream(ours[i].client, on_step, &ours[i], NULL, NULL, NULL),
          "no stream");
    }
  }
}

static void detach(int clients, int pulls) {
  for (int i = 0; i < clients; i++) {
    check(wallet_core_client_detach(ours[i].client, NULL), "no detach");
    if (pulls) {
      pthread_join(ours[i].thread, NULL);
    }
  }
}

/* --- plain C --------------------------------------------------------------------------------- */

static void *receive(void *context) {
  struct receiver *receiver = context;
  struct hand_over_event *event;
  while ((event = hand_over_take(&receiver->queue)) != NULL) {
    int64_t time = measure_now();
    uint64_t number = event->number;
    if (event->step != NULL) {
      step_release(event->step);
    }
    free(event);
    arrivals_note(&plain_arrivals, receiver->index, number, time);
  }
  return NULL;
}

static void start_plain(int clients) {
  for (int i = 0; i < clients; i++) {
    plain[i].index = i;
    hand_over_open(&plain[i].queue);
    pthread_create(&plain[i].thread, NULL, receive, &plain[i]);
  }
}

static void end_plain(int clients) {
  for (int i = 0; i < clients; i++) {
    hand_over_end(&plain[i].queue);
    pthread_join(plain[i].thread, NULL);
  }
}

/* --- both -------------------------------------------------------------------------------------- */

/* The current serial, and whether the first page of the introduction is shown. */
static uint64_t serial, number;
static int is_first_page = 1;
/* The current step of plain C. */
static struct step *current;

static void note(
    int subject, const struct arrivals *arrivals, int clients, int64_t start, size_t count) {
  for (int i = 0; i < clients; i++) {
    samples[subject][count + (size_t)i] = (double)(arrivals->times[i] - start) / 1e3;
  }
}

static void turn_ours(int clients, int64_t *busy, size_t count) {
  arrivals_expect(&our_arrivals, clients);
  int64_t start = measure_now();
  check(
      wallet_core_choose(ours[0].client, serial, is_first_page ? "next" : "back", NULL, 0, NULL),
      "a choice was refused");
  serial = arrivals_wait(&our_arrivals);
  *busy += measure_now() - start;
  note(OURS, &our_arrivals, clients, start, count);
}

static void turn_plain(int subject, int clients, int64_t *busy, size_t count) {
  arrivals_expect(&plain_arrivals, clients);
  int64_t start = measure_now();
  number++;
  if (subject == LIMIT) {
    struct step *next = step_after(step_row(current), is_first_page ? "next" : "back", number);
    step_release(current);
    current = next;
  }
  for (int i = 0; i < clients; i++) {
    if (subject == LIMIT) {
      hand_over_put_step(&plain[i].queue, current);
    } else {
      hand_over_put(&plain[i].queue, number);
    }
  }
  arrivals_wait(&plain_arrivals);
  *busy += measure_now() - start;
  note(subject, &plain_arrivals, clients, start, count);
}

/* One round of each: latencies of all receivers, and the time of each round. */
static void turn(int clients, int64_t *busy, size_t *count) {
  turn_ours(clients, &busy[OURS], *count);
  turn_plain(LIMIT, clients, &busy[LIMIT], *count);
  turn_plain(HAND_OVER, clients, &busy[HAND_OVER], *count);
  is_first_page = !is_first_page;
  *count += (size_t)clients;
}

static void measure(int clients, int pulls, int rounds) {
  static const char *const subjects[] = {"ours", "limit", "handover"};
  int64_t busy[SUBJECTS] = {0};
  size_t count = 0;
  arrivals_expect(&our_arrivals, clients);
  our_arrivals.number = 0; /* each new client is told the current step again */
  attach(clients, pulls);
  serial = arrivals_wait(&our_arrivals);
  start_plain(clients);
  for (int round = 0; round < rounds; round++) {
    turn(clients, busy, &count);
  }
  detach(clients, pulls);
  end_plain(clients);
  const char *way = pulls ? "pull" : "callback";
  char name[64];
  for (int i = 0; i < SUBJECTS; i++) {
    snprintf(name, sizeof name, "%s %d median", way, clients);
    measure_print(name, subjects[i], measure_median(samples[i], count));
    snprintf(name, sizeof name, "%s %d p99", way, clients);
    measure_print(name, subjects[i], measure_quantile(samples[i], count, 0.99));
    snprintf(name, sizeof name, "%s %d rate", way, clients);
    measure_print(name, subjects[i], (double)count * 1e9 / (double)busy[i]);
  }
}

/* Opens the app and waits for the introduction. */
static void open_app(void) {
  wallet_core_client guide;
  wallet_core_event *event = NULL;
  int is_there = 0;
  check(wallet_core_client_attach("guide", 0, &guide, NULL), "no client");
  check(wallet_core_open_app(guide, WALLET_CORE_STARTUP_LAUNCH, NULL, NULL), "no app");
  while (!is_there) {
    check(wallet_core_client_next_event(guide, TEST_PATIENCE_MS, &event, NULL), "no introduction");
    is_there = strcmp(wallet_core_event_step_name(event), "introduction-1") == 0;
    wallet_core_event_free(event);
  }
  check(wallet_core_client_detach(guide, NULL), "no detach");
}

int main(int count, char **arguments) {
  static const int counts[] = {1, 2, 4, 8, 16, 32, 64};
  int rounds = count == 4 ? atoi(arguments[3]) : 0;
  if (rounds < 1 || rounds * CLIENTS > MOST_SAMPLES) {
    measure_fail("usage: delivery CONFIGURATION_FILE STATE_DIRECTORY ROUNDS");
  }
  mkdir(arguments[2], 0700);
  check(host_start(arguments[1], arguments[2]), "no start");
  open_app();
  current = step_after("1.2", "first", 0);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    measure(counts[i], 0, rounds);
    measure(counts[i], 1, rounds);
  }
  return 0;
}
