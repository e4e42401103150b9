/*
 * Measures, at equal parameters: deriving a key from a PIN, with and without opening a store;
 * signing; and an empty call.
 *
 *   keys SCRATCH_DIRECTORY OUR_STORE ASKAR SQLCIPHER SQLITE WALLET_CORE EMPTY ROUNDS
 *
 * A library called by Python, like stores.c. The limit of the first two is libsodium called from
 * C; the limit of a call is an empty function of a shared library.
 */
#include <sodium.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "askar.h"
#include "measure.h"
#include "store.h"

enum { PASSES = 3, MEMORY_MIB = 64, MOST_ROUNDS = 200, SIGNATURES = 200, CALLS = 2000000 };
enum { OURS, ASKAR, SQLCIPHER, LIMIT, SUBJECTS };

static const char *const subjects[] = {"ours", "askar", "sqlcipher", "limit"};
static const uint8_t pin[] = "471108";
static uint8_t salt[crypto_pwhash_SALTBYTES], seed[crypto_sign_SEEDBYTES], message[256];
static double times[SUBJECTS][MOST_ROUNDS];
static struct askar askar;

static void print(const char *measure, int subject, int rounds) {
  measure_print(measure, subjects[subject], measure_median(times[subject], (size_t)rounds));
}

/* --- the derivation ---------------------------------------------------------------------------- */

static int32_t (*our_pin_key)(const uint8_t *, intptr_t, const uint8_t *, uint32_t, uint64_t);

static void derive(int subject) {
  const struct askar_argon2 parameters = {2, 0x13, 1, MEMORY_MIB * 1024, PASSES};
  struct askar_bytes key = {0};
  uint8_t output[crypto_sign_SEEDBYTES];
  int failed;
  switch (subject) {
    case OURS:
      failed = our_pin_key(pin, 6, salt, PASSES, MEMORY_MIB << 20) != 0;
      break;
    case ASKAR:
      failed = askar.derive(
                   -1, (struct askar_bytes){6, (uint8_t *)pin},
                   (struct askar_bytes){sizeof salt, salt}, &parameters, &key) != 0;
      askar.bytes_free(key);
      break;
    default:
      failed = crypto_pwhash(
          output, sizeof output, (const char *)pin, 6, salt, PASSES, MEMORY_MIB << 20,
          crypto_pwhash_ALG_ARGON2ID13);
  }
  if (failed) {
    measure_fail("a derivation fails");
  }
}

/* From a PIN and closed files with 100 records to the first record read. SQLCipher has a derivation of
   its own in its opening, PBKDF2, which costs no memory. */
static void measure_passwords(struct store *stores, const char *scratch, int rounds) {
  static uint8_t key[STORE_KEY_LENGTH], content[2048];
  char paths[SUBJECTS][512];
  for (int subject = 0; subject < SUBJECTS; subject++) {
    snprintf(paths[subject], sizeof paths[subject], "%s/%s", scratch, subjects[subject]);
    mkdir(paths[subject], 0700);
    void *handle = stores[subject].open(&stores[subject], paths[subject], key);
    stores[subject].seal(handle, 0, 100, content, sizeof content);
    stores[subject].close(handle);
  }
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < SUBJECTS; i++) {
      int subject = (i + round) % SUBJECTS;
      int64_t start = measure_now();
      if (subject != SQLCIPHER) {
        derive(subject);
      }
      void *handle = stores[subject].open(&stores[subject], paths[subject], key);
      size_t bytes = stores[subject].read(handle, 1);
      times[subject][round] = (double)(measure_now() - start) / 1e3;
      stores[subject].close(handle);
      if (bytes != sizeof content) {
        measure_fail("a store opened without its records");
      }
    }
  }
  for (int subject = 0; subject < SUBJECTS; subject++) {
    print("password", subject, rounds);
  }
}

static void measure_derivations(int rounds) {
  const int compared[] = {OURS, ASKAR, LIMIT};
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < 3; i++) {
      int subject = compared[(i + round) % 3];
      int64_t start = measure_now();
      derive(subject);
      times[subject][round] = (double)(measure_now() - start) / 1e3;
    }
  }
  for (int i = 0; i < 3; i++) {
    print("derive", compared[i], rounds);
  }
}

/* --- signatures -------------------------------------------------------------------------------- */

static void *our_key;
static intptr_t (*our_sign)(void *, const void *, intptr_t);
static askar_handle askar_key;
static uint8_t secret_key[crypto_sign_SECRETKEYBYTES];

