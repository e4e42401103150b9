/*
 * steps CONFIGURATION_FILE STATE_DIRECTORY ROUNDS
 *
 * Microseconds from wallet_core_choose() to the next step at the C callback, without network and
 * key derivation (the introduction, forward and back), compared with a hand-over through a queue
 * between two threads in plain C, which is the least that a callback on its own thread can cost.
 * Medians over ROUNDS, taken alternately; prints "ours hand_over".
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <wallet_core.h>

#include "software_keys.h"

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

/* What a callback or a queue delivers: when, and for steps which. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static double arrived;
static uint64_t serial;
static char name[64];

static void on_step(void *context, wallet_core_event *event) {
  double time = now();
  (void)context;
  pthread_mutex_lock(&mutex);
  arrived = time;
  serial = wallet_core_event_step_serial(event);
  snprintf(name, sizeof name, "%s", wallet_core_event_step_name(event));
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  wallet_core_event_free(event);
}

/* Waits for a step of this name; when it arrived. */
static double await_step(const char *wanted) {
  pthread_mutex_lock(&mutex);
  while (strcmp(name, wanted) != 0) {
    pthread_cond_wait(&changed, &mutex);
  }
  double time = arrived;
  pthread_mutex_unlock(&mutex);
  return time;
}

static double choose(wallet_core_client client, const char *action, const char *next) {
  pthread_mutex_lock(&mutex);
  uint64_t current = serial;
  pthread_mutex_unlock(&mutex);
  double start = now();
  if (wallet_core_choose(client, current, action, NULL, 0, NULL) != WALLET_CORE_OK) {
    exit(1);
  }
  return await_step(next) - start;
}

/* --- the baseline: a queue with one slot ------------------------------------------------------ */

static pthread_mutex_t queue_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_changed = PTHREAD_COND_INITIALIZER;
static int queue_is_full;
static atomic_int taken;
static double taken_at;

static void *take(void *context) {
  (void)context;
  for (;;) {
    pthread_mutex_lock(&queue_mutex);
    while (!queue_is_full) {
      pthread_cond_wait(&queue_changed, &queue_mutex);
    }
    taken_at = now();
    queue_is_full = 0;
    pthread_mutex_unlock(&queue_mutex);
    atomic_store(&taken, 1);
  }
  return NULL;
}

static double hand_over(void) {
  atomic_store(&taken, 0);
  double start = now();
  pthread_mutex_lock(&queue_mutex);
  queue_is_full = 1;
  pthread_cond_signal(&queue_changed);
  pthread_mutex_unlock(&queue_mutex);
  while (!atomic_load(&taken)) {
    nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
  }
  return taken_at - start;
}

static int compare(const void *one, const void *other) {
  double difference = *(const double *)one - *(const double *)other;
  return (difference > 0) - (difference < 0);
}

int main(int count, char **arguments) {
  static uint8_t configuration[256 * 1024];
  wallet_core_signing_key_bridge signing_key;
  wallet_core_encryption_key_bridge encryption_key;
  wallet_core_utilities_bridge utilities;
  FILE *file = count == 4 ? fopen(arguments[1], "rb") : NULL;
  if (file == NULL) {
    return 2;
  }
  const wallet_core_options options = {
      .struct_size = sizeof options,
      .embedded_configuration = configuration,
      .embedded_configuration_length = fread(configuration, 1, sizeof configuration, file),
      .app_version = "1.0.0",
      .app_id = "org.example.steps",
  };
  fclose(file);
  mkdir(arguments[2], 0700);
  wallet_core_client client = 0;
  pthread_t thread;
  if (software_keys_fill(arguments[2], &signing_key, &encryption_key, &utilities) != 0 ||
      wallet_core_init_platform_support(&signing_key, &encryption_key, &utilities, NULL) != 0 ||
      wallet_core_init(&options, NULL) != 0 ||
      wallet_core_client_attach("app", 0, &client, NULL) != 0 ||
      wallet_core_set_step_stream(client, on_step, NULL, NULL, NULL, NULL) != 0 ||
      wallet_core_open_app(client, WALLET_CORE_STARTUP_LAUNCH, NULL, NULL) != 0 ||
      pthread_create(&thread, NULL, take, NULL) != 0) {
    return 1;
  }
  await_step("introduction-1");
  int rounds = atoi(arguments[3]);
  double *ours = calloc((size_t)rounds, sizeof *ours);
  double *baseline = calloc((size_t)rounds, sizeof *baseline);
  if (ours == NULL || baseline == NULL) {
    return 1;
  }
  for (int i = 0; i < rounds; i++) {
    ours[i] = i % 2 == 0 ? choose(client, "next", "introduction-2")
                         : choose(client, "back", "introduction-1");
    baseline[i] = hand_over();
  }
  qsort(ours, (size_t)rounds, sizeof *ours, compare);
  qsort(baseline, (size_t)rounds, sizeof *baseline, compare);
  printf("%.1f %.1f\n", ours[rounds / 2], baseline[rounds / 2]);
  return 0;
}
