/*
 * calls OUR_LIBRARY BASELINE_LIBRARY
 *
 * Nanoseconds per call, of the library and of the baseline: medians over 15 turns, taken
 * alternately so that both run under the same conditions.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TURNS = 15, CALLS = 10000000 };

typedef int32_t question(void);

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double nanoseconds_per_call(question *function) {
  int32_t sum = 0;
  double start = now();
  for (int i = 0; i < CALLS; i++) {
    sum += function();
  }
  double time = now() - start;
  return sum == 0 ? time / CALLS : -1;
}

static int compare(const void *one, const void *other) {
  double difference = *(const double *)one - *(const double *)other;
  return (difference > 0) - (difference < 0);
}

static double median(double *values) {
  qsort(values, TURNS, sizeof *values, compare);
  return values[TURNS / 2];
}

static question *load(const char *path, const char *name) {
  question *function = NULL;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *symbol = library != NULL ? dlsym(library, name) : NULL;
  if (symbol == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  memcpy(&function, &symbol, sizeof symbol);
  return function;
}

int main(int count, char **arguments) {
  if (count != 3) {
    return 2;
  }
  double ours[TURNS], baseline[TURNS];
  question *our_function = load(arguments[1], "wallet_core_is_initialized");
  question *baseline_function = load(arguments[2], "baseline_is_initialized");
  for (int i = 0; i < TURNS; i++) {
    ours[i] = nanoseconds_per_call(our_function);
    baseline[i] = nanoseconds_per_call(baseline_function);
  }
  printf("%.2f %.2f\n", median(ours), median(baseline));
  return 0;
}
