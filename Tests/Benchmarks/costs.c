#include "costs.h"

#include <dlfcn.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host.h"
#include "software_keys.h"

static _Atomic int64_t derivation_time, bridge_time;

static int64_t cpu_time(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

#define TIMED(total, statement)                                                  \
  do {                                                                           \
    int64_t timed_start = cpu_time(CLOCK_THREAD_CPUTIME_ID);                     \
    statement;                                                                   \
    atomic_fetch_add(&(total), cpu_time(CLOCK_THREAD_CPUTIME_ID) - timed_start); \
  } while (0)

typedef int derivation(
    unsigned char *, unsigned long long, const char *, unsigned long long, const unsigned char *,
    unsigned long long, size_t, int);

int crypto_pwhash(
    unsigned char *output, unsigned long long output_length, const char *password,
    unsigned long long password_length, const unsigned char *salt, unsigned long long passes,
    size_t memory, int algorithm) {
  static derivation *real;
  if (real == NULL) {
    void *symbol = dlsym(RTLD_NEXT, "crypto_pwhash");
    memcpy(&real, &symbol, sizeof symbol);
  }
  int result;
  TIMED(
      derivation_time,
      result =
          real(output, output_length, password, password_length, salt, passes, memory, algorithm));
  return result;
}

static wallet_core_signing_key_bridge signing_key;
static wallet_core_encryption_key_bridge encryption_key;

static void timed_public_key(void *context, uint64_t call, const char *identifier) {
  TIMED(bridge_time, signing_key.public_key(context, call, identifier));
}

static void timed_sign(
    void *context, uint64_t call, const char *identifier, const uint8_t *payload, size_t length) {
  TIMED(bridge_time, signing_key.sign(context, call, identifier, payload, length));
}

static void timed_encrypt(
    void *context, uint64_t call, const char *identifier, wallet_core_protection protection,
    const uint8_t *plaintext, size_t length) {
  TIMED(
      bridge_time,
      encryption_key.encrypt(context, call, identifier, protection, plaintext, length));
}

static void timed_decrypt(
    void *context, uint64_t call, const char *identifier, wallet_core_protection protection,
    const uint8_t *ciphertext, size_t length) {
  TIMED(
      bridge_time,
      encryption_key.decrypt(context, call, identifier, protection, ciphertext, length));
}

int costs_start(const char *configuration, char *directory) {
  wallet_core_utilities_bridge utilities;
  software_keys_fill(directory, &signing_key, &encryption_key, &utilities);
  wallet_core_signing_key_bridge signing = signing_key;
  wallet_core_encryption_key_bridge encryption = encryption_key;
  signing.public_key = timed_public_key;
  signing.sign = timed_sign;
  encryption.encrypt = timed_encrypt;
  encryption.decrypt = timed_decrypt;
  wallet_core_options options = host_options(configuration, NULL);
  return wallet_core_init_platform_support(&signing, &encryption, &utilities, NULL) == 0 &&
         wallet_core_init(&options, NULL) == 0;
}

static int compare(const void *one, const void *other) {
  int64_t difference = *(const int64_t *)one - *(const int64_t *)other;
  return (difference > 0) - (difference < 0);
}

static int64_t median(int64_t *values, int number) {
  qsort(values, (size_t)number, sizeof *values, compare);
  return values[number / 2];
}

static int64_t whole_before;

void costs_begin(void) {
  atomic_store(&derivation_time, 0);
  atomic_store(&bridge_time, 0);
  whole_before = cpu_time(CLOCK_PROCESS_CPUTIME_ID);
}

struct costs costs_end(void) {
  struct costs costs = {
      .whole = cpu_time(CLOCK_PROCESS_CPUTIME_ID) - whole_before,
      .derivation = atomic_load(&derivation_time),
      .bridges = atomic_load(&bridge_time)};
  costs.own = costs.whole - costs.derivation - costs.bridges;
  return costs;
}

void costs_print(const struct costs *costs, int count, char end) {
  int64_t values[4][COSTS_MOST];
  for (int i = 0; i < count; i++) {
    values[0][i] = costs[i].whole;
    values[1][i] = costs[i].derivation;
    values[2][i] = costs[i].bridges;
    values[3][i] = costs[i].own;
  }
  for (int k = 0; k < 4; k++) {
    printf("%lld%c", (long long)median(values[k], count), k < 3 ? ' ' : end);
  }
}
