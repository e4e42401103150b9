/*
 * unlock CONFIGURATION_FILE STATE_DIRECTORY COUNT
 *
 * The cost of an unlock and a registration, in microseconds of CPU time of the whole process:
 * medians of COUNT of each, of the whole, of crypto_pwhash in it, and of the bridges. The rest is
 * the core's own part: it includes libcurl, SQLite and all signatures, and no waiting. This
 * program's crypto_pwhash replaces libsodium's, so that its time is measured and not estimated.
 */
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

static int start(const char *configuration, char *directory) {
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

static const uint8_t pin[] = "471108";
static wallet_core_client client;

static wallet_core_status ask_register(uint64_t *request) {
  return wallet_core_register(client, pin, 6, request, NULL);
}
static wallet_core_status ask_unlock(uint64_t *request) {
  return wallet_core_unlock(client, pin, 6, request, NULL);
}
static wallet_core_status ask_wipe(uint64_t *request) {
  return wallet_core_wipe(client, request, NULL);
}

/* A request to its completion; ends the program unless it succeeds. */
static void ask(
    wallet_core_status (*function)(uint64_t *request), wallet_core_pin_outcome outcome) {
  uint64_t request = 0;
  wallet_core_event *event =
      function(&request) == WALLET_CORE_OK ? host_completion(client, request) : NULL;
  if (wallet_core_event_status(event) != WALLET_CORE_OK || event == NULL ||
      wallet_core_event_pin_outcome(event) != outcome) {
    fprintf(stderr, "unlock: a request failed\n");
    exit(1);
  }
  wallet_core_event_free(event);
}

static void print_medians(int number, int is_registration) {
  int64_t whole[256], derivations[256], bridges[256], own[256];
  for (int i = 0; i < number; i++) {
    if (is_registration) {
      ask(ask_wipe, WALLET_CORE_PIN_OUTCOME_NOT_JUDGED);
    } else {
      wallet_core_lock(NULL);
    }
    atomic_store(&derivation_time, 0);
    atomic_store(&bridge_time, 0);
    int64_t before = cpu_time(CLOCK_PROCESS_CPUTIME_ID);
    if (is_registration) {
      ask(ask_register, WALLET_CORE_PIN_OUTCOME_NOT_JUDGED);
    } else {
      ask(ask_unlock, WALLET_CORE_PIN_OUTCOME_VALID);
    }
    whole[i] = cpu_time(CLOCK_PROCESS_CPUTIME_ID) - before;
    derivations[i] = atomic_load(&derivation_time);
    bridges[i] = atomic_load(&bridge_time);
    own[i] = whole[i] - derivations[i] - bridges[i];
  }
  printf(
      "%lld %lld %lld %lld%c", (long long)median(whole, number),
      (long long)median(derivations, number), (long long)median(bridges, number),
      (long long)median(own, number), is_registration ? '\n' : ' ');
}

int main(int count, char **arguments) {
  int number = count == 4 ? atoi(arguments[3]) : 0;
  if (number < 1 || number > 256 || !start(arguments[1], arguments[2]) ||
      wallet_core_client_attach("bench", 0, &client, NULL) != WALLET_CORE_OK) {
    fprintf(stderr, "unlock: no start\n");
    return 1;
  }
  ask(ask_register, WALLET_CORE_PIN_OUTCOME_NOT_JUDGED);
  print_medians(number, 0);
  print_medians(number, 1);
  return 0;
}
