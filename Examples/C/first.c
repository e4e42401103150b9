// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <wallet_core.h>

static int fail(wallet_core_error *error) {
  fprintf(stderr, "first: %s\n", wallet_core_error_message(error, NULL));
  wallet_core_error_free(error);
  return 1;
}

int main(int count, char **arguments) {
  static unsigned char configuration[256 * 1024]; /* from: wallet-provider client-configuration */
  FILE *file = fopen(count > 1 ? arguments[1] : "configuration.json", "rb");
  if (file == NULL) {
    perror("first: configuration");
    return 1;
  }
  size_t length = fread(configuration, 1, sizeof configuration, file);
  fclose(file);

  wallet_core_options options = {
      .struct_size = sizeof options,
      .embedded_configuration = configuration,
      .embedded_configuration_length = length,
      .app_version = "1.0.0",
      .app_id = "org.example.first",
  };
  wallet_core_error *error = NULL;
  if (wallet_core_init(&options, &error) != WALLET_CORE_OK) return fail(error);

  wallet_core_client app = 0;
  if (wallet_core_client_attach("app", 0, &app, &error) != WALLET_CORE_OK) return fail(error);
  wallet_core_event *next = NULL;
  for (int seen = 0; seen < 3; seen++) { /* configuration, lock and version state */
    if (wallet_core_client_next_event(app, -1, &next, &error) != WALLET_CORE_OK) return fail(error);
    puts(wallet_core_event_json(next, NULL));
    wallet_core_event_free(next);
  }
  return wallet_core_client_detach(app, &error) == WALLET_CORE_OK ? 0 : fail(error);
}
