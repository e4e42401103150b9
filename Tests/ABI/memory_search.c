/*
 * Searches all memory of a host, including guarded pages, for secrets that must not be there.
 *
 * One program, two processes. The host (memory_host.c) goes through a wallet's life and pauses at
 * each stage; its parent stops all of its threads and reads every mapping through /proc/PID/mem,
 * which ignores page protection. The host keeps the PINs masked and wipes its own copy after each
 * call. The parent derives PIN key and vault key itself (memory_keys.c) from the files of both
 * sides, and opens the PIN messages that reached the provider (memory_messages.c). In the end the
 * host is given all of them, and each is found. Linked against the testing library it also tests
 * the stages that need the clock moved.
 */

#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "memory_stages.h"
#include "process.h"

enum { TEXT = 4096, LAST_REFERENCE_ROUNDS = 50 };
/* Two registrations, seven checks that are awaited, two decisions, one enabling, two changes. */
enum { LEAST_MESSAGES = 14 };

static pid_t host_process;
static int to_host, from_host;

/* Waits for the host's next stage; whether it went well there. */
static int next_stage(void) {
  char byte = 0;
  return read(from_host, &byte, 1) == 1 && byte == 'y';
}

static void go_on(const void *bytes, size_t length) {
  if (write(to_host, "", 1) != 1 || (length > 0 && write(to_host, bytes, length) < 0)) {
    perror("the host is gone");
  }
}

/* --- the stages ------------------------------------------------------------------------------ */

static struct secrets secrets;
static uint8_t planted_pin[PIN], planted_key[KEY];
enum {
  PLANTED_PIN,
  PLANTED_KEY,
  THE_PIN,
  WRONG_PIN,
  SHARE,
  WRAPPING_KEY,
  VAULT_KEY,
  FIRST_OF_PIN_KEYS,
  NEEDLES = FIRST_OF_PIN_KEYS + 12
};
/* These, then the traces: of messages, public keys and the biometric secret, which only a request may have, and of
   salts. */
static struct needle needles[NEEDLES + 2 * MOST_TRACES] = {
    {.name = "the planted PIN", planted_pin, PIN},
    {.name = "the planted key", planted_key, KEY},
    {.name = "the PIN", secrets.right.pin, PIN},
    {.name = "the wrong PIN", secrets.wrong.pin, PIN},
    {.name = "the provider's share", secrets.share, KEY},
    {.name = "the key that wraps the vault key", secrets.wrapping_key, KEY},
    {.name = "the vault key", secrets.vault_key, KEY},
    {.name = "the stretched PIN", secrets.right.stretched, KEY},
    {.name = "the evaluated PIN", secrets.right.output, 64},
    {.name = "the PIN's part in the wrapping", secrets.right.wrapping, KEY},
    {.name = "the stretched wrong PIN", secrets.wrong.stretched, KEY},
    {.name = "the evaluated wrong PIN", secrets.wrong.output, 64},
    {.name = "the wrong PIN's part in the wrapping", secrets.wrong.wrapping, KEY},
    {.name = "the PIN key's seed", secrets.right.seed, KEY},
    {.name = "the PIN key's scalar", secrets.right.expanded, KEY},
    {.name = "the PIN key's prefix", secrets.right.expanded + KEY, KEY},
    {.name = "the wrong PIN key's seed", secrets.wrong.seed, KEY},
    {.name = "the wrong PIN key's scalar", secrets.wrong.expanded, KEY},
    {.name = "the wrong PIN key's prefix", secrets.wrong.expanded + KEY, KEY},
};
static struct traces messages, salts;

static size_t count_of_needles(void) {
  return NEEDLES + messages.count + salts.count;
}

/* Puts the traces behind the other needles. */
static void take_traces(void) {
  struct needle *needle = &needles[NEEDLES];
  for (size_t i = 0; i < messages.count + salts.count; i++) {
    const struct trace *trace =
        i < messages.count ? &messages.list[i] : &salts.list[i - messages.count];
    *needle++ = (struct needle){trace->name, trace->bytes, trace->length, 0, NULL};
  }
}

static int found_in(size_t from, size_t to) {
  int found = 0;
  for (size_t i = from; i < to; i++) {
    found += needles[i].found;
  }
  return found;
}

static int found_of_pin_keys(void) {
  return found_in(FIRST_OF_PIN_KEYS, NEEDLES);
}

