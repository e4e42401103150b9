/* What a program knows of the wallet: its clients, the newest step, events that are not freed yet. */
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

/* A number of a program: one of the slots, or what is no client. */
wallet_core_client phone_client(uint8_t number);

void phone_attached(uint8_t number, wallet_core_client client);

/* All that were ever attached; the count. */
size_t phone_clients(const wallet_core_client **clients);

/* Takes an event in, from a callback or next_event. Later another thread may free it. */
void phone_event(wallet_core_client client, wallet_core_event *event);

/* How many events were taken in. */
long phone_events(void);

/* Frees an event that was kept. */
void phone_free(uint8_t number);

struct step phone_step(void);

/* Host code that is given to the library. */
void phone_on_event(void *context, wallet_core_event *event);
void phone_on_wakeup(void *context);
void phone_on_log(void *context, int32_t level, const char *subsystem, const char *message);
void phone_on_thread_start(void *context);
void phone_on_thread_stop(void *context);

/* No program runs inside of callbacks any more. */
void phone_make_peace(void);

/* Threads that were begun and have not ended, as the hooks tell it. */
int phone_hooked_threads(void);

#endif
