#include "phone.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "contexts.h"
#include "checks.h"
#include "perform.h"
#include "requests.h"

enum { CLIENTS = 128, KEPT_EVENTS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static wallet_core_client slots[SLOTS], all[CLIENTS];
static size_t count;
static struct step newest;
static _Atomic(wallet_core_event *) kept[KEPT_EVENTS];
static atomic_uint kept_next;
static atomic_int is_peaceful, hooked_threads;
static atomic_long events;

void phone_begin(void) {
  memset(slots, 0, sizeof slots);
  memset(&newest, 0, sizeof newest);
  count = 0;
  atomic_store(&is_peaceful, 0);
}

wallet_core_client phone_client(uint8_t number) {
  if (number >= 240) return id_argument(number);
  pthread_mutex_lock(&lock);
  wallet_core_client client = slots[number % SLOTS];
  pthread_mutex_unlock(&lock);
  return client;
}

void phone_attached(uint8_t number, wallet_core_client client) {
  pthread_mutex_lock(&lock);
  slots[number % SLOTS] = client;
  if (count < CLIENTS) all[count++] = client;
  pthread_mutex_unlock(&lock);
}

size_t phone_clients(const wallet_core_client **clients) {
  *clients = all;
  return count;
}

static void remember_step(const wallet_core_event *event) {
  if (wallet_core_event_kind(event) != WALLET_CORE_EVENT_STEP) return;
  struct step step = {
      .serial = wallet_core_event_step_serial(event), .input = wallet_core_event_step_input(event)};
  size_t actions = wallet_core_event_step_action_count(event);
  while (step.count < actions && step.count < ACTIONS) {
    const char *action = wallet_core_event_step_action(event, step.count);
    snprintf(step.actions[step.count++], sizeof step.actions[0], "%s", action);
  }
  pthread_mutex_lock(&lock);
  if (step.serial > newest.serial) newest = step;
  pthread_mutex_unlock(&lock);
}

struct step phone_step(void) {
  pthread_mutex_lock(&lock);
  struct step step = newest;
  pthread_mutex_unlock(&lock);
  return step;
}

void phone_event(wallet_core_client client, wallet_core_event *event) {
  check_event(event);
  atomic_fetch_add(&events, 1);
  remember_step(event);
  if (wallet_core_event_kind(event) == WALLET_CORE_EVENT_COMPLETION) request_ended(event, client);
  unsigned place = atomic_fetch_add(&kept_next, 1) % KEPT_EVENTS;
  wallet_core_event_free(atomic_exchange(&kept[place], event));
}

long phone_events(void) {
  return atomic_load(&events);
}

void phone_free(uint8_t number) {
  wallet_core_event *event = atomic_exchange(&kept[number % KEPT_EVENTS], NULL);
  if (event != NULL) check_event(event);
  wallet_core_event_free(event);
}

static void run_inside(void) {
  const struct operation *operation = atomic_load(&is_peaceful) ? NULL : perform_next(PLACE_EVENT);
  if (operation == NULL) return;
  inside = INSIDE_CALLBACK;
  perform(operation);
  inside = INSIDE_NOTHING;
}

void phone_on_event(void *context, wallet_core_event *event) {
  context_enter(context);
  phone_event(context_client(context), event);
  run_inside();
  context_leave(context);
}

/* Nothing of the library may be called here. */
void phone_on_wakeup(void *context) {
  context_enter(context);
  context_leave(context);
}

void phone_on_log(
    void *context, wallet_core_log_level level, const char *subsystem, const char *message) {
  (void)context;
  if (level < WALLET_CORE_LOG_ERROR || level > WALLET_CORE_LOG_DEBUG || *subsystem == 0) {
    check_failed("a line of the log has no level or subsystem");
  }
  check_text("the log", message);
}

void phone_on_thread_start(void *context) {
  (void)context;
  atomic_fetch_add(&hooked_threads, 1);
}

void phone_on_thread_stop(void *context) {
  (void)context;
  if (atomic_fetch_sub(&hooked_threads, 1) <= 0) check_failed("a thread stops that never began");
}

void phone_make_peace(void) {
  atomic_store(&is_peaceful, 1);
}

int phone_hooked_threads(void) {
  return atomic_load(&hooked_threads);
}
