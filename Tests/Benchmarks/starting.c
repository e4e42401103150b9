/*
 * starting CONFIGURATION_FILE STATE_DIRECTORY
 *
 * Microseconds of CPU time of the whole process for a start: init with the storage, a client, and the
 * first value of each of its streams.
 */
#include <stdio.h>
#include <time.h>

#include "host.h"

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

int main(int count, char **arguments) {
  char storage[512];
  wallet_core_client client = 0;
  if (count != 3) {
    return 2;
  }
  snprintf(storage, sizeof storage, "%s/storage", arguments[2]);
  wallet_core_options options = host_options(arguments[1], storage);
  double start = now();
  int is_started = wallet_core_init(&options, NULL) == WALLET_CORE_OK &&
                   wallet_core_client_attach("bench", 0, &client, NULL) == WALLET_CORE_OK;
  for (int i = 0; i < 3 && is_started; i++) {
    wallet_core_event *event = NULL;
    is_started = wallet_core_client_next_event(client, 0, &event, NULL) == WALLET_CORE_OK;
    wallet_core_event_free(event);
  }
  double time = now() - start;
  if (!is_started) {
    fprintf(stderr, "starting: no start\n");
    return 1;
  }
  printf("%.0f\n", time);
  return 0;
}
