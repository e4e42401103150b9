/*
 * Looks through all memory of a host, also guarded pages, for what must not be there.
 *
 * One program, two processes. The host lives a wallet's life with the shipped library and pauses at
 * each stage; its parent stops it with ptrace and reads every mapping by /proc/PID/mem, which does
 * not heed page protection. The host keeps the PIN masked and wipes its own copy after each call.
 * The parent derives PIN key and vault key by itself: it has what is on disk on both sides.
 */

#include <fcntl.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "host.h"
#include "process.h"

enum {
  PIN = WALLET_CORE_PIN_LENGTH,
  KEY = 32,
  MASK = 0xA5,
  PIECE = 1 << 20,
  LONGEST_NEEDLE = 64,
  TEXT = 4096
};

/* What the parent sends the host: the PIN and two secrets to plant, masked byte by byte. */
struct masked {
  uint8_t pin[PIN], planted_pin[PIN], planted_key[KEY];
};

static void mask(uint8_t *to, const uint8_t *from, size_t length) {
  for (size_t i = 0; i < length; i++) {
    to[i] = from[i] ^ MASK;
  }
}

/* --- the host ------------------------------------------------------------------------------- */

static wallet_core_client client;

typedef wallet_core_status pin_request(
    wallet_core_client client, const uint8_t *pin, size_t length, uint64_t *request,
    wallet_core_error **error);

static int ended_well(uint64_t request, int32_t pin_outcome) {
  wallet_core_event *event = host_completion(client, request);
  int good = event != NULL && wallet_core_event_status(event) == WALLET_CORE_OK &&
             wallet_core_event_pin_outcome(event) == pin_outcome;
  wallet_core_event_free(event);
  return good;
}

/* Unmasks the PIN for the length of the call. */
static int ask(pin_request *function, const struct masked *masked, int32_t pin_outcome) {
  uint8_t pin[PIN];
  uint64_t request = 0;
  mask(pin, masked->pin, PIN);
  wallet_core_status status = function(client, pin, PIN, &request, NULL);
  wallet_core_memzero(pin, PIN);
  return status == WALLET_CORE_OK && ended_well(request, pin_outcome);
}

/* Locks while an unlock runs. */
static int unlock_and_lock(const struct masked *masked) {
  uint8_t pin[PIN];
  uint64_t request = 0;
  mask(pin, masked->pin, PIN);
  wallet_core_status status = wallet_core_unlock(client, pin, PIN, &request, NULL);
  wallet_core_memzero(pin, PIN);
  int good = status == WALLET_CORE_OK && wallet_core_lock(NULL) == WALLET_CORE_OK;
  wallet_core_event *event = good ? host_completion(client, request) : NULL;
  good = event != NULL && wallet_core_event_status(event) == WALLET_CORE_ERROR_CANCELLED;
  wallet_core_event_free(event);
  return good;
}

/* Tells the parent how it went, and waits until it has looked. */
static void pause_here(int good) {
  char byte = good ? 'y' : 'n';
  if (write(4, &byte, 1) != 1 || read(3, &byte, 1) != 1) {
    _exit(3);
  }
}

static int host(const char *configuration, char *directory) {
  int started = host_start(configuration, directory) == WALLET_CORE_OK &&
                wallet_core_client_attach("app", 0, &client, NULL) == WALLET_CORE_OK;
  pause_here(started);
  struct masked masked;
  if (read(3, &masked, sizeof masked) != sizeof masked) {
    return 3;
  }
  uint8_t *plain = malloc(PIN);
  uint8_t *guarded = sodium_malloc(KEY);
  mask(plain, masked.planted_pin, PIN);
  mask(guarded, masked.planted_key, KEY);
  sodium_mprotect_noaccess(guarded);
  pause_here(1);
  pause_here(ask(wallet_core_register, &masked, WALLET_CORE_PIN_NOT_JUDGED));
  pause_here(wallet_core_lock(NULL) == WALLET_CORE_OK);
  pause_here(ask(wallet_core_unlock, &masked, WALLET_CORE_PIN_VALID));
  pause_here(ask(wallet_core_check_pin, &masked, WALLET_CORE_PIN_VALID));
  pause_here(wallet_core_lock(NULL) == WALLET_CORE_OK);
  pause_here(unlock_and_lock(&masked));
  pause_here(ask(wallet_core_unlock, &masked, WALLET_CORE_PIN_VALID));
  uint64_t request = 0;
  int wiped = wallet_core_wipe(client, &request, NULL) == WALLET_CORE_OK;
  pause_here(wiped && ended_well(request, WALLET_CORE_PIN_NOT_JUDGED));
  sodium_free(guarded);
  free(plain);
  return 0;
}

