// SPDX-License-Identifier: Apache-2.0
/*
 * The phone around the app: on a real phone this is Kotlin or Swift code.
 *
 * Three bridges over software keys, a fingerprint sensor that you operate, and the outside world:
 * network and clock. The wallet calls the bridges on threads of the library; the user of the phone
 * acts on the main thread.
 */
#ifndef PHONE_DEVICE_H
#define PHONE_DEVICE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <wallet_core.h>

enum { DEVICE_PATH_BYTES = 4096 };

/* The state that survives a kill of the app, in memory shared by all its runs. */
struct device {
  char directory[DEVICE_PATH_BYTES]; /* keys, and the wallet's storage */
  atomic_int platform;               /* WALLET_CORE_PLATFORM_... */
  atomic_int biometrics;             /* 0 or WALLET_CORE_BIOMETRICS_... */
  atomic_int camera;                 /* WALLET_CORE_CAMERA_... */
  atomic_int is_secure;
  atomic_int is_online;
  atomic_int has_key_store;    /* 0: the key store refuses everything */
  atomic_int network_fault;    /* WALLET_CORE_TESTING_NETWORK_... */
  _Atomic int64_t clock_moved; /* milliseconds */
  atomic_int is_kill_expected;
};

/* Sets up an Android phone with a screen lock, a fingerprint sensor, a camera and a network. */
void device_reset(struct device *device, const char *directory);

/* Hands the bridges to the library. `changed` is called on any thread when a prompt opens or closes.
   Returns 0, or -1 with the reason on stderr. */
int device_start(struct device *device, void (*changed)(void *context), void *context);

/* Whether the sensor waits for a finger. `is_new` receives 1 if the finger is to create a key. */
int device_prompt(int *is_new);

/*
 * Answers the prompt: "recognised", "not-recognised" (`times` fingers in a row), "cancelled",
 * "locked-out", "locked-out-permanently", "not-enrolled", "invalidated" (the enrolled fingers
 * changed), "missing", "unavailable", "host-error". The prefix "late-" answers the prompt that the
 * wallet cancelled last. Returns 0 if there is no such prompt or word.
 */
int device_finger(const char *word, int times);

/* --- the outside world: phone_world.c. These return 0 if this build cannot control it ----------- */

/* Sets the network that the wallet finds: "ok", "no-internet", "refused" or "answer-lost", for `count`
   requests, or for all if `count` is -1. */
int device_network(struct device *device, const char *word, int count);

/* Moves the wallet's clock. */
int device_move_clock(struct device *device, int64_t milliseconds);

/* Gives a new run of the app the clock and the network of the last one. Call it before
   wallet_core_init(). */
void device_restore_world(struct device *device);

#endif
