/* One line per check, in the form that Tests/ABI/run.sh counts. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int check_failures;

#define CHECK(name, condition) check((condition) != 0, (name), __FILE__, __LINE__)

static inline int check(int condition, const char *name, const char *file, int line) {
  if (condition) {
    printf("ok - %s\n", name);
  } else {
    printf("not ok - %s (%s:%d)\n", name, file, line);
    check_failures += 1;
  }
  fflush(stdout);
  return condition;
}

/* What main returns. */
static inline int check_result(void) {
  return check_failures == 0 ? 0 : 1;
}

#endif