/* --- the search ----------------------------------------------------------------------------- */

static pid_t host_process;
static int to_host, from_host;

struct needle {
  const char *name;
  const uint8_t *bytes;
  size_t length;
  int found;
};

static uint64_t searched_bytes, guarded_bytes, unread_bytes;

static void search_piece(
    const uint8_t *bytes, size_t length, uint64_t start, const char *mapping,
    struct needle *needles, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint8_t *end = bytes + length;
    for (const uint8_t *at = bytes; at < end; at++) {
      at = memmem(at, (size_t)(end - at), needles[i].bytes, needles[i].length);
      if (at == NULL) {
        break;
      }
      if (needles[i].found++ < 4) {
        printf(
            "# %s at %llx in %s", needles[i].name,
            (unsigned long long)(start + (uint64_t)(at - bytes)), mapping);
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

/* Stops the host and looks at all of its memory. What straddles two pieces may count twice. */
static int search(struct needle *needles, size_t count) {
  char path[64], line[TEXT];
  searched_bytes = guarded_bytes = unread_bytes = 0;
  for (size_t i = 0; i < count; i++) {
    needles[i].found = 0;
  }
  /* The request's last reference goes just after its completion was queued. */
  process_sleep(200);
  if (ptrace(PTRACE_ATTACH, host_process, NULL, NULL) != 0 ||
      waitpid(host_process, NULL, 0) != host_process) {
    perror("ptrace");
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
  ptrace(PTRACE_DETACH, host_process, NULL, NULL);
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

/* --- the keys, from what is on disk ---------------------------------------------------------- */

/* The blob or text that a query gives; its length, 0 for nothing. */
static size_t query(
    const char *database, const char *sql, const char *parameter, uint8_t *out, size_t size) {
  sqlite3 *handle = NULL;
  sqlite3_stmt *statement = NULL;
  size_t length = 0;
  if (sqlite3_open_v2(database, &handle, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2(handle, sql, -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_bind_text(statement, 1, parameter, -1, SQLITE_STATIC) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW) {
    const void *bytes = sqlite3_column_blob(statement, 0);
    length = (size_t)sqlite3_column_bytes(statement, 0);
    length = length < size ? length : 0;
    memcpy(out, bytes, length);
    out[length] = 0;
  } else {
    printf("# %s: %s\n", database, sqlite3_errmsg(handle));
  }
  sqlite3_finalize(statement);
  sqlite3_close(handle);
  return length;
}

static size_t read_file(const char *path, uint8_t *bytes, size_t size) {
  FILE *file = fopen(path, "rb");
  size_t length = file != NULL ? fread(bytes, 1, size, file) : 0;
  if (file != NULL) fclose(file);
  return length;
}

/* The host has the database open for itself alone, so a copy of it is read. */
static void copy_file(const char *from, const char *to) {
  static uint8_t bytes[8 << 20];
  size_t length = read_file(from, bytes, sizeof bytes);
  FILE *file = fopen(to, "wb");
  if (file != NULL) {
    fwrite(bytes, 1, length, file);
    fclose(file);
  }
}

__attribute__((format(printf, 2, 3))) static const char *path_of(
    char path[TEXT], const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(path, TEXT, format, arguments);
  va_end(arguments);
  return path;
}

/* The text of a JSON member without escapes. */
static int member(const uint8_t *json, const char *name, char *value, size_t size) {
  char start[64];
  snprintf(start, sizeof start, "\"%s\":\"", name);
  const char *at = strstr((const char *)json, start);
  if (at == NULL) {
    return 0;
  }
  at += strlen(start);
  size_t length = strcspn(at, "\"");
  snprintf(value, size, "%.*s", (int)length, at);
  return length < size;
}

static int decoded(uint8_t *bytes, size_t length, const char *text) {
  size_t count = 0;
  return sodium_base642bin(
             bytes, length, text, strcspn(text, "\n"), NULL, &count, NULL,
             sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
         count == length;
}

static size_t put_sized(uint8_t *to, int bytes_of_length, const void *part, size_t length) {
  for (int i = 0; i < bytes_of_length; i++) {
    to[i] = (uint8_t)(i == bytes_of_length - 1 ? length : 0);
  }
  memcpy(to + bytes_of_length, part, length);
  return (size_t)bytes_of_length + length;
}

/* Opens what the core sealed: XChaCha20-Poly1305, the nonce in front. */
static size_t open_box(
    uint8_t *out, const uint8_t *box, size_t length, const uint8_t *data, size_t data_length,
    const uint8_t key[KEY]) {
  unsigned long long opened = 0;
  int status = length < 40
                   ? -1
                   : crypto_aead_xchacha20poly1305_ietf_decrypt(
                         out, &opened, NULL, box + 24, length - 24, data, data_length, box, key);
  out[status == 0 ? opened : 0] = 0;
  return status == 0 ? (size_t)opened : 0;
}

/* The registration record of the paused host, opened with the software keys. */
static int registration_record(const char *directory, const char *copy, uint8_t record[TEXT]) {
  char path[TEXT], other[TEXT], identifier[128];
  uint8_t box[TEXT], account_key[TEXT], platform_key[KEY], data[256];
  for (const char **suffix = (const char *[]){"", "-wal", NULL}; *suffix != NULL; suffix++) {
    copy_file(
        path_of(path, "%s/storage/wallet.db%s", directory, *suffix),
        path_of(other, "%s%s", copy, *suffix));
  }
  const char *keyring = "SELECT value FROM keyring WHERE name = ?";
  if (query(copy, keyring, "account.identifier", (uint8_t *)identifier, sizeof identifier) == 0 ||
      read_file(path_of(path, "%s/encryption-%s.key", directory, identifier), platform_key, KEY) !=
          KEY) {
    return 0;
  }
  size_t length = query(copy, keyring, "account.wrapped", box, sizeof box);
  if (length < 40 ||
      crypto_secretbox_open_easy(account_key, box + 24, length - 24, box, platform_key) != 0) {
    return 0;
  }
  length = query(copy, "SELECT value FROM account WHERE name = ?", "registration", box, sizeof box);
  size_t data_length = put_sized(data, 4, "wallet_core.storage.1", 21);
  data_length += put_sized(data + data_length, 4, "account", 7);
  data_length += put_sized(data + data_length, 4, "registration", 12);
  return open_box(record, box, length, data, data_length, account_key) > 0;
}

static struct secrets {
  uint8_t pin[PIN];
  uint8_t seed[KEY], expanded[64], public_key[KEY];
  uint8_t share[KEY], vault_key[KEY];
} secrets;

/* The PIN key: its seed, and the SHA-512 of it that signing works with, clamped as Ed25519 does. */
static int derive_pin_key(const uint8_t *record) {
  char salt_text[64];
  uint8_t salt[16], secret_key[64];
  if (!member(record, "salt", salt_text, sizeof salt_text) || !decoded(salt, 16, salt_text) ||
      crypto_pwhash(
          secrets.seed, KEY, (const char *)secrets.pin, PIN, salt, 3, 64 << 20,
          crypto_pwhash_ALG_ARGON2ID13) != 0) {
    return 0;
  }
  crypto_sign_seed_keypair(secrets.public_key, secret_key, secrets.seed);
  crypto_hash_sha512(secrets.expanded, secrets.seed, KEY);
  secrets.expanded[0] &= 248;
  secrets.expanded[31] &= 127;
  secrets.expanded[31] |= 64;
  return 1;
}

/* What the provider keeps of a wallet, opened with its sealing key. */
static int open_at_provider(
    uint8_t out[KEY], const char *provider, const char *wallet, const char *column,
    const char *place) {
  char path[TEXT], database[TEXT], sql[128], key_text[64] = "";
  uint8_t key[KEY], box[256], hash[64], key_id[64], data[512];
  path_of(database, "%s/wallet-provider.sqlite", provider);
  path_of(path, "%s/keys/sealing.key", provider);
  if (read_file(path, (uint8_t *)key_text, sizeof key_text - 1) == 0 ||
      !decoded(key, KEY, key_text)) {
    return 0;
  }
  snprintf(sql, sizeof sql, "SELECT %s FROM wallet WHERE id = ?", column);
  size_t length = query(database, sql, wallet, box, sizeof box);
  size_t hash_length = query(
      database, "SELECT hardware_key_hash FROM wallet WHERE id = ?", wallet, hash, sizeof hash);
  size_t id_length =
      query(database, "SELECT sealing_key FROM wallet WHERE id = ?", wallet, key_id, sizeof key_id);
  size_t data_length = put_sized(data, 8, place, strlen(place));
  data_length += put_sized(data + data_length, 8, wallet, strlen(wallet));
  data_length += put_sized(data + data_length, 8, hash, hash_length);
  data_length += put_sized(data + data_length, 8, key_id, id_length);
  return length == 12 + KEY + 16 &&
         crypto_aead_chacha20poly1305_ietf_decrypt(
             out, NULL, NULL, box + 12, length - 12, data, data_length, box, key) == 0;
}

/* The provider has the public half of the PIN key: the derivation above is the core's. */
static int is_pin_key_of(const char *wallet, const char *provider) {
  uint8_t public_key[KEY];
  return open_at_provider(public_key, provider, wallet, "sealed_pin_key", "pin-public-key") &&
         memcmp(public_key, secrets.public_key, KEY) == 0;
}

/* The vault key, unwrapped with the provider's share. */
static int derive_vault_key(const char *wallet, const char *provider, const char *copy) {
  char purpose[512];
  uint8_t box[256], opened[256];
  if (!open_at_provider(secrets.share, provider, wallet, "sealed_share", "unlock-share")) {
    return 0;
  }
  size_t length =
      query(copy, "SELECT value FROM keyring WHERE name = ?", "vault.share", box, sizeof box);
  snprintf(purpose, sizeof purpose, "wallet_core/1/vault-key/share/%s", wallet);
  if (open_box(opened, box, length, (uint8_t *)purpose, strlen(purpose), secrets.share) != KEY) {
    return 0;
  }
  memcpy(secrets.vault_key, opened, KEY);
  return 1;
}

/* --- the stages ------------------------------------------------------------------------------ */

static uint8_t planted_pin[PIN], planted_key[KEY];
static struct needle needles[] = {
    {"the planted PIN", planted_pin, PIN, 0},
    {"the planted key", planted_key, KEY, 0},
    {"the PIN", secrets.pin, PIN, 0},
    {"the PIN key's seed", secrets.seed, KEY, 0},
    {"the PIN key's scalar", secrets.expanded, KEY, 0},
    {"the PIN key's prefix", secrets.expanded + KEY, KEY, 0},
    {"the provider's share", secrets.share, KEY, 0},
    {"the vault key", secrets.vault_key, KEY, 0},
};
enum {
  PLANTED_PIN,
  PLANTED_KEY,
  THE_PIN,
  SEED,
  SCALAR,
  PREFIX,
  SHARE,
  VAULT_KEY,
  NEEDLES = sizeof needles / sizeof needles[0]
};

static void look(const char *stage, int went_well, int is_unlocked) {
  char name[128];
  snprintf(name, sizeof name, "%s: the host did it, and all its memory was read", stage);
  CHECK(name, search(needles, NEEDLES) && went_well && unread_bytes == 0);
  printf(
      "# %s: %llu KiB searched, %llu KiB of them without any access right\n", stage,
      (unsigned long long)searched_bytes >> 10, (unsigned long long)guarded_bytes >> 10);
  snprintf(name, sizeof name, "%s: what was planted is found, guarded or not", stage);
  CHECK(name, needles[PLANTED_PIN].found > 0 && needles[PLANTED_KEY].found > 0);
  snprintf(name, sizeof name, "%s: no PIN", stage);
  CHECK(name, needles[THE_PIN].found == 0);
  snprintf(name, sizeof name, "%s: no PIN key", stage);
  CHECK(name, needles[SEED].found == 0 && needles[SCALAR].found == 0 && needles[PREFIX].found == 0);
  snprintf(name, sizeof name, "%s: no share of the provider", stage);
  CHECK(name, needles[SHARE].found == 0);
  snprintf(name, sizeof name, "%s: %s vault key", stage, is_unlocked ? "a" : "no");
  CHECK(name, (needles[VAULT_KEY].found > 0) == is_unlocked);
}

/* A PIN that nobody has yet: digits that stand somewhere by chance prove nothing. */
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
    return host(arguments[1], arguments[2]);
  }
  if (count != 3 || sodium_init() < 0) {
    return 2;
  }
  const char *directory = arguments[2];
  char provider[TEXT], copy[TEXT];
  /* Beside the configuration that the provider printed, see Examples/C/provider.sh. */
  path_of(
      provider, "%.*s/provider", (int)(strrchr(arguments[1], '/') - arguments[1]), arguments[1]);
  path_of(copy, "%s/copy.db", directory);

  start_host(arguments);
  CHECK("the host starts", next_stage());
  struct masked masked;
  randombytes_buf(planted_key, KEY);
  CHECK(
      "a PIN and a planted PIN that stand nowhere", draw_pin(secrets.pin) && draw_pin(planted_pin));
  mask(masked.pin, secrets.pin, PIN);
  mask(masked.planted_pin, planted_pin, PIN);
  mask(masked.planted_key, planted_key, KEY);
  go_on(&masked, sizeof masked);

  /* Before there are keys, random ones stand for them. */
  randombytes_buf(secrets.seed, sizeof secrets - offsetof(struct secrets, seed));
  look("before", next_stage(), 0);
  go_on(NULL, 0);

  int registered = next_stage();
  uint8_t record[TEXT];
  char wallet[256] = "";
  CHECK(
      "the PIN key, derived from what the wallet stores and held against the provider's",
      registration_record(directory, copy, record) && derive_pin_key(record) &&
          member(record, "walletID", wallet, sizeof wallet) && is_pin_key_of(wallet, provider));
  CHECK(
      "the vault key, derived from what both sides store",
      derive_vault_key(wallet, provider, copy));
  look("registered", registered, 1);

  static const struct {
    const char *name;
    int is_unlocked;
  } stages[] = {
      {"locked", 0},
      {"unlocked", 1},
      {"PIN checked", 1},
      {"locked again", 0},
      {"locked during an unlock", 0},
      {"unlocked again", 1},
      {"wiped", 0}};
  for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
    go_on(NULL, 0);
    look(stages[i].name, next_stage(), stages[i].is_unlocked);
  }
  go_on(NULL, 0);
  int status = 0;
  waitpid(host_process, &status, 0);
  CHECK("the host ends", WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return check_result();
}
