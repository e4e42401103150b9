#include "requests.h"

#include <pthread.h>

#include "checks.h"

enum { REQUESTS = 512 };

struct request {
  const char *function;
  wallet_core_client client;
  uint64_t number;
  const int32_t *answers;
};

struct completion {
  wallet_core_client client;
  uint64_t number;
  wallet_core_status status;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct request requests[REQUESTS];
static struct completion completions[REQUESTS];
static wallet_core_client detaching[REQUESTS];
static int request_count, completion_count, detaching_count;

void request_begun(
    const char *function, wallet_core_client client, uint64_t number, const int32_t *answers) {
  pthread_mutex_lock(&lock);
  if (request_count < REQUESTS) {
    requests[request_count++] = (struct request){function, client, number, answers};
  }
  pthread_mutex_unlock(&lock);
}

void requests_detaching(wallet_core_client client) {
  pthread_mutex_lock(&lock);
  if (detaching_count < REQUESTS) detaching[detaching_count++] = client;
  pthread_mutex_unlock(&lock);
}

static int is_detaching(wallet_core_client client) {
  for (int i = 0; i < detaching_count; i++) {
    if (detaching[i] == client) return 1;
  }
  return 0;
}

void request_ended(const wallet_core_event *event, wallet_core_client client) {
  uint64_t number = wallet_core_event_request(event);
  pthread_mutex_lock(&lock);
  for (int i = 0; i < completion_count; i++) {
    if (completions[i].client == client && completions[i].number == number) {
      check_failed("request %llu has two completions", (unsigned long long)number);
    }
  }
  if (completion_count < REQUESTS) {
    completions[completion_count++] =
        (struct completion){client, number, wallet_core_event_status(event)};
  }
  pthread_mutex_unlock(&lock);
}

int requests_open(wallet_core_client client) {
  int open = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < request_count; i++) open += requests[i].client == client;
  for (int i = 0; i < completion_count; i++) open -= completions[i].client == client;
  pthread_mutex_unlock(&lock);
  return open;
}

/* The request of a completion; NULL if the host did not ask for its number. */
static const struct request *request_of(const struct completion *completion) {
  int nameless = 0;
  for (int i = 0; i < request_count; i++) {
    if (requests[i].client != completion->client) continue;
    if (requests[i].number == completion->number) return &requests[i];
    nameless += requests[i].number == 0;
  }
  if (nameless == 0) check_failed("a completion of a request that was never made");
  return NULL;
}

void requests_check(void) {
  for (int i = 0; i < completion_count; i++) {
    const struct request *request = request_of(&completions[i]);
    int is_cut_off = completions[i].status == WALLET_CORE_ERROR_CLIENT_DETACHED &&
                     is_detaching(completions[i].client);
    if (request != NULL && !is_cut_off)
      check_status(request->function, completions[i].status, request->answers);
    if (requests_open(completions[i].client) < 0) check_failed("more completions than requests");
  }
}

void requests_forget(void) {
  request_count = completion_count = detaching_count = 0;
}
