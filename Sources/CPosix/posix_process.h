/* This process: its id and user, its environment, its limits and its exit. */
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
  /* Waits until the signal is delivered. */
  for (;;) (void)pause();
}

/* Ends the process with `status`. The output is flushed, but no exit handler and no finalizer of a library runs. */
__attribute__((noreturn)) static inline void wallet_process_end(int status) {
  (void)fflush(NULL);
  _exit(status);
}

/* Registers `handler` to run in `exit`; the last one registered runs first. */
static inline int wallet_process_at_exit(void (*handler)(void)) {
  return atexit(handler) == 0 ? 0 : ENOMEM;
}

/* Registers `handler` to run in each child of a fork, before any other code of the child. */
static inline int wallet_process_in_forked_child(void (*handler)(void)) {
  return pthread_atfork(NULL, NULL, handler);
}

/* The value of a variable, or NULL. Valid until the environment changes. */
static inline const char *wallet_environment_value(const char *name) {
  return getenv(name);
}

/* Overwrites the value of a variable, because other processes can read the original memory, and removes the
 * variable. Must not be called while another thread reads the environment. */
static inline void wallet_environment_wipe(const char *name) {
  char *value = getenv(name);
  if (!value) return;
  memset(value, 0, strlen(value));
  (void)unsetenv(name);
}

/* Raises the number of files that the process may open to `wanted`, or as far as the system allows. Returns
 * false if the limit stays lower; `allowed` is that limit. */
static inline bool wallet_process_allow_open_files(uint64_t wanted, uint64_t *allowed) {
  struct rlimit limit;
  *allowed = wanted;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= (rlim_t)wanted) return true;
  limit.rlim_cur = (rlim_t)wanted < limit.rlim_max ? (rlim_t)wanted : limit.rlim_max;
  *allowed = (uint64_t)limit.rlim_cur;
  return setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= (rlim_t)wanted;
}

/* The number of clock ticks in a second. /proc gives processor times in ticks. */
static inline int64_t wallet_process_ticks_per_second(void) {
  return (int64_t)sysconf(_SC_CLK_TCK);
}

static inline int64_t wallet_process_page_bytes(void) {
  return (int64_t)sysconf(_SC_PAGESIZE);
}

/* Flushes the output buffers of the C library. */
static inline void wallet_process_flush_output(void) {
  (void)fflush(NULL);
}

enum { wallet_standard_error = STDERR_FILENO };

#endif
