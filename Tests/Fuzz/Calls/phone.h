/* A program's state: its clients, the newest step, events that are not freed yet. */
#ifndef PHONE_H
#define PHONE_H

#include <stdint.h>
#include <wallet_core.h>

enum { SLOTS = 8, ACTIONS = 8 };

struct step {
  uint64_t serial;
  int32_t input;
  size_t count;
  char actions[ACTIONS][65];
};

void phone_begin(void);

/* The client for a number of a program: one of the slots, or an invalid client. */
wallet_core_client phone_client(uint8_t number);

void phone_attached(uint8_t number, wallet_core_client client);

/* All that were ever attached; the count. */
size_t phone_clients(const wallet_core_client **clients);

/* Checks and keeps an event from a callback or next_event. Another thread may free it later. */
void phone_event(wallet_core_client client, wallet_core_event *event);

/* How many events were received. */
long phone_events(void);

/* Frees an event that was kept. */
void phone_free(uint8_t number);

struct step phone_step(void);

/* Host code that is passed to the library. */
void phone_on_event(void *context, wallet_core_event *event);
void phone_on_wakeup(void *context);
void phone_on_log(
    void *context, wallet_core_log_level level, const char *subsystem, const char *message);
void phone_on_thread_start(void *context);
void phone_on_thread_stop(void *context);

/* From now on no operations run inside callbacks. */
void phone_make_peace(void);

/* Threads that were started and have not ended, according to the hooks. */
int phone_hooked_threads(void);

#endif
