/*
 * A key store in which each key is derived from its identifier, so that a wallet that was made in
 * another process opens here.
 */
#ifndef KEYS_H
#define KEYS_H

#include <stddef.h>
#include <stdint.h>

enum { KEYS_ANSWER = 2048 };

/* Resets which keys were made and deleted. With `all_exist`, keys that were never made exist too. */
void keys_begin(int all_exist);

/* What a bridge answers; its status, and the bytes in `answer`. */
int32_t keys_public_key(const char *identifier, uint8_t *answer, size_t *length);
int32_t keys_sign(
    const char *identifier, const uint8_t *payload, size_t payload_length, uint8_t *answer,
    size_t *length);
int32_t keys_encrypt(
    const char *identifier, const uint8_t *plaintext, size_t plaintext_length, uint8_t *answer,
    size_t *length);
int32_t keys_decrypt(
    const char *identifier, const uint8_t *ciphertext, size_t ciphertext_length, uint8_t *answer,
    size_t *length);
/* The two key bridges have separate name spaces. */
int32_t keys_delete(const char *identifier, int is_signing);

#endif
