/* A host may exit at any moment: also during a request to the provider, and whether or not
   the host uses OpenSSL, which tears itself down at exit. */

#include <dlfcn.h>
#include <sodium.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "host.h"
#include "process.h"
#include "software_keys.h"

extern char **environ;

enum { ROUNDS = 60, STEP_US = 400 };

/* As in a host that uses OpenSSL itself. Without an option the call would start nothing. */
static void start_openssl(void) {
  void *crypto = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_GLOBAL);
  int (*start)(uint64_t options, const void *settings) = NULL;
  if (crypto != NULL) {
    *(void **)&start = dlsym(crypto, "OPENSSL_init_crypto");
  }
  if (start != NULL) {
    start(2, NULL); /* OPENSSL_INIT_LOAD_CRYPTO_STRINGS */
  }
}

/* --- a signing key without OpenSSL ---------------------------------------------------------- */

/* Derived from the identifier, so that every host of the directory has it. */
static void make_pair(
    const char *identifier, uint8_t public_key[crypto_sign_PUBLICKEYBYTES],
    uint8_t secret_key[crypto_sign_SECRETKEYBYTES]) {
  uint8_t seed[crypto_sign_SEEDBYTES];
  crypto_generichash(seed, sizeof seed, (const uint8_t *)identifier, strlen(identifier), NULL, 0);
  crypto_sign_seed_keypair(public_key, secret_key, seed);
}

static void answer_public_key(void *context, uint64_t call, const char *identifier) {
  uint8_t der[44] = {0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00};
  uint8_t secret_key[crypto_sign_SECRETKEYBYTES];
  (void)context;
  make_pair(identifier, der + 12, secret_key);
  (void)wallet_core_bridge_reply(call, WALLET_CORE_BRIDGE_OK, der, sizeof der, NULL);
}

static void answer_signature(
    void *context, uint64_t call, const char *identifier, const uint8_t *payload, size_t length) {
  uint8_t public_key[crypto_sign_PUBLICKEYBYTES], secret_key[crypto_sign_SECRETKEYBYTES];
  uint8_t signature[crypto_sign_BYTES];
  (void)context;
  make_pair(identifier, public_key, secret_key);
  crypto_sign_detached(signature, NULL, payload, length, secret_key);
  (void)wallet_core_bridge_reply(call, WALLET_CORE_BRIDGE_OK, signature, sizeof signature, NULL);
}

/* As host_start(). Its own key keeps OpenSSL out of the host, so that only the library can start it. */
static wallet_core_status start(const char *configuration, char *directory) {
  wallet_core_signing_key_bridge signing_key;
  wallet_core_encryption_key_bridge encryption_key;
  wallet_core_utilities_bridge utilities;
  if (software_keys_fill(directory, &signing_key, &encryption_key, &utilities) != 0) {
    return WALLET_CORE_ERROR_INTERNAL;
  }
  signing_key.public_key = answer_public_key;
  signing_key.sign = answer_signature;
  wallet_core_options options = host_options(configuration, NULL);
  wallet_core_status status =
      wallet_core_init_platform_support(&signing_key, &encryption_key, &utilities, NULL);
  return status == WALLET_CORE_OK ? wallet_core_init(&options, NULL) : status;
}

/* --- hosts that exit ------------------------------------------------------------------------ */

/* One host: it starts, sends a request to the provider, and exits after a while. */
static int live(
    const char *configuration, char *directory, const char *microseconds, int has_openssl) {
  wallet_core_client client = 0;
  const uint8_t *pin = (const uint8_t *)"471108";
  if (has_openssl) {
    start_openssl();
  }
  if (start(configuration, directory) != WALLET_CORE_OK) {
    return 2;
  }
  (void)wallet_core_client_attach("app", 0, &client, NULL);
  (void)wallet_core_register(client, pin, 6, NULL, NULL);
  usleep((useconds_t)atoi(microseconds));
  return 0;
}

/* The arguments of the host whose exit has begun. */
static char **late_arguments;

/* An exit handler that runs after OpenSSL's: only now does the library need OpenSSL for the first time. */
static void live_late(void) {
  wallet_core_client client = 0;
  int kind = 0;
  if (start(late_arguments[1], late_arguments[2]) != WALLET_CORE_OK ||
      wallet_core_client_attach("app", 0, &client, NULL) != WALLET_CORE_OK ||
      wallet_core_refresh(client, NULL, NULL) != WALLET_CORE_OK) {
    _exit(2);
  }
  while (kind != WALLET_CORE_EVENT_COMPLETION) {
    wallet_core_event *event = NULL;
    if (wallet_core_client_next_event(client, TEST_PATIENCE_MS, &event, NULL) != WALLET_CORE_OK) {
      _exit(3);
    }
    kind = (int)wallet_core_event_kind(event);
    if (kind == WALLET_CORE_EVENT_COMPLETION &&
        wallet_core_error_code(wallet_core_event_error(event)) != WALLET_CORE_ERROR_CANCELLED) {
      _exit(4); /* it has used OpenSSL */
    }
    wallet_core_event_free(event);
  }
}

/* How many of the rounds ended with an exit status other than 0. */
static int failures(char **arguments, const char *kind, int rounds) {
  int count = 0;
  for (int round = 0; round < rounds; round++) {
    char microseconds[16];
    char *words[] = {arguments[0], arguments[1], arguments[2], microseconds, (char *)kind, NULL};
    pid_t child = 0;
    int status = -1;
    snprintf(microseconds, sizeof microseconds, "%d", round * STEP_US);
    if (posix_spawn(&child, arguments[0], NULL, NULL, words, environ) != 0 ||
        waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      printf("# round %d: status %#x\n", round, (unsigned)status);
      count += 1;
    }
  }
  return count;
}

/* The child of a fork has no request under way, whatever its parent had. */
static int child_exits(void) {
  pid_t child = fork();
  int status = -1;
  if (child == 0) {
    alarm(TEST_PATIENCE_MS / 1000);
    exit(0);
  }
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int count, char **arguments) {
  if (count == 5 && strcmp(arguments[4], "late") == 0) {
    late_arguments = arguments;
    (void)atexit(live_late);
    start_openssl();
    return 0;
  }
  if (count == 5) {
    return live(arguments[1], arguments[2], arguments[3], strcmp(arguments[4], "openssl") == 0);
  }
  if (count != 3) {
    return 2;
  }
  CHECK("60 hosts exit in the midst of a request", failures(arguments, "plain", ROUNDS) == 0);
  CHECK("60 hosts that use OpenSSL do so too", failures(arguments, "openssl", ROUNDS) == 0);
  CHECK(
      "what begins after OpenSSL has ended gets an error and does not use it",
      failures(arguments, "late", 5) == 0);
  if (CHECK("start", start(arguments[1], arguments[2]) == WALLET_CORE_OK)) {
    int clean = 1;
    for (int i = 0; i < 20; i++) {
      usleep(1000);
      clean &= child_exits();
    }
    CHECK("so do 20 children of forks during a request", clean);
  }
  return check_result();
}