static int found_of_messages(void) {
  return found_in(NEEDLES, NEEDLES + messages.count);
}

static int found_of_salts(void) {
  return found_in(NEEDLES + messages.count, count_of_needles());
}

/* Whether all secrets that must be gone by that stage are gone. */
static int is_left_only(const struct stage *at) {
  return needles[WRONG_PIN].found == 0 && needles[SHARE].found == 0 &&
         needles[WRAPPING_KEY].found == 0 && found_of_messages() == 0 &&
         (at->has_pin ||
          (needles[THE_PIN].found == 0 && found_of_pin_keys() == 0 && found_of_salts() == 0)) &&
         (at->is_unlocked || needles[VAULT_KEY].found == 0);
}

static void look(const struct stage *at, int went_well) {
  const char *stage = at->name;
  char name[128];
  snprintf(name, sizeof name, "%s: the host did it, and all its memory was read", stage);
  /* The request's last reference is released just after its completion was queued. On a busy machine the other
     thread may need so many rounds; a release that waits for a timer of a second would be detected. A library
     that is just being loaded has pages beyond the end of its file, which nobody can read. */
  int was_searched = search(host_process, needles, count_of_needles(), 1);
  for (int round = 0;
       was_searched && (!is_left_only(at) || unread_bytes > 0) && round < LAST_REFERENCE_ROUNDS;
       round++) {
    process_sleep(10);
    was_searched = search(host_process, needles, count_of_needles(), 1);
  }
  CHECK(name, was_searched && went_well && unread_bytes == 0);
  printf(
      "# %s: %llu KiB searched, %llu KiB of them without any access right\n", stage,
      (unsigned long long)searched_bytes >> 10, (unsigned long long)guarded_bytes >> 10);
  snprintf(name, sizeof name, "%s: what was planted is found, guarded or not", stage);
  CHECK(name, needles[PLANTED_PIN].found > 0 && needles[PLANTED_KEY].found > 0);
  if (at->has_pin) {
    /* This shows that the search would find the core's own copy, wherever it is. */
    snprintf(name, sizeof name, "%s: the PIN that waits is found", stage);
    CHECK(name, needles[THE_PIN].found > 0 && needles[WRONG_PIN].found == 0);
  } else {
    snprintf(name, sizeof name, "%s: no PIN", stage);
    CHECK(name, needles[THE_PIN].found == 0 && needles[WRONG_PIN].found == 0);
    snprintf(name, sizeof name, "%s: no PIN key", stage);
    CHECK(name, found_of_pin_keys() == 0);
    snprintf(name, sizeof name, "%s: no salt", stage);
    CHECK(name, found_of_salts() == 0);
  }
  snprintf(
      name, sizeof name, "%s: no PIN message, signature, PIN public key or biometric secret",
      stage);
  CHECK(name, found_of_messages() == 0);
  snprintf(name, sizeof name, "%s: no share of the provider", stage);
  CHECK(name, needles[SHARE].found == 0 && needles[WRAPPING_KEY].found == 0);
  snprintf(name, sizeof name, "%s: %s vault key", stage, at->is_unlocked ? "a" : "no");
  CHECK(name, (needles[VAULT_KEY].found > 0) == at->is_unlocked);
}

/* Learns what the last stage added; how many PIN messages that were. */
static int learn(const struct stage *at, const char *directory, const char *provider) {
  char copy[TEXT];
  snprintf(copy, sizeof copy, "%s/copy.db", directory);
  if (at->registers) {
    derive_secrets(&secrets, directory, provider, copy);
    add_trace(&messages, "the PIN public key", secrets.right.public_key, KEY);
    add_trace(&messages, "the wrong PIN's public key", secrets.wrong.public_key, KEY);
  } else if (at->changes_salt) {
    derive_salt(&secrets, directory, copy);
  } else if (at->seals_secret) {
    derive_biometric_secret(&secrets, directory, copy);
    add_trace(&messages, "the biometric secret", secrets.biometric_secret, KEY);
  }
  if (at->registers || at->changes_salt) {
    add_trace(&salts, "the salt", secrets.salt, SALT);
  }
  int count = add_messages(&messages, provider);
  CHECK("what reached the provider was understood", count >= 0);
  take_traces();
  return count;
}

