// SPDX-License-Identifier: Apache-2.0
/*
 * The native side of a phone, played in software: three bridges for hosts without a key store.
 *
 * Every key is a file of 32 random bytes, readable by its owner only. That is fit for examples and
 * tests and for nothing else: on a phone these keys live in hardware and cannot be copied.
 */
#ifndef SOFTWARE_KEYS_H
#define SOFTWARE_KEYS_H

#include <wallet_core.h>

/*
 * Fills the three bridges. `directory` exists, keeps the keys and a storage path for the library,
 * and must outlive the bridges: it is their context. Returns 0, or -1 if libsodium does not start.
 */
int software_keys_fill(
    char *directory, wallet_core_signing_key_bridge *signing_key,
    wallet_core_encryption_key_bridge *encryption_key, wallet_core_utilities_bridge *utilities);

/*
 * The same and hands the bridges over, by wallet_core_init_platform_support(), whose status and error
 * these are. `directory` is made where it is missing, and a relative path will do.
 */
wallet_core_status software_keys_hand_over(const char *directory, wallet_core_error **error);

/*
 * Loses the keys whose file names begin with `prefix`, as a platform does when the enrolled fingers
 * change or the device is reset: "" all keys, "encryption-" and an identifier one. 0, or -1.
 */
int software_keys_lose(const char *directory, const char *prefix);

#endif
