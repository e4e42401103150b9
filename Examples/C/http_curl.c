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
static int is_leaving;

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

static void join_ended(void) {
  sending *it, *next;
  pthread_mutex_lock(&lock);
  it = ended;
  ended = NULL;
  pthread_mutex_unlock(&lock);
  for (; it != NULL; it = next) {
    next = it->next;
    pthread_join(it->thread, NULL);
    free(it);
  }
}

/* Returns whether it was started. */
static int start(sending *it) {
  int is_started;
  pthread_mutex_lock(&lock);
  it->next = under_way;
  under_way = it;
  is_started = !is_leaving && pthread_create(&it->thread, NULL, run, it) == 0;
  if (!is_started) unlink_sending(it);
  pthread_mutex_unlock(&lock);
  return is_started;
}

static void send_request(void *context, uint64_t call, const wallet_core_http_request *request) {
  sending *it = calloc(1, sizeof *it);
  (void)context;
  join_ended();
  if (it != NULL) it->transfer = http_transfer_new(call, request);
  if (it != NULL && it->transfer != NULL && start(it)) return;
  refuse(call);
  if (it != NULL && it->transfer != NULL) http_transfer_free(it->transfer);
  free(it);
}

static void cancel_request(void *context, uint64_t call) {
  (void)context;
  pthread_mutex_lock(&lock);
  for (sending *it = under_way; it != NULL; it = it->next) {
    if (it->transfer->call == call) atomic_store(&it->transfer->is_cancelled, 1);
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
  while (under_way != NULL && pthread_cond_timedwait(&changed, &lock, &deadline) == 0) continue;
  pthread_mutex_unlock(&lock);
  join_ended();
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
