/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wallet_core_testing.h - control of clock, network and crash points, for tests. Never installed.
 *
 * Only libwallet_core_testing.so has these functions; the shipped library has none of them.
 *
 * The first call of any function here installs the tests' clock, network faults and crash points.
 * Make it before wallet_core_init(), because a wallet keeps those that it started with.
 */
#ifndef WALLET_CORE_TESTING_H
#define WALLET_CORE_TESTING_H

#include "wallet_core.h"

#ifdef __cplusplus
extern "C" {
#endif

WALLET_CORE_BEGIN_DECLARATIONS

/** What happens to the next requests to the provider or a relying party. */
enum {
  /** No fault. */
  WALLET_CORE_TESTING_NETWORK_OK = 0,
  /** There is no route: nothing is sent. */
  WALLET_CORE_TESTING_NETWORK_NO_INTERNET = 1,
  /** The connection is refused: nothing is sent. */
  WALLET_CORE_TESTING_NETWORK_REFUSED = 2,
  /** The request is sent, its answer is lost. */
  WALLET_CORE_TESTING_NETWORK_ANSWER_LOST = 3
};

/** Moves the library's clock, which includes sleep, by `milliseconds`; negative values move it back. */
void wallet_core_testing_advance_clock(int64_t milliseconds);

/**
 * Stops the library's clock until the process ends; only wallet_core_testing_advance_clock() moves it.
 * So a slow machine does not make a test reach a deadline by accident. Waits of the library end by it too.
 */
void wallet_core_testing_stop_clock(void);

/** Moves the device's calendar by `seconds`; negative values move it back. */
void wallet_core_testing_advance_calendar(int64_t seconds);

/** Applies a WALLET_CORE_TESTING_NETWORK_... fault to the next `count` requests; -1 to all. */
void wallet_core_testing_set_network_fault(int32_t fault, int32_t count);

/**
 * Ends the process, as kill -9 does, when the named crash point is reached; with a suffix such as
 * "#2", when it is reached for the second time from now on. NULL ends it never.
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

/**
 * The document of a provider that does not run, for the options of wallet_core_init().
 *
 * @return the library's own, until the process ends; NULL if there is no memory.
 */
const char *WALLET_CORE_NULLABLE wallet_core_testing_configuration(void);

/**
 * Carries out requests by the HTTP bridge of this process, for `make check-http-bridge`: hand the
 * bridge over, initialise with wallet_core_testing_configuration(), call this. Returns when the
 * check is done.
 *
 * @param directory the value of the environment's WALLET_CORE_HTTP_CHECK.
 * @return 0; -1 if there is no bridge or the check cannot be reached.
 */
int32_t wallet_core_testing_serve_http_bridge(const char *WALLET_CORE_NONNULL directory);

WALLET_CORE_END_DECLARATIONS

#ifdef __cplusplus
}
#endif

#endif /* WALLET_CORE_TESTING_H */
