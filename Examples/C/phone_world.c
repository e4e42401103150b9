// SPDX-License-Identifier: Apache-2.0
/* The world outside the phone. Only a build with the testing library can control it. */

#include <string.h>

#include "phone_device.h"

#ifdef PHONE_TESTING

#include <wallet_core_testing.h>

int device_network(struct device *device, const char *word, int count) {
  static const struct {
    const char *word;
    int32_t fault;
  } faults[] = {
      {"ok", WALLET_CORE_TESTING_NETWORK_OK},
      {"no-internet", WALLET_CORE_TESTING_NETWORK_NO_INTERNET},
      {"refused", WALLET_CORE_TESTING_NETWORK_REFUSED},
      {"answer-lost", WALLET_CORE_TESTING_NETWORK_ANSWER_LOST},
  };
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    if (strcmp(faults[i].word, word) == 0) {
      device->network_fault = faults[i].fault;
      device->is_online = faults[i].fault != WALLET_CORE_TESTING_NETWORK_NO_INTERNET;
      wallet_core_testing_set_network_fault(faults[i].fault, count);
      return 1;
    }
  }
  return 0;
}

int device_move_clock(struct device *device, int64_t milliseconds) {
  device->clock_moved += milliseconds;
  wallet_core_testing_advance_clock(milliseconds);
  return 1;
}

void device_restore_world(struct device *device) {
  wallet_core_testing_advance_clock(device->clock_moved);
  wallet_core_testing_set_network_fault(device->network_fault, -1);
}

#else

int device_network(struct device *device, const char *word, int count) {
  (void)count;
  device->is_online = strcmp(word, "no-internet") != 0;
  return 0;
}

int device_move_clock(struct device *device, int64_t milliseconds) {
  (void)device;
  (void)milliseconds;
  return 0;
}

void device_restore_world(struct device *device) {
  (void)device;
}

#endif
