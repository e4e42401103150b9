#include "run.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <wallet_core_testing.h>

#include "arguments.h"
#include "bridges.h"
#include "contexts.h"
#include "checks.h"
#include "keys.h"
#include "perform.h"
#include "phone.h"
#include "provider.h"
#include "../../ABI/process.h"
#include "requests.h"
#include "world.h"

/* How often a condition is polled, every quarter of a millisecond. */
enum { PATIENCE = TEST_PATIENCE_MS * 4 };

static void pause_briefly(void) {
  nanosleep(&(struct timespec){0, 250000}, NULL);
}

/* --- the program's threads ---------------------------------------------------------------------- */

static atomic_int running;

static void *run_thread(void *place) {
  const struct operation *operation;
  while ((operation = perform_next((enum place)(uintptr_t)place)) != NULL) perform(operation);
  atomic_fetch_sub(&running, 1);
  return NULL;
}

/* Ends waits, by advancing the clock and by interrupting waits for events. */
static void push(void) {
  const wallet_core_client *clients;
  size_t count = phone_clients(&clients);
  for (size_t i = 0; i < count; i++) (void)!wallet_core_client_interrupt(clients[i], NULL);
  wallet_core_testing_advance_clock(11000);
}

static void run_threads(void) {
  pthread_t threads[PROGRAM_THREADS];
  atomic_store(&running, PROGRAM_THREADS);
  for (uintptr_t i = 0; i < PROGRAM_THREADS; i++) {
    if (pthread_create(&threads[i], NULL, run_thread, (void *)i) != 0) check_failed("no thread");
  }
  /* Programs may wait for something that never comes; nothing here depends on how soon that is detected. */
  unsigned before = 0;
  for (int looks = 0; atomic_load(&running) > 0; looks++) {
    pause_briefly();
    unsigned now = perform_progress();
    if (now != before) looks = 0;
    before = now;
    if (looks % 16 == 15) push();
    if (looks > PATIENCE) check_failed("a call never returns");
  }
  for (int i = 0; i < PROGRAM_THREADS; i++) pthread_join(threads[i], NULL);
}

/* --- a real provider ---------------------------------------------------------------------------- */

/* Whether a request that was begun ends well; else tells how it ended. The clock is not advanced: the provider takes
   its time. */
static int ends_well(
    wallet_core_client client, wallet_core_status begun, uint64_t request,
    wallet_core_pin_outcome outcome) {
  while (begun == WALLET_CORE_OK) {
    wallet_core_event *event = NULL;
    begun = wallet_core_client_next_event(client, TEST_PATIENCE_MS, &event, NULL);
    int is_it = event != NULL && wallet_core_event_request(event) == request;
    int is_good = is_it && wallet_core_event_status(event) == WALLET_CORE_OK &&
                  wallet_core_event_pin_outcome(event) == outcome;
    if (is_it && !is_good) {
      fprintf(
          stderr, "it ended with %s, outcome %d\n",
          wallet_core_status_name(wallet_core_event_status(event)),
          wallet_core_event_pin_outcome(event));
    }
    wallet_core_event_free(event);
    if (is_it) return is_good;
  }
  fprintf(stderr, "it did not end: %s\n", wallet_core_status_name(begun));
  return 0;
}

static wallet_core_client attach(const char *name) {
  wallet_core_client client = 0;
  (void)!wallet_core_client_attach(name, 0, &client, NULL);
  return client;
}

static int registers(wallet_core_client client) {
  uint64_t request = 0;
  wallet_core_status begun = wallet_core_register(
      client, (const uint8_t *)arguments_pin, WALLET_CORE_PIN_LENGTH, &request, NULL);
  return ends_well(client, begun, request, WALLET_CORE_PIN_OUTCOME_NOT_JUDGED);
}

/* Registers a wallet, so that requests of the program can succeed; not if files were damaged, say. */
static void register_wallet(void) {
  wallet_core_client client = attach("the first");
  (void)registers(client);
  (void)!wallet_core_client_detach(client, NULL);
}

/* Whatever the program did, another wallet can be set up, and unlocked in the foreground. */
static void live_on(void) {
  wallet_core_client client = attach("afterwards");
  uint64_t request = 0;
  if (client == 0) return; /* 64 clients are attached */
  world_reset_calendar();
  wallet_core_testing_set_network_fault(WALLET_CORE_TESTING_NETWORK_OK, 0);
  provider_relay(1);
  wallet_core_status begun = wallet_core_wipe(client, &request, NULL);
  if (!ends_well(client, begun, request, WALLET_CORE_PIN_OUTCOME_NOT_JUDGED)) {
    check_failed("afterwards: wipe");
  }
  if (!registers(client)) check_failed("afterwards: register");
  if (wallet_core_lock(NULL) != WALLET_CORE_OK ||
      wallet_core_notify_lifecycle(WALLET_CORE_LIFECYCLE_FOREGROUND, NULL) != WALLET_CORE_OK) {
    check_failed("afterwards: lock");
  }
  begun = wallet_core_unlock(
      client, (const uint8_t *)arguments_pin, WALLET_CORE_PIN_LENGTH, &request, NULL);
  if (!ends_well(client, begun, request, WALLET_CORE_PIN_OUTCOME_VALID)) {
    check_failed("afterwards: unlock");
  }
  if (wallet_core_client_detach(client, NULL) != WALLET_CORE_OK) check_failed("afterwards: detach");
  provider_relay(0);
}

/* --- the end ------------------------------------------------------------------------------------ */

