#include "host.h"

#include <stdio.h>

#include "process.h"
#include "software_keys.h"

wallet_core_options host_options(const char *configuration_path, const char *storage_path) {
  wallet_core_options options = {.struct_size = sizeof options};
  options.embedded_configuration =
      process_file(configuration_path, &options.embedded_configuration_length);
  options.app_version = "1.0.0";
  options.app_id = "org.example.tests";
  options.storage_path = storage_path;
  return options;
}

static wallet_core_status reported(
    const char *what, wallet_core_status status, wallet_core_error *error) {
  if (status != WALLET_CORE_OK) {
    printf(
        "# %s: %s: %s\n", what, wallet_core_status_name(status),
        wallet_core_error_message(error, NULL));
  }
  wallet_core_error_free(error);
  return status;
}

wallet_core_status host_platform(char *directory) {
  wallet_core_signing_key_bridge signing_key;
  wallet_core_encryption_key_bridge encryption_key;
  wallet_core_utilities_bridge utilities;
  wallet_core_error *error = NULL;
  if (software_keys_fill(directory, &signing_key, &encryption_key, &utilities) != 0) {
    return WALLET_CORE_ERROR_INTERNAL;
  }
  wallet_core_status status =
      wallet_core_init_platform_support(&signing_key, &encryption_key, &utilities, &error);
  return reported("init_platform_support", status, error);
}

wallet_core_status host_start(const char *configuration_path, char *directory) {
  wallet_core_status status = host_platform(directory);
  if (status != WALLET_CORE_OK) {
    return status;
  }
  wallet_core_options options = host_options(configuration_path, NULL);
  wallet_core_error *error = NULL;
  status = wallet_core_init(&options, &error);
  return reported("init", status, error);
}

wallet_core_event *host_completion(wallet_core_client client, uint64_t request) {
  int64_t deadline = process_now() + TEST_PATIENCE_MS;
  for (int64_t left = TEST_PATIENCE_MS; left > 0; left = deadline - process_now()) {
    wallet_core_event *event = NULL;
    wallet_core_error *error = NULL;
    wallet_core_status status = wallet_core_client_next_event(client, left, &event, &error);
    if (reported("next_event", status, error) != WALLET_CORE_OK) {
      return NULL;
    }
    if (wallet_core_event_kind(event) == WALLET_CORE_EVENT_COMPLETION &&
        wallet_core_event_request(event) == request) {
      const wallet_core_error *failure = wallet_core_event_error(event);
      if (failure != NULL) {
        printf(
            "# completion: %s: %s %s\n", wallet_core_status_name(wallet_core_error_code(failure)),
            wallet_core_error_message(failure, NULL), wallet_core_error_data(failure, NULL));
      }
      return event;
    }
    wallet_core_event_free(event);
  }
  return NULL;
}
