// SPDX-License-Identifier: Apache-2.0
#include "http_curl.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "http_transfer.h"

/* A request, and the thread that carries it out. */
typedef struct sending {
  struct sending *next;
  http_transfer *transfer;
  pthread_t thread;
} sending;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
/* Those under way, and those whose threads have only to return. */
static sending *under_way, *ended;
static int joining; /* the threads that wait for such threads */
static int is_leaving;
/* The latest requests that were cancelled before they were under way. */
static uint64_t early[64];
static size_t early_count;

static void refuse(uint64_t call) {
  wallet_core_http_response response = {.struct_size = sizeof response};
  response.outcome = WALLET_CORE_HTTP_NOT_CONNECTED;
  wallet_core_http_reply(call, &response);
}

static void unlink_sending(const sending *it) {
  sending **link = &under_way;
  while (*link != it) link = &(*link)->next;
  *link = it->next;
}

static void *run(void *context) {
  sending *it = context;
  http_transfer_run(it->transfer);
  pthread_mutex_lock(&lock);
  unlink_sending(it);
  it->next = ended;
  ended = it;
  http_transfer_free(it->transfer);
  it->transfer = NULL;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return NULL;
}

/* Not during an exit, which joins them itself. */
static void join_ended(int at_exit) {
  sending *it = NULL, *next;
  pthread_mutex_lock(&lock);
  if (at_exit || !is_leaving) {
    it = ended;
    ended = NULL;
  }
  joining++;
  pthread_mutex_unlock(&lock);
  for (; it != NULL; it = next) {
    next = it->next;
    pthread_join(it->thread, NULL);
    free(it);
  }
  pthread_mutex_lock(&lock);
  joining--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

/* Returns whether it was started. */
static int start(sending *it) {
  int is_started;
  pthread_mutex_lock(&lock);
  it->next = under_way;
  under_way = it;
  for (size_t i = 0; i < sizeof early / sizeof *early; i++) {
    if (early[i] == it->transfer->call) atomic_store(&it->transfer->is_cancelled, 1);
  }
  is_started = !is_leaving && pthread_create(&it->thread, NULL, run, it) == 0;
  if (!is_started) unlink_sending(it);
  pthread_mutex_unlock(&lock);
  return is_started;
}

static void send_request(void *context, uint64_t call, const wallet_core_http_request *request) {
  sending *it = calloc(1, sizeof *it);
  (void)context;
  join_ended(0);
  if (it != NULL) it->transfer = http_transfer_new(call, request);
  if (it != NULL && it->transfer != NULL && start(it)) return;
  refuse(call);
  if (it != NULL && it->transfer != NULL) http_transfer_free(it->transfer);
  free(it);
}

/* This comes on another thread, also before the request is under way. */
static void cancel_request(void *context, uint64_t call) {
  sending *it;
  (void)context;
  pthread_mutex_lock(&lock);
  for (it = under_way; it != NULL && it->transfer->call != call;) it = it->next;
  if (it != NULL) {
    atomic_store(&it->transfer->is_cancelled, 1);
  } else {
    early[early_count++ % (sizeof early / sizeof *early)] = call;
  }
  pthread_mutex_unlock(&lock);
}

/* OpenSSL cleans up at exit. A thread that is inside libcurl then, or just ends, would crash the
   process. */
static void wait_at_exit(void) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 5;
  pthread_mutex_lock(&lock);
  is_leaving = 1;
  for (sending *it = under_way; it != NULL; it = it->next) {
    atomic_store(&it->transfer->is_cancelled, 1);
  }
  while ((under_way != NULL || joining > 0) &&
         pthread_cond_timedwait(&changed, &lock, &deadline) == 0) {
    continue;
  }
  pthread_mutex_unlock(&lock);
  join_ended(1);
}

wallet_core_status http_curl_hand_over(wallet_core_error **error) {
  static int is_ready;
  const wallet_core_http_bridge bridge = {
      .struct_size = sizeof bridge, .send = send_request, .cancel = cancel_request};
  if (!is_ready) {
    /* libcurl would write the keys of TLS connections to this file. */
    unsetenv("SSLKEYLOGFILE");
    curl_global_init(CURL_GLOBAL_DEFAULT);
    /* Registered after OpenSSL's own handler, and therefore run before it. */
    atexit(wait_at_exit);
    is_ready = 1;
  }
  return wallet_core_set_http_bridge(&bridge, error);
}