static void sign(int subject) {
  struct askar_bytes signature = {0};
  uint8_t output[crypto_sign_BYTES];
  switch (subject) {
    case OURS:
      our_sign(our_key, message, sizeof message);
      break;
    case ASKAR:
      askar_check(
          askar.sign(askar_key, (struct askar_bytes){sizeof message, message}, NULL, &signature),
          "askar does not sign");
      askar.bytes_free(signature);
      break;
    default:
      crypto_sign_detached(output, NULL, message, sizeof message, secret_key);
  }
}

static void measure_signatures(int rounds) {
  const int compared[] = {OURS, ASKAR, LIMIT};
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < 3; i++) {
      int subject = compared[(i + round) % 3];
      int64_t start = measure_now();
      for (int j = 0; j < SIGNATURES; j++) {
        sign(subject);
      }
      times[subject][round] = (double)(measure_now() - start) / SIGNATURES / 1e3;
    }
  }
  for (int i = 0; i < 3; i++) {
    print("sign", compared[i], rounds);
  }
}

/* --- calls ------------------------------------------------------------------------------------- */

typedef int32_t question(void);

static double nanoseconds(question *function) {
  int64_t start = measure_now();
  for (int i = 0; i < CALLS; i++) {
    function();
  }
  return (double)(measure_now() - start) / CALLS;
}

/* askar's cheapest call is its version, which it copies. */
static double nanoseconds_of_askar(void) {
  int64_t start = measure_now();
  for (int i = 0; i < CALLS; i++) {
    askar.text_free(askar.version());
  }
  return (double)(measure_now() - start) / CALLS;
}

static void measure_calls(void *core, void *sqlcipher, void *empty, int rounds) {
  question *ours = (question *)measure_symbol(core, "wallet_core_is_initialized");
  question *theirs = (question *)measure_symbol(sqlcipher, "sqlite3_libversion_number");
  question *limit = (question *)measure_symbol(empty, "baseline_nothing");
  for (int round = 0; round < rounds; round++) {
    times[OURS][round] = nanoseconds(ours);
    times[ASKAR][round] = nanoseconds_of_askar();
    times[SQLCIPHER][round] = nanoseconds(theirs);
    times[LIMIT][round] = nanoseconds(limit);
  }
  for (int subject = 0; subject < SUBJECTS; subject++) {
    print("call", subject, rounds);
  }
}

static void load(void *ours, void *library) {
  uint8_t public_key[crypto_sign_PUBLICKEYBYTES];
  askar = askar_load(library);
  randombytes_buf(salt, sizeof salt);
  randombytes_buf(seed, sizeof seed);
  our_pin_key =
      (int32_t(*)(const uint8_t *, intptr_t, const uint8_t *, uint32_t, uint64_t))measure_symbol(
          ours, "our_pin_key");
  our_sign = (intptr_t(*)(void *, const void *, intptr_t))measure_symbol(ours, "our_sign");
  our_key = ((void *(*)(const uint8_t *))measure_symbol(ours, "our_signing_key"))(seed);
  crypto_sign_seed_keypair(public_key, secret_key, seed);
  askar_check(
      askar.key_from_secret("ed25519", (struct askar_bytes){sizeof seed, seed}, &askar_key),
      "askar takes no key");
}

int keys_main(int count, char **arguments);

int keys_main(int count, char **arguments) {
  int rounds = count == 9 ? atoi(arguments[8]) : 0;
  if (rounds < 1 || rounds > MOST_ROUNDS || sodium_init() < 0) {
    measure_fail(
        "usage: keys SCRATCH_DIRECTORY OUR_STORE ASKAR SQLCIPHER SQLITE WALLET_CORE EMPTY ROUNDS");
  }
  struct store stores[SUBJECTS] = {
      store_ours(arguments[2]), store_askar(arguments[3]), store_sqlcipher(arguments[4]),
      store_limit(arguments[5], 1)};
  stores[SQLCIPHER].has_passphrase = 1;
  int few = rounds < 15 ? rounds : 15;
  load(stores[OURS].library, stores[ASKAR].library);
  measure_derivations(few);
  measure_passwords(stores, arguments[1], few);
  measure_signatures(rounds);
  measure_calls(
      measure_load(arguments[6]), stores[SQLCIPHER].library, measure_load(arguments[7]), few);
  return 0;
}
