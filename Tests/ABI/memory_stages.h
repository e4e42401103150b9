/* Shared by memory_search and its parts: the stages, the host's side of them, and the keys. */
#ifndef MEMORY_STAGES_H
#define MEMORY_STAGES_H

#include <stdint.h>
#include <sys/types.h>
#include <wallet_core.h>

enum { PIN = WALLET_CORE_PIN_LENGTH, KEY = 32, SALT = 16 };

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
  /* The PIN key has a new salt afterwards. */
  int changes_salt;
  /* The platform has sealed a secret that opens the vault key. */
  int seals_secret;
};

/* The first one registers. Ends with a NULL act. */
extern const struct stage stages[];

/* Whether this program can do a stage. */
int can_do(const struct stage *stage);

/* The host's life: it pauses after the start, after planting, and after each stage. */
int memory_host(const char *configuration, char *directory);

/* Posts to the testing provider's control. Whether the answer is 200; `answer` gets all of it. */
int control(const char *path, const char *body, char *answer, size_t size);

/* In the flows of a locked wallet, which they may not know yet: enters the PIN and waits for the unlock. */
int flows_unlock(wallet_core_client client, const uint8_t masked_pin[PIN]);

/* From the introduction that the flows show: chooses the PIN, and does not wait for what follows. */
int flows_set_up(wallet_core_client client, const uint8_t masked_pin[PIN]);

/*
 * A PIN and what is made of it: the stretched PIN, the output of the function that evaluates it,
 * the seed of its key, the two halves of the SHA-512 that signing works with, and its part in the
 * wrapping of the vault key.
 */
struct pin_key {
  uint8_t pin[PIN];
  uint8_t stretched[KEY], output[64], seed[KEY], expanded[64], public_key[KEY], wrapping[KEY];
};

struct secrets {
  struct pin_key right, wrong;
  uint8_t salt[SALT];
  uint8_t share[KEY], wrapping_key[KEY], vault_key[KEY];
  uint8_t biometric_secret[KEY];
};

/*
 * Derives both PIN keys and the vault key from what is on disk on both sides: `directory` is the
 * host's, `provider` the provider's, `copy` a file to copy the database to. Checks as it goes.
 */
void derive_secrets(
    struct secrets *secrets, const char *directory, const char *provider, const char *copy);

/* Reads only the salt anew, after a change of the PIN. */
void derive_salt(struct secrets *secrets, const char *directory, const char *copy);

/* Opens the secret that the software keys have sealed, and checks that it opens the vault key. */
void derive_biometric_secret(struct secrets *secrets, const char *directory, const char *copy);

/* The first 32 bytes of a file of keys. */
int read_key(uint8_t key[KEY], const char *path);

/* The text of a JSON member without escapes. */
int member(const char *json, const char *name, char *value, size_t size);

/* Decodes base64url of exactly that many bytes; it ends with white space or the string. */
int decoded(uint8_t *bytes, size_t length, const char *text);

/* Bytes that are searched for, at most 64. */
struct needle {
  const char *name;
  const uint8_t *bytes;
  size_t length;
  int found;
  /* Another one with the same first two bytes. */
  struct needle *next;
};

/* Of the last search; those without any access right are also in the first. */
extern uint64_t searched_bytes, guarded_bytes, unread_bytes;

/*
 * Stops a child process and searches all of its memory, then lets it go on. A match that straddles
 * two pieces may count twice. Whether there was memory to read; `reports` prints the first matches.
 */
int search(pid_t process, struct needle *needles, size_t count, int reports);

/* What someone could try PINs against who finds it: a part of a message or of its encodings. */
struct trace {
  const char *name;
  uint8_t bytes[64];
  size_t length;
};

enum { MOST_TRACES = 1024 };

struct traces {
  struct trace list[MOST_TRACES];
  size_t count;
};

/* Adds bytes and their text form, unless they are there. */
void add_trace(struct traces *traces, const char *name, const uint8_t *bytes, size_t length);

/*
 * Adds what the PIN messages consist of that reached the provider since the last call, opened with
 * its key; the first call has it begin. How many they are, -1 if one is not understood.
 */
int add_messages(struct traces *traces, const char *provider);

#endif
