/*
 * libsodium's crypto_pwhash without its work, to be preloaded: a hash of all that goes in.
 *
 * Argon2id costs a quarter of a second of a processor for each PIN, which is the point of it. Parts of `make test`
 * that type thousands of PINs, and are about something else, run with this instead; of `make test-full` the faults.
 * It asks for the memory as libsodium does, so that it fails where that is refused.
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
