/*
 * Every call in the child of a fork answers FORKED; the parent continues. Without a wallet the calls
 * of a child end, at whatever moment of a failing start it was forked.
 *
 * WALLET_CORE_FORKS says how many such moments.
 */

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "host.h"
#include "process.h"
#include "software_keys.h"

static void on_event(void *context, wallet_core_event *event) {
  (void)context;
  wallet_core_event_free(event);
}

/* Runs in the child: how many calls gave an answer other than FORKED. */
static int child(wallet_core_client client) {
  const uint8_t *pin = (const uint8_t *)"471108";
  const wallet_core_status forked = WALLET_CORE_ERROR_FORKED;
  wallet_core_options options = {.struct_size = sizeof options};
  wallet_core_event *event = NULL;
  wallet_core_client other = 0;
  int32_t answer = 0;
  int wrong = 0;
  wrong += wallet_core_is_initialized() != 0;
  wrong += wallet_core_init(&options, NULL) != forked;
  wrong += wallet_core_bridge_reply(1, 0, NULL, 0, NULL) != forked;
  wrong += wallet_core_http_reply(1, NULL) != forked;
  wrong += wallet_core_set_http_bridge(NULL, NULL) != forked;
  wrong += wallet_core_client_attach("child", 0, &other, NULL) != forked;
  wrong += wallet_core_client_detach(client, NULL) != forked;
  wrong += wallet_core_client_abandon(client) != forked;
  wrong += wallet_core_client_next_event(client, 0, &event, NULL) != forked;
  wrong += wallet_core_client_interrupt(client, NULL) != forked;
  wrong += wallet_core_set_lock_stream(client, on_event, NULL, NULL, NULL, NULL) != forked;
  wrong += wallet_core_clear_lock_stream(client, 0, NULL) != forked;
  wrong += wallet_core_has_registration(&answer, NULL) != forked;
  wrong += wallet_core_is_locked(&answer, NULL) != forked;
  wrong += wallet_core_unlock(client, pin, 6, NULL, NULL) != forked;
  wrong += wallet_core_lock(NULL) != forked;
  wrong += wallet_core_wipe(client, NULL, NULL) != forked;
  wrong += wallet_core_cancel(client, 1, NULL) != forked;
  return wrong;
}

/* Whether the storage is free again once a process that used it has ended, although a child that it
 * forked lives on. */
static int storage_is_free_while_a_child_lives(char **arguments) {
  int hold[2], report[2];
  if (pipe(hold) != 0 || pipe(report) != 0) {
    return 0;
  }
  pid_t owner = fork();
  if (owner == 0) {
    char started = host_start(arguments[1], arguments[2]) == WALLET_CORE_OK;
    if (fork() == 0) {
      close(hold[1]);
      alarm(TEST_PATIENCE_MS / 1000);
      char byte = 0;
      /* Lives until the first process closes its end. */
      _exit(write(report[1], &started, 1) == 1 && read(hold[0], &byte, 1) == 0 ? 0 : 1);
    }
    close(hold[1]);
    pause();
    _exit(1);
  }
  char started = 0;
  close(hold[0]);
  int reported = read(report[0], &started, 1) == 1;
  kill(owner, SIGKILL);
  waitpid(owner, NULL, 0);
  int is_free = reported && started && host_start(arguments[1], arguments[2]) == WALLET_CORE_OK;
  close(hold[1]);
  return is_free;
}

/* --- starts that fail ------------------------------------------------------------------------ */

static atomic_int starting, failed_starts;
static wallet_core_signing_key_bridge signing_key;
static wallet_core_encryption_key_bridge encryption_key;
static wallet_core_utilities_bridge utilities;

static wallet_core_status failing_init(void) {
  wallet_core_options options = {.struct_size = sizeof options};
  options.embedded_configuration = (const uint8_t *)"{}";
  options.embedded_configuration_length = 2;
  options.app_version = "1.0.0";
  options.app_id = "org.example.tests";
  return wallet_core_init(&options, NULL);
}

