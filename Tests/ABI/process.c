#include "process.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

const uint8_t *process_file(const char *path, size_t *length) {
  static uint8_t bytes[256 * 1024];
  static size_t count;
  if (count == 0) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
      perror(path);
      return NULL;
    }
    count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
  }
  *length = count;
  return bytes;
}

int64_t process_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void process_sleep(int milliseconds) {
  struct timespec time = {milliseconds / 1000, (milliseconds % 1000) * 1000000L};
  nanosleep(&time, NULL);
}

int process_threads(void) {
  DIR *directory = opendir("/proc/self/task");
  int count = 0;
  for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
    count += entry->d_name[0] != '.';
  }
  if (directory != NULL) {
    closedir(directory);
  }
  return count;
}

int process_threads_settle(int most) {
  int count = process_threads();
  const int64_t deadline = process_now() + TEST_PATIENCE_MS;
  while (count > most && process_now() < deadline) {
    process_sleep(10);
    count = process_threads();
  }
  return count;
}

struct process_signals process_signals_now(void) {
  struct process_signals signals;
  memset(&signals, 0, sizeof signals);
  for (int number = 1; number <= 64; number++) {
    sigaction(number, NULL, &signals.actions[number]);
  }
  pthread_sigmask(SIG_SETMASK, NULL, &signals.mask);
  sigaltstack(NULL, &signals.stack);
  return signals;
}

static int sets_differ(const sigset_t *one, const sigset_t *other) {
  for (int number = 1; number <= 64; number++) {
    if (sigismember(one, number) != sigismember(other, number)) {
      return 1;
    }
  }
  return 0;
}

int process_signals_differ(
    const struct process_signals *before, const struct process_signals *after) {
  for (int number = 1; number <= 64; number++) {
    const struct sigaction *one = &before->actions[number];
    const struct sigaction *other = &after->actions[number];
    if (one->sa_handler != other->sa_handler || one->sa_flags != other->sa_flags ||
        sets_differ(&one->sa_mask, &other->sa_mask)) {
      return number;
    }
  }
  if (sets_differ(&before->mask, &after->mask)) {
    return -1;
  }
  return before->stack.ss_sp != after->stack.ss_sp ||
                 before->stack.ss_flags != after->stack.ss_flags
             ? -2
             : 0;
}
