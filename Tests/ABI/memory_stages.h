/* Shared by memory_search and its parts: the stages, the host's side of them, and the keys. */
#ifndef MEMORY_STAGES_H
#define MEMORY_STAGES_H

#include <stdint.h>
#include <wallet_core.h>

enum { PIN = WALLET_CORE_PIN_LENGTH, KEY = 32 };

/* What the parent sends the host: PINs, and two secrets to plant, masked byte by byte. */
struct masked {
  uint8_t pin[PIN], wrong_pin[PIN], planted_pin[PIN], planted_key[KEY];
};

void mask(uint8_t *to, const uint8_t *from, size_t length);

/* What the host does, and what may be in its memory afterwards. */
struct stage {
  const char *name;
  int (*act)(const struct masked *masked);
  int is_unlocked;
  /* A request waits with the PIN; the one that runs may be anywhere with its key. */
  int has_pin;
  /* Only the testing library can do it. */
  int moves_clock;
  /* There is a new wallet afterwards, with secrets of its own. */
  int registers;
};

/* The first one registers. Ends with a NULL act. */
extern const struct stage stages[];

/* Whether this program can do a stage. */
int can_do(const struct stage *stage);

/* The host's life: it pauses after the start, after planting, and after each stage. */
int memory_host(const char *configuration, char *directory);

/* In the flows of a locked wallet, which they may not know yet: enters the PIN and waits for the unlock. */
int flows_unlock(wallet_core_client client, const uint8_t masked_pin[PIN]);

/* From the introduction that the flows show: chooses the PIN, and does not wait for what follows. */
int flows_set_up(wallet_core_client client, const uint8_t masked_pin[PIN]);

/* A PIN and the key made of it: seed, and the two halves of the SHA-512 that signing works with. */
struct pin_key {
  uint8_t pin[PIN];
  uint8_t seed[KEY], expanded[64], public_key[KEY];
};

struct secrets {
  struct pin_key right, wrong;
  uint8_t share[KEY], vault_key[KEY];
};

/*
 * Derives both PIN keys and the vault key from what is on disk on both sides: `directory` is the
 * host's, `provider` the provider's, `copy` a file to copy the database to. Checks as it goes.
 */
void derive_secrets(
    struct secrets *secrets, const char *directory, const char *provider, const char *copy);

#endif
