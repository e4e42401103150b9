/*
 * least ROUNDS
 *
 * The least that an unlock's own part can cost: its public-key operations alone, by libsodium, in
 * microseconds of CPU time; the median of ROUNDS. They are what the protocol demands: the PIN is
 * blinded and unblinded; both evaluations are proven (RFC 9497); the provider signs both answers; the
 * PIN's key signs once; one message is sealed to the provider, and one answer is sealed to the wallet.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ELEMENT = crypto_core_ristretto255_BYTES, SCALAR = crypto_core_ristretto255_SCALARBYTES };

static unsigned char scalar[SCALAR], element[ELEMENT], hash[64];
static unsigned char public_key[32], secret_key[64], signature[64], message[512];
static unsigned char box_public[32], box_secret[32];
static int is_good = 1;

static void multiply(const unsigned char *one) {
  unsigned char product[ELEMENT];
  is_good &= crypto_scalarmult_ristretto255(product, scalar, one) == 0;
}

/* The weighted pair, and both commitments; hashes are left out. */
static void check_proof(void) {
  unsigned char product[ELEMENT], sum[ELEMENT];
  multiply(element);
  multiply(element);
  for (int i = 0; i < 3; i++) {
    multiply(element);
  }
  is_good &= crypto_scalarmult_ristretto255_base(product, scalar) == 0;
  for (int i = 0; i < 2; i++) {
    is_good &= crypto_core_ristretto255_add(sum, product, element) == 0;
  }
}

static void unlock(void) {
  unsigned char inverse[SCALAR], hashed[ELEMENT], opened[sizeof message];
  unsigned char sealed[sizeof message + crypto_box_SEALBYTES];
  is_good &= crypto_core_ristretto255_from_hash(hashed, hash) == 0;
  multiply(hashed);
  check_proof();
  check_proof();
  is_good &= crypto_core_ristretto255_scalar_invert(inverse, scalar) == 0;
  multiply(element);
  for (int i = 0; i < 2; i++) {
    is_good &= crypto_sign_verify_detached(signature, message, sizeof message, public_key) == 0;
  }
  crypto_sign_detached(signature, NULL, message, sizeof message, secret_key);
  crypto_box_keypair(box_public, box_secret);
  is_good &= crypto_box_seal(sealed, message, sizeof message, box_public) == 0;
  is_good &= crypto_box_seal_open(opened, sealed, sizeof sealed, box_public, box_secret) == 0;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int compare(const void *one, const void *other) {
  double difference = *(const double *)one - *(const double *)other;
  return (difference > 0) - (difference < 0);
}

int main(int count, char **arguments) {
  static double times[10000];
  int rounds = count == 2 ? atoi(arguments[1]) : 0;
  if (rounds < 1 || rounds > (int)(sizeof times / sizeof *times) || sodium_init() < 0) {
    fprintf(stderr, "usage: least ROUNDS\n");
    return 2;
  }
  crypto_core_ristretto255_scalar_random(scalar);
  crypto_core_ristretto255_random(element);
  randombytes_buf(hash, sizeof hash);
  randombytes_buf(message, sizeof message);
  crypto_sign_keypair(public_key, secret_key);
  crypto_sign_detached(signature, NULL, message, sizeof message, secret_key);
  for (int i = 0; i < rounds; i++) {
    double start = now();
    unlock();
    times[i] = now() - start;
  }
  if (!is_good) {
    fprintf(stderr, "least: libsodium failed\n");
    return 1;
  }
  qsort(times, (size_t)rounds, sizeof *times, compare);
  printf("%.0f\n", times[rounds / 2]);
  return 0;
}
