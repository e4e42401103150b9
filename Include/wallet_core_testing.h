/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wallet_core_testing.h - control over the outside world, for tests. Never installed.
 *
 * Only libwallet_core_testing.so has these functions; the shipped library has none of them.
 *
 * The first call of any function here installs the tests' clock, network faults and crash points.
 * Make it before wallet_core_init(): a wallet keeps the outside world that it started with.
 */
#ifndef WALLET_CORE_TESTING_H
#define WALLET_CORE_TESTING_H

#include "wallet_core.h"

#ifdef __cplusplus
extern "C" {
#endif

WALLET_CORE_BEGIN_DECLARATIONS

/** What happens to the next requests to the provider. */
enum {
  /** Nothing: faults end. */
  WALLET_CORE_TESTING_NETWORK_OK = 0,
  /** No route: nothing is sent. */
  WALLET_CORE_TESTING_NETWORK_NO_INTERNET = 1,
  /** Refused: nothing is sent. */
  WALLET_CORE_TESTING_NETWORK_REFUSED = 2,
  /** The request is sent, its answer is lost. */
  WALLET_CORE_TESTING_NETWORK_ANSWER_LOST = 3
};

/** Moves the core's clock (the one that counts sleep) by `milliseconds`, back with a negative one. */
void wallet_core_testing_advance_clock(int64_t milliseconds);

/**
 * Stops the core's clock: until the process ends it moves by wallet_core_testing_advance_clock() alone.
 * So a test that reaches every deadline on purpose meets none because its machine is slow.
 */
void wallet_core_testing_stop_clock(void);

/** Sets the device's calendar forward by `seconds`, back with a negative one. */
void wallet_core_testing_advance_calendar(int64_t seconds);

/** Applies a WALLET_CORE_TESTING_NETWORK_... fault to the next `count` requests; -1 to all. */
void wallet_core_testing_set_network_fault(int32_t fault, int32_t count);

/**
 * Ends the process, as kill -9 does, when the named crash point is reached, with "#2" and so on
 * behind the name when it is reached so often from now on; NULL: never.
 */
void wallet_core_testing_set_crash_point(const char *WALLET_CORE_NULLABLE name);

/** How often the named crash point was passed since the process started. */
int64_t wallet_core_testing_crash_point_count(const char *WALLET_CORE_NONNULL name);

/**
 * Makes the process forget the wallet as if it had just started: clients are abandoned, threads
 * ended, the storage path released. Bridges are forgotten, their contexts not released.
 *
 * @return 1, or 0 if a thread of the library is stuck in host code and was left behind.
 */
int32_t wallet_core_testing_reset_process(void);

WALLET_CORE_END_DECLARATIONS

#ifdef __cplusplus
}
#endif

#endif /* WALLET_CORE_TESTING_H */
