#include "measure.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int64_t measure_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int compare(const void *one, const void *other) {
  double difference = *(const double *)one - *(const double *)other;
  return (difference > 0) - (difference < 0);
}

double measure_quantile(double *values, size_t count, double share) {
  qsort(values, count, sizeof *values, compare);
  size_t index = (size_t)((double)count * share);
  return values[index < count ? index : count - 1];
}

double measure_median(double *values, size_t count) {
  return measure_quantile(values, count, 0.5);
}

void measure_print(const char *measure, const char *subject, double value) {
  printf("%s\t%s\t%.3f\n", measure, subject, value);
  fflush(stdout);
}

void *measure_load(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    measure_fail(dlerror());
  }
  return library;
}

measure_function *measure_symbol(void *library, const char *name) {
  measure_function *function = NULL;
  void *symbol = dlsym(library, name);
  if (symbol == NULL) {
    measure_fail(dlerror());
  }
  memcpy(&function, &symbol, sizeof symbol);
  return function;
}

int64_t measure_resident(const char *kind) {
  char line[128];
  int64_t kibibytes = -1;
  size_t length = strlen(kind);
  FILE *file = fopen("/proc/self/status", "r");
  while (file != NULL && kibibytes < 0 && fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, kind, length) == 0 && line[length] == ':') {
      kibibytes = strtoll(line + length + 1, NULL, 10);
    }
  }
  if (file == NULL || kibibytes < 0) {
    measure_fail("the system does not say how much memory is resident");
  }
  fclose(file);
  return kibibytes * 1024;
}

_Noreturn void measure_fail(const char *what) {
  fprintf(stderr, "benchmark: %s\n", what);
  exit(1);
}
