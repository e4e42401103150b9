/* This process: who it is, its environment, its limits, its end. */
#ifndef WALLET_POSIX_PROCESS_H
#define WALLET_POSIX_PROCESS_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static inline int32_t wallet_process_identifier(void) {
  return (int32_t)getpid();
}

static inline uint32_t wallet_process_effective_user(void) {
  return (uint32_t)geteuid();
}

/* Ends the process with a signal that nothing can catch. */
__attribute__((noreturn)) static inline void wallet_process_kill(void) {
  (void)kill(getpid(), SIGKILL);
  /* The signal is on its way. */
  for (;;) (void)pause();
}

/* Has `exit` call `handler`, the last registered first. */
static inline int wallet_process_at_exit(void (*handler)(void)) {
  return atexit(handler) == 0 ? 0 : ENOMEM;
}

/* Has each child of a fork call `handler` before anything else. */
static inline int wallet_process_in_forked_child(void (*handler)(void)) {
  return pthread_atfork(NULL, NULL, handler);
}

/* The value of a variable, or NULL; valid until the environment is changed. */
static inline const char *wallet_environment_value(const char *name) {
  return getenv(name);
}

/* Overwrites the value of a variable, where the system shows it to others, and removes the variable. Not
 * while another thread reads the environment. */
static inline void wallet_environment_wipe(const char *name) {
  char *value = getenv(name);
  if (!value) return;
  memset(value, 0, strlen(value));
  (void)unsetenv(name);
}

/* Raises how many files the process may open to `wanted`, as far as that is allowed. False where fewer stay,
 * with their count. */
static inline bool wallet_process_allow_open_files(uint64_t wanted, uint64_t *allowed) {
  struct rlimit limit;
  *allowed = wanted;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= (rlim_t)wanted) return true;
  limit.rlim_cur = (rlim_t)wanted < limit.rlim_max ? (rlim_t)wanted : limit.rlim_max;
  *allowed = (uint64_t)limit.rlim_cur;
  return setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= (rlim_t)wanted;
}

/* The unit of processor times in /proc: so many of them are a second. */
static inline int64_t wallet_process_ticks_per_second(void) {
  return (int64_t)sysconf(_SC_CLK_TCK);
}

static inline int64_t wallet_process_page_bytes(void) {
  return (int64_t)sysconf(_SC_PAGESIZE);
}

/* Hands on what was printed and is still in the memory of the C library. */
static inline void wallet_process_flush_output(void) {
  (void)fflush(NULL);
}

enum { wallet_standard_error = STDERR_FILENO };

#endif