/* Gives the host all traces; whether each is found. */
static int are_found_when_planted(void) {
  static uint8_t bytes[sizeof(size_t) + 2 * MOST_TRACES * sizeof messages.list[0].bytes];
  size_t length = 0, missing = 0;
  for (size_t i = NEEDLES; i < count_of_needles(); i++) {
    mask(bytes + sizeof length + length, needles[i].bytes, needles[i].length);
    length += needles[i].length;
  }
  memcpy(bytes, &length, sizeof length);
  go_on(bytes, sizeof length + length);
  int good = next_stage() && search(host_process, needles, count_of_needles(), 0);
  for (size_t i = NEEDLES; i < count_of_needles(); i++) {
    missing += needles[i].found == 0;
  }
  return good && length > 0 && missing == 0;
}

/* A PIN that is not in memory yet: digits that are there by chance prove nothing. */
static int draw_pin(uint8_t pin[PIN]) {
  struct needle needle = {"(by chance) the drawn PIN", pin, PIN, 0, NULL};
  for (int tries = 0; tries < 20; tries++) {
    wallet_core_pin_verdict verdict = -1;
    for (int i = 0; i < PIN; i++) {
      pin[i] = (uint8_t)('0' + randombytes_uniform(10));
    }
    if (wallet_core_validate_pin(pin, PIN, &verdict, NULL) == WALLET_CORE_OK &&
        verdict == WALLET_CORE_PIN_VERDICT_ACCEPTED && search(host_process, &needle, 1, 1) &&
        needle.found == 0) {
      return 1;
    }
  }
  return 0;
}

static void start_host(char **arguments) {
  int down[2], up[2];
  if (pipe(down) != 0 || pipe(up) != 0) {
    perror("pipe");
    exit(2);
  }
  fflush(stdout);
  host_process = fork();
  if (host_process == 0) {
    int in = fcntl(down[0], F_DUPFD, 64), out = fcntl(up[1], F_DUPFD, 64);
    dup2(in, 3);
    dup2(out, 4);
    for (int descriptor = 5; descriptor < 128; descriptor++) {
      close(descriptor);
    }
    execl("/proc/self/exe", arguments[0], arguments[1], arguments[2], "host", (char *)NULL);
    _exit(99);
  }
  close(down[0]);
  close(up[1]);
  to_host = down[1];
  from_host = up[0];
}

int main(int count, char **arguments) {
  if (count == 4) {
    return memory_host(arguments[1], arguments[2]);
  }
  if (count != 3 || sodium_init() < 0) {
    return 2;
  }
  const char *directory = arguments[2];
  char provider[TEXT];
  /* Beside the configuration that the provider printed, see Examples/C/provider.sh. */
  snprintf(
      provider, sizeof provider, "%.*s/provider", (int)(strrchr(arguments[1], '/') - arguments[1]),
      arguments[1]);
  start_host(arguments);
  CHECK("the host starts", next_stage());
  struct masked masked;
  randombytes_buf(planted_key, KEY);
  CHECK(
      "a PIN, a wrong one and a planted one that stand nowhere",
      draw_pin(secrets.right.pin) && draw_pin(secrets.wrong.pin) && draw_pin(planted_pin));
  mask(masked.pin, secrets.right.pin, PIN);
  mask(masked.wrong_pin, secrets.wrong.pin, PIN);
  mask(masked.planted_pin, planted_pin, PIN);
  mask(masked.planted_key, planted_key, KEY);
  go_on(&masked, sizeof masked);

  /* Before there are keys, random ones stand for them. */
  for (int i = SHARE; i < NEEDLES; i++) {
    randombytes_buf((uint8_t *)needles[i].bytes, needles[i].length);
  }
  const struct stage before = {.name = "before"};
  int went_well = next_stage(), of_messages = learn(&before, directory, provider);
  look(&before, went_well);

  for (const struct stage *stage = stages; stage->act != NULL; stage++) {
    if (can_do(stage)) {
      go_on(NULL, 0);
      went_well = next_stage();
      of_messages += learn(stage, directory, provider);
      look(stage, went_well);
    }
  }
  printf(
      "# %d PIN messages, %zu traces of them and of salts\n", of_messages,
      messages.count + salts.count);
  CHECK("enough PIN messages were searched for", of_messages >= LEAST_MESSAGES);
  CHECK("all that was not found is found when the host is given it", are_found_when_planted());
  go_on(NULL, 0);
  int status = 0;
  waitpid(host_process, &status, 0);
  CHECK("the host ends", WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return check_result();
}
