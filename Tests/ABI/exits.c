/* A host may exit at any moment: also during a request to the provider, and whether or not
   the host uses OpenSSL, which tears itself down at exit. */

#include <dlfcn.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "host.h"
#include "process.h"

extern char **environ;

enum { ROUNDS = 60, STEP_US = 400 };

/* As in a host that uses OpenSSL itself. */
static void start_openssl(void) {
  void *crypto = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_GLOBAL);
  int (*start)(uint64_t options, const void *settings) = NULL;
  if (crypto != NULL) {
    *(void **)&start = dlsym(crypto, "OPENSSL_init_crypto");
  }
  if (start != NULL) {
    start(0, NULL);
  }
}

/* One host: it starts, sends a request to the provider, and exits after a while. */
static int live(
    const char *configuration, char *directory, const char *microseconds, int has_openssl) {
  wallet_core_client client = 0;
  const uint8_t *pin = (const uint8_t *)"471108";
  if (has_openssl) {
    start_openssl();
  }
  if (host_start(configuration, directory) != WALLET_CORE_OK) {
    return 2;
  }
  (void)wallet_core_client_attach("app", 0, &client, NULL);
  (void)wallet_core_register(client, pin, 6, NULL, NULL);
  usleep((useconds_t)atoi(microseconds));
  return 0;
}

/* How many of the rounds ended with an exit status other than 0. */
static int failures(char **arguments, const char *kind) {
  int count = 0;
  for (int round = 0; round < ROUNDS; round++) {
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
  if (count == 5) {
    return live(arguments[1], arguments[2], arguments[3], strcmp(arguments[4], "openssl") == 0);
  }
  if (count != 3) {
    return 2;
  }
  CHECK("60 hosts exit in the midst of a request", failures(arguments, "plain") == 0);
  CHECK("60 hosts that use OpenSSL do so too", failures(arguments, "openssl") == 0);
  if (CHECK("start", host_start(arguments[1], arguments[2]) == WALLET_CORE_OK)) {
    int clean = 1;
    for (int i = 0; i < 20; i++) {
      usleep(1000);
      clean &= child_exits();
    }
    CHECK("so do 20 children of forks during a request", clean);
  }
  return check_result();
}
