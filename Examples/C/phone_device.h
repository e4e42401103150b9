// SPDX-License-Identifier: Apache-2.0
/*
 * The phone around the app: what Kotlin or Swift code is on a real one.
 *
 * Three bridges over software keys, a fingerprint sensor whose user is you, and the world outside:
 * network and clock. What the wallet asks arrives on threads of the library; what the user of the
 * phone does comes from the main thread.
 */
#ifndef PHONE_DEVICE_H
#define PHONE_DEVICE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <wallet_core.h>

enum { DEVICE_PATH_BYTES = 4096 };

/* What a kill of the app does not touch. It lies in memory that all lives of the app share. */
struct device {
  char directory[DEVICE_PATH_BYTES]; /* keys, and the wallet's storage */
  atomic_int platform;               /* WALLET_CORE_PLATFORM_... */
  atomic_int biometrics;             /* 0 or WALLET_CORE_BIOMETRICS_... */
  atomic_int camera;                 /* WALLET_CORE_CAMERA_... */
  atomic_int is_secure;
  atomic_int is_online;
  atomic_int has_key_store;       /* 0: the key store refuses everything */
  atomic_int network_fault;       /* WALLET_CORE_TESTING_NETWORK_... */
  _Atomic int64_t clock_moved;    /* milliseconds */
  _Atomic int64_t calendar_moved; /* seconds */
  atomic_size_t line;             /* of the script that is played */
  atomic_int is_kill_expected;
};

/* An Android phone with a lock, a fingerprint sensor, a camera and a network. */
void device_reset(struct device *device, const char *directory);

/* Hands the bridges over. `changed` is called on any thread when a prompt opens or closes. Returns 0,
   or -1 with the reason on stderr. */
int device_start(struct device *device, void (*changed)(void *context), void *context);

/* Whether the sensor waits for a finger. `is_new` receives 1 where a key is made with it. */
int device_prompt(int *is_new);

/* Waits until the sensor waits for a finger (1) or no more (0). Returns 0 after `milliseconds`. */
int device_await_prompt(int is_open, int milliseconds);

/*
 * Lays a finger on the sensor, or what else can happen there: "recognised", "not-recognised" so many
 * `times`, "cancelled", "locked-out", "locked-out-permanently", "not-enrolled", "invalidated" (the
 * enrolled fingers changed), "missing", "unavailable", "host-error". With "late-" before it answers
 * the prompt that the wallet cancelled last. Returns 0 if there is no such prompt or word.
 */
int device_finger(const char *word, int times);

/* --- the world outside: phone_world.c; 0 where this build has no control of it ------------------ */

/* The network that the wallet finds: "ok", "no-internet", "refused", "answer-lost", for `count`
   requests or, with -1, for all. */
int device_network(struct device *device, const char *word, int count);

/* Moves the wallet's clock. */
int device_move_clock(struct device *device, int64_t milliseconds);

/* Sets its calendar forward, or back. */
int device_move_calendar(struct device *device, int64_t seconds);

/* From now on the clock moves by device_move_clock() alone, where it can be moved. */
void device_stop_clock(void);

/* Has the app killed where the wallet passes the named point. */
int device_kill_at(const char *point);

/* How often the app has passed that point; -1: nobody counts. */
int64_t device_passes(const char *point);

/* In a new life of the app: clock and network are as they were. Call it before wallet_core_init(). */
void device_restore_world(struct device *device);

#endif
