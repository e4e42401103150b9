/* The three ways to take events from the one queue: pull, wake-up, push; and the streams by name. */

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "check.h"
#include "host.h"
#include "process.h"

static wallet_core_client client;

/* The kind of the next event within `timeout`, its status where there is none. */
static int32_t next_kind(int64_t timeout) {
  wallet_core_event *event = NULL;
  wallet_core_status status = wallet_core_client_next_event(client, timeout, &event, NULL);
  int32_t kind = status == WALLET_CORE_OK ? wallet_core_event_kind(event) : status;
  wallet_core_event_free(event);
  return kind;
}

static int reached(atomic_int *counter, int value) {
  const int64_t deadline = process_now() + TEST_PATIENCE_MS;
  while (atomic_load(counter) < value && process_now() < deadline) {
    process_sleep(5);
  }
  return atomic_load(counter) >= value;
}

static void *interrupt_soon(void *unused) {
  (void)unused;
  process_sleep(50);
  wallet_core_client_interrupt(client, NULL);
  return NULL;
}

static void pull(void) {
  wallet_core_event *kept = NULL;
  CHECK("attach", wallet_core_client_attach("pull", 0, &client, NULL) == WALLET_CORE_OK);
  int32_t one = next_kind(TEST_PATIENCE_MS), two = next_kind(TEST_PATIENCE_MS);
  CHECK(
      "pull: a third event",
      wallet_core_client_next_event(client, TEST_PATIENCE_MS, &kept, NULL) == 0);
  CHECK(
      "pull: the current value of every stream",
      one > 0 && two > 0 && ((1 << one) | (1 << two) | (1 << wallet_core_event_kind(kept))) == 22);
  CHECK("pull: then nothing", next_kind(0) == WALLET_CORE_ERROR_TIMEOUT);
  int64_t start = process_now();
  CHECK("pull: a time-out", next_kind(100) == WALLET_CORE_ERROR_TIMEOUT);
  CHECK("pull: that waited", process_now() - start >= 90);
  wallet_core_client_interrupt(client, NULL);
  CHECK("pull: an interrupt before the wait", next_kind(-1) == WALLET_CORE_ERROR_INTERRUPTED);
  pthread_t thread;
  pthread_create(&thread, NULL, interrupt_soon, NULL);
  CHECK("pull: an interrupt of the wait", next_kind(-1) == WALLET_CORE_ERROR_INTERRUPTED);
  pthread_join(thread, NULL);
  CHECK("detach", wallet_core_client_detach(client, NULL) == WALLET_CORE_OK);
  CHECK("pull: after the end", next_kind(-1) == WALLET_CORE_ERROR_CLIENT_DETACHED);
  CHECK(
      "an event outlives its client", strstr(wallet_core_event_json(kept, NULL), "schema") != NULL);
  wallet_core_event_free(kept);
}

static atomic_int signals, releases;

static void on_signal(void *context) {
  (void)context;
  atomic_fetch_add(&signals, 1);
}

static void on_release(void *context) {
  (void)context;
  atomic_fetch_add(&releases, 1);
}

static void wakeup(void) {
  uint64_t token = 0;
  CHECK("attach", wallet_core_client_attach("wakeup", 0, &client, NULL) == WALLET_CORE_OK);
  CHECK(
      "wake-up: set",
      wallet_core_set_wakeup(client, on_signal, NULL, on_release, &token, NULL) == WALLET_CORE_OK);
  CHECK("wake-up: called, because an event waits", reached(&signals, 1));
  process_sleep(50);
  CHECK("wake-up: once until the queue is drained", atomic_load(&signals) == 1);
  CHECK("wake-up: drain", next_kind(0) > 0 && next_kind(0) > 0 && next_kind(0) > 0);
  CHECK("wake-up: drained", next_kind(0) == WALLET_CORE_ERROR_TIMEOUT);
  uint64_t request = 0;
  wallet_core_wipe(client, &request, NULL); /* nothing to wipe: a completion, and no more */
  CHECK("wake-up: called again after a drain", reached(&signals, 2));
  wallet_core_event *completion = host_completion(client, request);
  CHECK("wake-up: the completion", wallet_core_event_status(completion) == WALLET_CORE_OK);
  wallet_core_event_free(completion);
  CHECK("wake-up: clear", wallet_core_clear_wakeup(client, token, NULL) == WALLET_CORE_OK);
  CHECK("wake-up: context released once, before clear returned", atomic_load(&releases) == 1);
  CHECK("detach", wallet_core_client_detach(client, NULL) == WALLET_CORE_OK);
}

static atomic_int pushed, kinds, by_name;
static atomic_int reentrant_detach, reentrant_next;

static void on_event(void *context, wallet_core_event *event) {
  (void)context;
  wallet_core_event *other = NULL;
  atomic_store(&reentrant_detach, wallet_core_client_detach(client, NULL));
  atomic_store(&reentrant_next, wallet_core_client_next_event(client, 0, &other, NULL));
  atomic_fetch_or(&kinds, 1 << wallet_core_event_kind(event));
  wallet_core_event_free(event);
  atomic_fetch_add(&pushed, 1);
}

static void on_stream(void *context, wallet_core_event *event) {
  atomic_int *counter = context;
  wallet_core_event_free(event);
  atomic_fetch_add(counter, 1);
}

static void push(void) {
  uint64_t old_token = 0, token = 0;
  CHECK("attach", wallet_core_client_attach("push", 0, &client, NULL) == WALLET_CORE_OK);
  CHECK(
      "push: set",
      wallet_core_set_event_callback(client, on_event, NULL, NULL, NULL, NULL) == WALLET_CORE_OK);
  CHECK("push: all current values", reached(&pushed, 3) && atomic_load(&kinds) == 22);
  CHECK("push: detach inside", atomic_load(&reentrant_detach) == WALLET_CORE_ERROR_REENTRANT);
  CHECK("push: next_event inside", atomic_load(&reentrant_next) == WALLET_CORE_ERROR_REENTRANT);
  CHECK("push: pull beside it", next_kind(0) == WALLET_CORE_ERROR_BUSY);
  CHECK(
      "push: clear gives the queue back",
      wallet_core_clear_event_callback(client, 0, NULL) == WALLET_CORE_OK &&
          next_kind(0) == WALLET_CORE_ERROR_TIMEOUT);

  static atomic_int old_events, new_events;
  wallet_core_set_lock_stream(client, on_stream, &old_events, NULL, &old_token, NULL);
  CHECK("stream: the current value at once", reached(&old_events, 1));
  wallet_core_set_lock_stream(client, on_stream, &new_events, NULL, &token, NULL);
  CHECK("stream: a new subscriber has it too", reached(&new_events, 1) && token != old_token);
  wallet_core_clear_lock_stream(client, old_token, NULL);
  wallet_core_set_configuration_stream(client, on_stream, &by_name, NULL, NULL, NULL);
  CHECK("stream: configuration", reached(&by_name, 1));
  CHECK("stream: delivered exactly once", atomic_load(&old_events) == 1);
  CHECK("stream: a clear by token", wallet_core_clear_lock_stream(client, token, NULL) == 0);
  CHECK("detach", wallet_core_client_detach(client, NULL) == WALLET_CORE_OK);
}

int main(int count, char **arguments) {
  if (count != 3 || !CHECK("start", host_start(arguments[1], arguments[2]) == WALLET_CORE_OK)) {
    return 2;
  }
  pull();
  wakeup();
  push();
  return check_result();
}