/* The same bridges each time: to fill them again takes a lock of libsodium, which a child may inherit. */
static wallet_core_status platform(void) {
  return wallet_core_init_platform_support(&signing_key, &encryption_key, &utilities, NULL);
}

static void *keep_failing(void *directory) {
  while (atomic_load(&starting)) {
    if (failing_init() == WALLET_CORE_OK || platform() != WALLET_CORE_OK) {
      return NULL;
    }
    atomic_fetch_add(&failed_starts, 1);
  }
  return directory;
}

/* In a child, on a thread of its own. */
static void *start_in_child(void *directory) {
  wallet_core_status status = failing_init();
  if (status == WALLET_CORE_ERROR_FORKED) {
    int is_refused = platform() == WALLET_CORE_ERROR_FORKED;
    return is_refused && wallet_core_is_initialized() == 0 ? directory : NULL;
  }
  int is_fresh = status == WALLET_CORE_ERROR_CONFIGURATION_INVALID;
  return is_fresh && platform() == WALLET_CORE_OK ? directory : NULL;
}

static int wanted_forks(void) {
  const char *wanted = getenv("WALLET_CORE_FORKS");
  return wanted != NULL ? atoi(wanted) : 300;
}

/* Ends this process with 0 if all of its children end by themselves with the right answers. */
static void fork_during_failing_starts(char *directory) {
  int forks = wanted_forks();
  pthread_t thread;
  void *result = NULL;
  atomic_store(&starting, 1);
  if (software_keys_fill(directory, &signing_key, &encryption_key, &utilities) != 0 ||
      pthread_create(&thread, NULL, keep_failing, directory) != 0) {
    _exit(2);
  }
  alarm(TEST_PATIENCE_MS / 1000 * 10); /* if no start fails, this process is ended and counted */
  while (atomic_load(&failed_starts) == 0) {
    process_sleep(1);
  }
  for (int i = 0; i < forks; i++) {
    pid_t process = fork();
    if (process == 0) {
      alarm(TEST_PATIENCE_MS / 1000); /* a child that hangs is ended and counted */
      void *answer = NULL;
      int is_started = pthread_create(&thread, NULL, start_in_child, directory) == 0;
      _exit(is_started && pthread_join(thread, &answer) == 0 && answer != NULL ? 0 : 1);
    }
    int status = 0;
    waitpid(process, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      printf("# child %d of %d: status %#x\n", i, forks, (unsigned)status);
      fflush(stdout);
      _exit(1);
    }
  }
  atomic_store(&starting, 0);
  _exit(pthread_join(thread, &result) == 0 && result != NULL ? 0 : 1);
}

static int children_of_failing_starts_end(char *directory) {
  fflush(stdout);
  pid_t process = fork();
  if (process == 0) {
    fork_during_failing_starts(directory);
  }
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int count, char **arguments) {
  wallet_core_client client = 0;
  if (count == 3 && wanted_forks() > 0) {
    CHECK(
        "each child that is forked during a failing init ends",
        children_of_failing_starts_end(arguments[2]));
  }
  if (count == 3) {
    CHECK(
        "a child keeps no storage directory of a parent that was killed",
        storage_is_free_while_a_child_lives(arguments));
  }
  if (count != 3 || !CHECK("start", host_start(arguments[1], arguments[2]) == WALLET_CORE_OK)) {
    return 2;
  }
  wallet_core_client_attach("app", 0, &client, NULL);
  wallet_core_set_lock_stream(client, on_event, NULL, NULL, NULL, NULL);
  int clean = 1;
  for (int i = 0; i < 20; i++) {
    pid_t process = fork();
    if (process == 0) {
      alarm(TEST_PATIENCE_MS / 1000); /* a child that hangs is ended and counted */
      _exit(child(client));
    }
    int status = 0;
    waitpid(process, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      printf("# child %d: status %#x\n", i, (unsigned)status);
      clean = 0;
    }
  }
  CHECK("every call in a child answers FORKED, 20 children", clean);
  CHECK("the parent is as it was", wallet_core_is_initialized() == 1);
  CHECK("the parent detaches", wallet_core_client_detach(client, NULL) == WALLET_CORE_OK);
  return check_result();
}
