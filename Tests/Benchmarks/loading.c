/*
 * loading LIBRARY FUNCTION
 *
 * In a fresh process: microseconds from dlopen to the return of the first call, the threads after
 * it, and how many signal dispositions it changed.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "process.h"

int main(int count, char **arguments) {
  if (count != 3) {
    return 2;
  }
  int32_t (*function)(void) = NULL;
  struct timespec start, end;
  struct process_signals before = process_signals_now();
  clock_gettime(CLOCK_MONOTONIC, &start);
  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  void *symbol = library != NULL ? dlsym(library, arguments[2]) : NULL;
  if (symbol == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  memcpy(&function, &symbol, sizeof symbol);
  function();
  clock_gettime(CLOCK_MONOTONIC, &end);
  struct process_signals after = process_signals_now();
  double time =
      (double)(end.tv_sec - start.tv_sec) * 1e6 + (double)(end.tv_nsec - start.tv_nsec) / 1e3;
  printf("%.0f %d %d\n", time, process_threads(), process_signals_differ(&before, &after) != 0);
  return 0;
}
