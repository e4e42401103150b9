/* Threads, a lock with a condition, and thread-local values. See posix_errors.h for what is returned. */
#ifndef WALLET_POSIX_THREADS_H
#define WALLET_POSIX_THREADS_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#if defined(__linux__) && !defined(__BIONIC__)
/* An extension of glibc and musl, which Swift's module of the C library does not declare. */
extern int pthread_setname_np(pthread_t thread, const char *name);
#endif

/* Starts a thread with all signals blocked; the thread sets its mask with `wallet_thread_begin`. It must be
 * joined or detached, once. */
static inline int wallet_thread_create(uintptr_t *thread, void *(*body)(void *), void *argument) {
  pthread_t handle;
  sigset_t all, before;
  sigfillset(&all);
  (void)pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&handle, NULL, body, argument);
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  /* pthread_t is a pointer or a number, depending on the system. */
  if (error == 0) *thread = (uintptr_t)handle;
  return error;
}

/* Sets the name of the calling thread, at most 15 bytes, and its signal mask. The mask is empty
 * or, if `blocks_signals`, full except for the faults of the thread itself. A fault that is blocked
 * would end the process without any report. */
static inline void wallet_thread_begin(const char *name, bool blocks_signals) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
  sigset_t mask;
#if defined(__APPLE__)
  (void)pthread_setname_np(name);
#else
  (void)pthread_setname_np(pthread_self(), name);
#endif
  sigemptyset(&mask);
  if (blocks_signals) {
    sigfillset(&mask);
    for (size_t index = 0; index < sizeof faults / sizeof *faults; index++) {
      sigdelset(&mask, faults[index]);
    }
  }
  (void)pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

static inline void wallet_thread_join(uintptr_t thread) {
  (void)pthread_join((pthread_t)thread, NULL);
}

static inline void wallet_thread_detach(uintptr_t thread) {
  (void)pthread_detach((pthread_t)thread);
}

/* A thread-local number, 0 at first. */
static inline int wallet_thread_key_create(uintptr_t *key) {
  pthread_key_t made;
  int error = pthread_key_create(&made, NULL);
  if (error == 0) *key = (uintptr_t)made;
  return error;
}

static inline intptr_t wallet_thread_key_value(uintptr_t key) {
  return (intptr_t)pthread_getspecific((pthread_key_t)key);
}

static inline void wallet_thread_key_set(uintptr_t key, intptr_t value) {
  (void)pthread_setspecific((pthread_key_t)key, (const void *)value);
}

/* A lock with one condition. It stays at its address from `init` to `destroy`. */
typedef struct wallet_condition {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
} wallet_condition;

static inline void wallet_condition_init(wallet_condition *condition) {
  (void)pthread_mutex_init(&condition->mutex, NULL);
#if defined(__APPLE__)
  (void)pthread_cond_init(&condition->changed, NULL);
#else
  pthread_condattr_t attributes;
  (void)pthread_condattr_init(&attributes);
  (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  (void)pthread_cond_init(&condition->changed, &attributes);
  (void)pthread_condattr_destroy(&attributes);
#endif
}

static inline void wallet_condition_destroy(wallet_condition *condition) {
  (void)pthread_cond_destroy(&condition->changed);
  (void)pthread_mutex_destroy(&condition->mutex);
}

static inline void wallet_condition_lock(wallet_condition *condition) {
  (void)pthread_mutex_lock(&condition->mutex);
}

static inline void wallet_condition_unlock(wallet_condition *condition) {
  (void)pthread_mutex_unlock(&condition->mutex);
}

static inline void wallet_condition_wake_all(wallet_condition *condition) {
  (void)pthread_cond_broadcast(&condition->changed);
}

/* Releases the lock, waits to be woken and takes the lock again. May return without a wake-up. */
static inline void wallet_condition_sleep(wallet_condition *condition) {
  (void)pthread_cond_wait(&condition->changed, &condition->mutex);
}

/* Like `wallet_condition_sleep`, but waits at most `milliseconds`. Changes of the date have no
 * effect on the wait. */
static inline void wallet_condition_sleep_for(wallet_condition *condition, int64_t milliseconds) {
  /* Longer than any process runs. A longer time would overflow on some systems. */
  const int64_t longest = INT64_C(1000) << 30;
  if (milliseconds > longest) milliseconds = longest;
  struct timespec wake;
#if defined(__APPLE__)
  wake.tv_sec = (time_t)(milliseconds / 1000);
  wake.tv_nsec = (long)(milliseconds % 1000) * 1000000;
  (void)pthread_cond_timedwait_relative_np(&condition->changed, &condition->mutex, &wake);
#else
  (void)clock_gettime(CLOCK_MONOTONIC, &wake);
  wake.tv_sec += (time_t)(milliseconds / 1000);
  wake.tv_nsec += (long)(milliseconds % 1000) * 1000000;
  if (wake.tv_nsec >= 1000000000) {
    wake.tv_sec += 1;
    wake.tv_nsec -= 1000000000;
  }
  (void)pthread_cond_timedwait(&condition->changed, &condition->mutex, &wake);
#endif
}

/* Makes a key for a word of memory in each thread. The word is freed when its thread ends. */
static inline int wallet_thread_word_create(uintptr_t *key) {
  pthread_key_t made;
  int error = pthread_key_create(&made, free);
  if (error == 0) *key = (uintptr_t)made;
  return error;
}

/* The word of the calling thread, 0 at first; NULL if there is no memory for it. */
static inline intptr_t *wallet_thread_word(uintptr_t key) {
  intptr_t *word = (intptr_t *)pthread_getspecific((pthread_key_t)key);
  if (word != NULL) return word;
  word = (intptr_t *)calloc(1, sizeof *word);
  if (word != NULL && pthread_setspecific((pthread_key_t)key, word) != 0) {
    free(word);
    return NULL;
  }
  return word;
}

#endif
