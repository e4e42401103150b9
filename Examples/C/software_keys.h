// SPDX-License-Identifier: Apache-2.0
/*
 * The three bridges in software, for hosts without a key store.
 *
 * Every key is a file of 32 random bytes that only its owner can read. Signing keys are P-256, by OpenSSL's
 * libcrypto; encryption is by libsodium. Use this for examples and tests only: on a phone these keys live in
 * hardware and cannot be copied.
 */
#ifndef SOFTWARE_KEYS_H
#define SOFTWARE_KEYS_H

#include <wallet_core.h>

/*
 * Fills in the three bridges. `directory` must exist; it holds the keys and the library's storage, and
 * its path may be relative. The string must outlive the bridges: it is their context. Returns 0, or -1
 * if libsodium does not start.
 */
int software_keys_fill(
    char *directory, wallet_core_signing_key_bridge *signing_key,
    wallet_core_encryption_key_bridge *encryption_key, wallet_core_utilities_bridge *utilities);

/*
 * Fills in the bridges and hands them to wallet_core_init_platform_support(), whose status and error it
 * returns. Makes `directory` if it is missing; the path may be relative.
 */
wallet_core_status software_keys_hand_over(const char *directory, wallet_core_error **error);

/*
 * Deletes the keys whose file names begin with `prefix`, as a platform does when the enrolled fingers
 * change or the device is reset: "" means all keys, "encryption-" and an identifier one. Returns 0, or
 * -1.
 */
int software_keys_lose(const char *directory, const char *prefix);

/* At least the bytes of a public key and of a signature. */
enum { SOFTWARE_KEYS_LONGEST = 96 };

/*
 * What the signing key bridge does with the P-256 key whose private number is `number`: the
 * SubjectPublicKeyInfo, and the ECDSA signature with SHA-256 of a payload, both in DER. They return the
 * length, or 0 if libcrypto fails.
 */
size_t software_keys_public_key(const uint8_t number[32], uint8_t der[SOFTWARE_KEYS_LONGEST]);
size_t software_keys_sign(
    const uint8_t number[32], const uint8_t *payload, size_t payload_length,
    uint8_t signature[SOFTWARE_KEYS_LONGEST]);

#endif
