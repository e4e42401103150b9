/*
 * The phone of a program: its storage in a directory of its own, its calendar.
 *
 * WALLET_CORE_FUZZ_WALLETS names a directory with `configuration.json`, which apps embed, and
 * `wallet`, the storage of a registered wallet: Tests/Fuzz/wallet_fixture.sh makes it.
 */
#ifndef WORLD_H
#define WORLD_H

#include <stddef.h>
#include <stdint.h>

/* Once, before the first program. */
void world_open(void);

/* Prepares the storage, empty or with the registered wallet; its path. */
const char *world_begin(int is_registered);

/* Changes a byte of a stored file, or truncates it there if `change` is 0. */
void world_damage(uint8_t file, size_t place, uint8_t change);

/* Sets the calendar back and empties the storage. */
void world_end(void);

const uint8_t *world_configuration(size_t *length);

void world_move_calendar(int64_t seconds);

void world_reset_calendar(void);

#endif
