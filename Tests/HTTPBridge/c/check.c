/* A host that serves `make check-http-bridge` with the HTTP stack of the example. */
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "http_address.h"
#include "http_curl.h"
#include "wallet_core_testing.h"

/* Says of each address of the input what a request may do: reach it always, in development, never. */
static int list_addresses(void) {
  char line[256];
  while (fgets(line, sizeof line, stdin) != NULL) {
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM}, *found = NULL;
    line[strcspn(line, "\n")] = 0;
    if (getaddrinfo(line, NULL, &hints, &found) != 0) return 2;
    puts(
        http_address_is_allowed(found->ai_addr, WALLET_CORE_HTTP_REACH_PUBLIC) ? "public"
        : http_address_is_allowed(found->ai_addr, WALLET_CORE_HTTP_REACH_PUBLIC_OR_LOOPBACK)
            ? "device"
            : "private");
    freeaddrinfo(found);
  }
  return 0;
}

int main(int count, char **arguments) {
  if (count == 2 && strcmp(arguments[1], "addresses") == 0) return list_addresses();
  const char *configuration = wallet_core_testing_configuration();
  const char *directory = getenv("WALLET_CORE_HTTP_CHECK");
  char storage[4096];
  wallet_core_options options = {.struct_size = sizeof options};
  wallet_core_error *error = NULL;
  if (configuration == NULL || directory == NULL) return 2;
  /* The check removes its directory at the end. */
  snprintf(storage, sizeof storage, "%s/storage", directory);
  if (mkdir(storage, 0700) != 0) return 2;
  options.embedded_configuration = (const uint8_t *)configuration;
  options.embedded_configuration_length = strlen(configuration);
  options.app_version = "1.0.0";
  options.app_id = "org.example.check";
  options.storage_path = storage;
  if (http_curl_hand_over(&error) != WALLET_CORE_OK ||
      wallet_core_init(&options, &error) != WALLET_CORE_OK) {
    fprintf(stderr, "check: %s\n", wallet_core_error_message(error, NULL));
    return 1;
  }
  return wallet_core_testing_serve_http_bridge(directory) == 0 ? 0 : 1;
}
