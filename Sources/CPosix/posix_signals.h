/* Keeps SIGPIPE from the host while a thread may write to a closed connection. */
#ifndef WALLET_POSIX_SIGNALS_H
#define WALLET_POSIX_SIGNALS_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* The state that `wallet_broken_pipe_restore` restores. */
typedef struct wallet_broken_pipe {
  sigset_t before;
  bool is_blocked;
} wallet_broken_pipe;

/* Blocks SIGPIPE on this thread, unless a SIGPIPE is pending already. */
static inline void wallet_broken_pipe_block(wallet_broken_pipe *state) {
  sigset_t pipe, pending;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigemptyset(&pending);
  sigpending(&pending);
  state->is_blocked = sigismember(&pending, SIGPIPE) == 0;
  if (state->is_blocked) (void)pthread_sigmask(SIG_BLOCK, &pipe, &state->before);
}

/* Discards a SIGPIPE that was raised since `wallet_broken_pipe_block`, and restores the signal
 * mask. Call it on the same thread. */
static inline void wallet_broken_pipe_restore(const wallet_broken_pipe *state) {
  if (!state->is_blocked) return;
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
#if defined(__APPLE__)
  /* Apple's systems have no sigtimedwait. */
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  int taken;
  if (sigismember(&pending, SIGPIPE) == 1) (void)sigwait(&pipe, &taken);
#else
  /* Android has sigtimedwait since API level 23. */
  const struct timespec now = {0, 0};
  while (sigtimedwait(&pipe, NULL, &now) < 0 && errno == EINTR) {
  }
#endif
  (void)pthread_sigmask(SIG_SETMASK, &state->before, NULL);
}

#endif
