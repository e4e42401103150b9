/*
 * Searches all memory of a host, including guarded pages, for secrets that must not be there.
 *
 * One program, two processes. The host (memory_host.c) goes through a wallet's life and pauses at
 * each stage; its parent stops all of its threads and reads every mapping through /proc/PID/mem,
 * which ignores page protection. The host keeps the PINs masked and wipes its own copy after each
 * call. The parent derives PIN key and vault key itself (memory_keys.c) from the files of both
 * sides. Linked against the testing library it also tests the stages that need the clock moved.
 */

#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "memory_stages.h"
#include "process.h"

enum { PIECE = 1 << 20, LONGEST_NEEDLE = 64, TEXT = 4096, LAST_REFERENCE_ROUNDS = 50 };

static pid_t host_process;
static int to_host, from_host;

struct needle {
  const char *name;
  const uint8_t *bytes;
  size_t length;
  int found;
};

static uint64_t searched_bytes, guarded_bytes, unread_bytes;

/* Whether a needle may begin with these two bytes, so that one pass finds all needles. */
static uint8_t may_begin[1 << 16];

static void search_piece(
    const uint8_t *bytes, size_t length, uint64_t start, const char *mapping,
    struct needle *needles, size_t count) {
  if (length > 0 && bytes[0] == 0 && memcmp(bytes, bytes + 1, length - 1) == 0) {
    return; /* most of a process's memory was never touched, and no needle is of zeros */
  }
  for (size_t at = 0; at + 1 < length; at++) {
    if (!may_begin[bytes[at] << 8 | bytes[at + 1]]) {
      continue;
    }
    for (size_t i = 0; i < count; i++) {
      if (length - at >= needles[i].length &&
          memcmp(bytes + at, needles[i].bytes, needles[i].length) == 0 && needles[i].found++ < 4) {
        printf("# %s at %llx in %s", needles[i].name, (unsigned long long)(start + at), mapping);
      }
    }
  }
}

static void search_mapping(
    FILE *memory, uint64_t start, uint64_t end, const char *mapping, struct needle *needles,
    size_t count) {
  static uint8_t piece[PIECE + LONGEST_NEEDLE];
  size_t kept = 0; /* the end of the piece before, so that nothing hides between two pieces */
  for (uint64_t at = start; at < end;) {
    size_t wanted = end - at < PIECE ? (size_t)(end - at) : PIECE;
    ssize_t got = pread(fileno(memory), piece + kept, wanted, (off_t)at);
    if (got <= 0) {
      if (unread_bytes == 0) {
        printf("# cannot be read at %llx: %s", (unsigned long long)at, mapping);
      }
      unread_bytes += 4096;
      at += 4096;
      kept = 0;
      continue;
    }
    size_t length = kept + (size_t)got;
    search_piece(piece, length, at - kept, mapping, needles, count);
    searched_bytes += (uint64_t)got;
    at += (uint64_t)got;
    kept = length < LONGEST_NEEDLE - 1 ? length : LONGEST_NEEDLE - 1;
    memmove(piece, piece + length - kept, kept);
  }
}

/* Stops the host and searches all of its memory. A match that straddles two pieces may count twice. */
static int search(struct needle *needles, size_t count) {
  char path[64], line[TEXT];
  searched_bytes = guarded_bytes = unread_bytes = 0;
  memset(may_begin, 0, sizeof may_begin);
  for (size_t i = 0; i < count; i++) {
    needles[i].found = 0;
    may_begin[needles[i].bytes[0] << 8 | needles[i].bytes[1]] = 1;
  }
  int status = 0;
  if (kill(host_process, SIGSTOP) != 0 ||
      waitpid(host_process, &status, WUNTRACED) != host_process || !WIFSTOPPED(status)) {
    perror("the host does not stop");
    return 0;
  }
  snprintf(path, sizeof path, "/proc/%d/maps", host_process);
  FILE *maps = fopen(path, "r");
  snprintf(path, sizeof path, "/proc/%d/mem", host_process);
  FILE *memory = fopen(path, "r");
  while (maps != NULL && memory != NULL && fgets(line, sizeof line, maps) != NULL) {
    unsigned long long start = 0, end = 0;
    char rights[5] = "";
    if (sscanf(line, "%llx-%llx %4s", &start, &end, rights) != 3 || strstr(line, "[vvar") != NULL ||
        strstr(line, "[vsyscall]") != NULL) {
      continue; /* the kernel's own pages */
    }
    guarded_bytes += strncmp(rights, "---", 3) == 0 ? end - start : 0;
    search_mapping(memory, start, end, line, needles, count);
  }
  int good = maps != NULL && memory != NULL && searched_bytes > 0;
  if (maps != NULL) fclose(maps);
  if (memory != NULL) fclose(memory);
  kill(host_process, SIGCONT);
  return good;
}

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
static struct needle needles[] = {
    {"the planted PIN", planted_pin, PIN, 0},
    {"the planted key", planted_key, KEY, 0},
    {"the PIN", secrets.right.pin, PIN, 0},
    {"the wrong PIN", secrets.wrong.pin, PIN, 0},
    {"the provider's share", secrets.share, KEY, 0},
    {"the vault key", secrets.vault_key, KEY, 0},
    {"the PIN key's seed", secrets.right.seed, KEY, 0},
    {"the PIN key's scalar", secrets.right.expanded, KEY, 0},
    {"the PIN key's prefix", secrets.right.expanded + KEY, KEY, 0},
    {"the wrong PIN key's seed", secrets.wrong.seed, KEY, 0},
    {"the wrong PIN key's scalar", secrets.wrong.expanded, KEY, 0},
    {"the wrong PIN key's prefix", secrets.wrong.expanded + KEY, KEY, 0},
};
enum {
  PLANTED_PIN,
  PLANTED_KEY,
  THE_PIN,
  WRONG_PIN,
  SHARE,
  VAULT_KEY,
  FIRST_OF_PIN_KEYS,
  NEEDLES = sizeof needles / sizeof needles[0]
};

