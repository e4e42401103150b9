// SPDX-License-Identifier: Apache-2.0
#include "http_curl.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "http_transfer.h"

/* The requests under way, each on a thread of its own. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static http_transfer *under_way;

static void refuse(uint64_t call) {
  wallet_core_http_response response = {.struct_size = sizeof response};
  response.outcome = WALLET_CORE_HTTP_NOT_CONNECTED;
  wallet_core_http_reply(call, &response);
}

static void end(http_transfer *transfer) {
  pthread_mutex_lock(&lock);
  for (http_transfer **link = &under_way; *link != NULL; link = &(*link)->next) {
    if (*link == transfer) {
      *link = transfer->next;
      break;
    }
  }
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  http_transfer_free(transfer);
}

static void *run(void *context) {
  http_transfer_run(context);
  end(context);
  return NULL;
}

static void send_request(void *context, uint64_t call, const wallet_core_http_request *request) {
  http_transfer *transfer = http_transfer_new(call, request);
  pthread_t thread;
  (void)context;
  if (transfer == NULL) {
    refuse(call);
    return;
  }
  pthread_mutex_lock(&lock);
  transfer->next = under_way;
  under_way = transfer;
  pthread_mutex_unlock(&lock);
  if (pthread_create(&thread, NULL, run, transfer) == 0) {
    pthread_detach(thread);
  } else {
    refuse(call);
    end(transfer);
  }
}

static void cancel_request(void *context, uint64_t call) {
  (void)context;
  pthread_mutex_lock(&lock);
  for (http_transfer *it = under_way; it != NULL; it = it->next) {
    if (it->call == call) atomic_store(&it->is_cancelled, 1);
  }
  pthread_mutex_unlock(&lock);
}

/* OpenSSL cleans up at exit. A thread that is inside libcurl then would crash the process. */
static void wait_at_exit(void) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 5;
  pthread_mutex_lock(&lock);
  for (http_transfer *it = under_way; it != NULL; it = it->next) {
    atomic_store(&it->is_cancelled, 1);
  }
  while (under_way != NULL && pthread_cond_timedwait(&changed, &lock, &deadline) == 0) continue;
  pthread_mutex_unlock(&lock);
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
