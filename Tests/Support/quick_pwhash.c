/*
 * libsodium's crypto_pwhash without its work, to be preloaded: a hash of all that goes in.
 *
 * Argon2id deliberately takes a quarter of a second of processor time for each PIN. Parts of
 * `make test` that enter thousands of PINs but test something else run with this instead, and so
 * do the faults of `make test-full`. It allocates memory as libsodium does, so that it fails if
 * that is refused.
 */
#include <sodium.h>
#include <sys/mman.h>

int crypto_pwhash(
    unsigned char *const out, unsigned long long out_length, const char *const password,
    unsigned long long password_length, const unsigned char *const salt,
    unsigned long long operations, size_t memory, int algorithm) {
  crypto_generichash_state state;
  if (out_length < crypto_generichash_BYTES_MIN || out_length > crypto_generichash_BYTES_MAX ||
      operations < crypto_pwhash_OPSLIMIT_MIN || memory < crypto_pwhash_MEMLIMIT_MIN) {
    return -1;
  }
  void *place = mmap(
      NULL, memory, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) {
    return -1;
  }
  munmap(place, memory);
  crypto_generichash_init(&state, NULL, 0, (size_t)out_length);
  crypto_generichash_update(&state, (const unsigned char *)&operations, sizeof operations);
  crypto_generichash_update(&state, (const unsigned char *)&memory, sizeof memory);
  crypto_generichash_update(&state, (const unsigned char *)&algorithm, sizeof algorithm);
  crypto_generichash_update(&state, salt, crypto_pwhash_SALTBYTES);
  crypto_generichash_update(&state, (const unsigned char *)password, password_length);
  crypto_generichash_final(&state, out, (size_t)out_length);
  sodium_memzero(&state, sizeof state);
  return 0;
}
