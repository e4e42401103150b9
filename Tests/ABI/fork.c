/* Every call in the child of a fork answers FORKED; the parent continues. */

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "host.h"
#include "process.h"

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
  wrong += wallet_core_client_attach("child", 0, &other, NULL) != forked;
  wrong += wallet_core_client_detach(client, NULL) != forked;
  wrong += wallet_core_client_abandon(client) != forked;
  wrong += wallet_core_next_event(client, 0, &event, NULL) != forked;
  wrong += wallet_core_interrupt(client, NULL) != forked;
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
      alarm(60);
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

int main(int count, char **arguments) {
  wallet_core_client client = 0;
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
      alarm(20); /* a child that hangs is ended and counted */
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