/* Waits until `is_done`, while it advances the clock. */
static void await(int (*is_done)(wallet_core_client), wallet_core_client client, const char *what) {
  for (int looks = 0; !is_done(client); looks++) {
    if (looks > PATIENCE) check_failed("%s", what);
    if (looks % 16 == 15) wallet_core_testing_advance_clock(11000);
    bridges_make_peace(); /* calls kept by a function that was already running */
    pause_briefly();
  }
}

/* Takes the events in the queue. Done when every request has its completion, or the client is gone. */
static int is_answered(wallet_core_client client) {
  wallet_core_event *event = NULL;
  wallet_core_status status;
  while ((status = wallet_core_client_next_event(client, 0, &event, NULL)) == WALLET_CORE_OK ||
         status == WALLET_CORE_ERROR_INTERRUPTED) {
    if (event != NULL) phone_event(client, event);
    event = NULL;
  }
  return status == WALLET_CORE_ERROR_CLIENT_DETACHED || requests_open(client) == 0;
}

static int is_quiet(wallet_core_client unused) {
  (void)unused;
  return contexts_running() == 0;
}

static int are_bridges_released(wallet_core_client unused) {
  (void)unused;
  return bridges_unreleased() == 0;
}

static int have_threads_ended(wallet_core_client unused) {
  (void)unused;
  return phone_hooked_threads() == 0;
}

/* A new engine gets everything that a first one gets. */
static void rebind(void) {
  wallet_core_client client = 0;
  if (wallet_core_client_attach("the last", WALLET_CORE_ATTACH_TAKE_OVER, &client, NULL) != 0) {
    return; /* 64 clients are attached */
  }
  int kinds = 0;
  wallet_core_event *event = NULL;
  while (wallet_core_client_next_event(client, 0, &event, NULL) == WALLET_CORE_OK) {
    kinds |= 1 << wallet_core_event_kind(event);
    phone_event(client, event);
  }
  if ((kinds & 0x1E) != (1 << 1 | 1 << 2 | 1 << 4)) check_failed("a new client misses a stream");
  int32_t is_locked = 0;
  if (wallet_core_lock(NULL) != WALLET_CORE_OK ||
      wallet_core_is_locked(&is_locked, NULL) != WALLET_CORE_OK || !is_locked) {
    check_failed("lock leaves the wallet unlocked");
  }
  if (wallet_core_client_detach(client, NULL) != WALLET_CORE_OK) check_failed("no detach");
}

static void end_client(wallet_core_client client) {
  (void)!wallet_core_clear_event_callback(client, 0, NULL);
  await(is_answered, client, "a request has no completion");
  struct contexts_set before = contexts_before_detach(client);
  requests_detaching(client);
  wallet_core_status status = wallet_core_client_detach(client, NULL);
  if (status == WALLET_CORE_OK) {
    contexts_after_detach(client, &before);
  } else if (status != WALLET_CORE_ERROR_CLIENT_DETACHED) {
    check_failed("detach at the end: %s", wallet_core_status_name(status));
  }
}

static void end_wallet(int is_real) {
  phone_make_peace();
  wallet_core_testing_set_network_fault(WALLET_CORE_TESTING_NETWORK_NO_INTERNET, -1);
  bridges_make_peace();
  bridges_hand_over(0, 0);
  if (wallet_core_is_initialized()) {
    const wallet_core_client *clients;
    size_t count = phone_clients(&clients);
    for (size_t i = 0; i < count; i++) end_client(clients[i]);
    await(are_bridges_released, 0, "the contexts of replaced bridges are not released");
    if (is_real) live_on();
    rebind();
  }
  await(is_quiet, 0, "host code never returns");
  requests_check();
  contexts_check();
  for (uint8_t i = 0; i < 4; i++) phone_free(i);
}

/* Files are changed only while no wallet has them open, because open files belong to the library alone. */
static void damage_files(const struct program *program) {
  for (size_t i = 0; i < program->count; i++) {
    const uint8_t *numbers = program->operations[i].arguments;
    if (program->operations[i].function != FUNCTION_DAMAGE) continue;
    world_damage(numbers[0], (size_t)numbers[1] * 256 + numbers[2], numbers[3]);
  }
}

void run(const struct program *program) {
  static int threads_before;
  const int is_real = program->world[WORLD_PROVIDER] % 2 == 1 && provider_is_real();
  const int is_registered = program->world[WORLD_WALLET] % 2 == 1 && !is_real;
  const uint8_t left_out = is_real ? 0 : program->world[WORLD_LEFT_OUT];
  const char *storage = world_begin(is_registered);
  damage_files(program);
  keys_begin(is_registered);
  bridges_begin(storage);
  phone_begin();
  provider_answer(0);
  provider_relay(is_real);
  perform_begin(program, left_out & 8 ? NULL : storage);
  wallet_core_testing_set_network_fault(is_real ? 0 : program->world[WORLD_NETWORK] % 4, -1);
  perform_fixture(left_out);
  if (is_real) register_wallet();
  run_threads();
  end_wallet(is_real);
  (void)
      wallet_core_testing_reset_process(); /* waits for a second only: the hooks tell which threads are left */
  contexts_forget();
  requests_forget();
  await(have_threads_ended, 0, "a thread is left behind");
  /* The first program starts threads that remain: those of sanitizers and the C library. */
  int threads = threads_before > 0 ? process_threads_settle(threads_before) : process_threads();
  if (threads_before > 0 && threads > threads_before) check_failed("threads do not end");
  threads_before = threads;
  world_end();
}