static int found_of_pin_keys(void) {
  int found = 0;
  for (int i = FIRST_OF_PIN_KEYS; i < NEEDLES; i++) {
    found += needles[i].found;
  }
  return found;
}

/* Whether all secrets that must be gone by that stage are gone. */
static int is_left_only(const struct stage *at) {
  return needles[WRONG_PIN].found == 0 && needles[SHARE].found == 0 &&
         (at->has_pin || (needles[THE_PIN].found == 0 && found_of_pin_keys() == 0)) &&
         (at->is_unlocked || needles[VAULT_KEY].found == 0);
}

static void look(const struct stage *at, int went_well) {
  const char *stage = at->name;
  char name[128];
  snprintf(name, sizeof name, "%s: the host did it, and all its memory was read", stage);
  /* The request's last reference is released just after its completion was queued. On a busy machine the other
     thread may need so many rounds; a release that waits for a timer of a second would be detected. A library
     that is just being loaded has pages beyond the end of its file, which nobody can read. */
  int was_searched = search(needles, NEEDLES);
  for (int round = 0;
       was_searched && (!is_left_only(at) || unread_bytes > 0) && round < LAST_REFERENCE_ROUNDS;
       round++) {
    process_sleep(10);
    was_searched = search(needles, NEEDLES);
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
  }
  snprintf(name, sizeof name, "%s: no share of the provider", stage);
  CHECK(name, needles[SHARE].found == 0);
  snprintf(name, sizeof name, "%s: %s vault key", stage, at->is_unlocked ? "a" : "no");
  CHECK(name, (needles[VAULT_KEY].found > 0) == at->is_unlocked);
}

/* A PIN that is not in memory yet: digits that are there by chance prove nothing. */
static int draw_pin(uint8_t pin[PIN]) {
  struct needle needle = {"(by chance) the drawn PIN", pin, PIN, 0};
  for (int tries = 0; tries < 20; tries++) {
    int32_t verdict = -1;
    for (int i = 0; i < PIN; i++) {
      pin[i] = (uint8_t)('0' + randombytes_uniform(10));
    }
    if (wallet_core_validate_pin(pin, PIN, &verdict, NULL) == WALLET_CORE_OK &&
        verdict == WALLET_CORE_PIN_ACCEPTED && search(&needle, 1) && needle.found == 0) {
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
  char provider[TEXT], copy[TEXT];
  /* Beside the configuration that the provider printed, see Examples/C/provider.sh. */
  snprintf(
      provider, sizeof provider, "%.*s/provider", (int)(strrchr(arguments[1], '/') - arguments[1]),
      arguments[1]);
  snprintf(copy, sizeof copy, "%s/copy.db", directory);

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
  look(&(struct stage){.name = "before"}, next_stage());

  for (const struct stage *stage = stages; stage->act != NULL; stage++) {
    if (can_do(stage)) {
      go_on(NULL, 0);
      int went_well = next_stage();
      if (stage->registers) {
        derive_secrets(&secrets, directory, provider, copy);
      }
      look(stage, went_well);
    }
  }
  go_on(NULL, 0);
  int status = 0;
  waitpid(host_process, &status, 0);
  CHECK("the host ends", WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return check_result();
}
