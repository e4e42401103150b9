// SPDX-License-Identifier: Apache-2.0
/*
 * sharing - from the link of a verifier to the answer that the user agrees to, in one file.
 *
 *     sharing CONFIGURATION_FILE STATE_DIRECTORY LINK
 *
 * STATE_DIRECTORY has a wallet with a card and the PIN 471108, as the example `proofing` leaves it.
 * LINK is an openid4vp:// link, with which a website asks for claims by OpenID4VP 1.0. A host that
 * draws the steps of the flows needs none of this code: UC5.1 does all of it. This one has screens of
 * its own, and makes the requests of section 12 of the header. What such a host also has to tell, of
 * wrong PINs and of another wallet that wants to take the place of this one, is left out here.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wallet_core.h>

#include "software_keys.h"

static void say(const char *from, const char *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("  %-11s -> %-11s  ", from, to);
  vprintf(format, arguments);
  putchar('\n');
  fflush(stdout);
  va_end(arguments);
}

static int failed(wallet_core_status status, wallet_core_error *error, const char *what) {
  if (status != WALLET_CORE_OK) {
    fprintf(
        stderr, "sharing: %s: %s: %s\n", what, wallet_core_status_name(status),
        wallet_core_error_message(error, NULL));
  }
  wallet_core_error_free(error);
  return status != WALLET_CORE_OK;
}

/* Waits for the completion of a request. Returns NULL, with the reason on stderr, if it has failed. */
static wallet_core_event *completion(
    wallet_core_client client, uint64_t request, const char *what) {
  for (;;) {
    wallet_core_event *event = NULL;
    wallet_core_error *error = NULL;
    if (failed(wallet_core_client_next_event(client, 60000, &event, &error), error, what)) {
      return NULL;
    }
    if (wallet_core_event_request(event) != request) {
      wallet_core_event_free(event);
      continue;
    }
    const wallet_core_status status = wallet_core_event_status(event);
    if (status == WALLET_CORE_OK) {
      return event;
    }
    fprintf(
        stderr, "sharing: %s: %s: %s\n", what, wallet_core_status_name(status),
        wallet_core_error_message(wallet_core_event_error(event), NULL));
    wallet_core_event_free(event);
    return NULL;
  }
}

/* The lock has to be open before anybody is told what the wallet has. */
static int unlock(wallet_core_client client) {
  char pin[] = "471108";
  uint64_t request = 0;
  wallet_core_error *error = NULL;
  say("wallet_app", "wallet_core", "unlock(PIN)");
  const wallet_core_status status =
      wallet_core_unlock(client, (uint8_t *)pin, strlen(pin), &request, &error);
  wallet_core_memzero(pin, sizeof pin);
  if (failed(status, error, "unlock")) {
    return -1;
  }
  wallet_core_event *event = completion(client, request, "unlock");
  const int is_right = wallet_core_event_pin_outcome(event) == WALLET_CORE_PIN_OUTCOME_VALID;
  say("wallet_core", "wallet_app", is_right ? "right PIN" : "not unlocked");
  wallet_core_event_free(event);
  return is_right ? 0 : -1;
}

/* Fetches the request. The library checks who has signed it, and finds the cards that answer it. */
static wallet_core_event *begin(wallet_core_client client, const char *link) {
  uint64_t request = 0;
  wallet_core_error *error = NULL;
  say("verifier", "wallet_app", "%.40s...", link);
  say("wallet_app", "wallet_core", "beginSharing(link)");
  if (failed(
          wallet_core_begin_sharing(client, link, 0, &request, &error), error, "begin_sharing")) {
    return NULL;
  }
  return completion(client, request, "begin_sharing");
}

/* Shows the user who asks for what, and what for. Returns -1 if the wallet lacks it. */
static int show(const wallet_core_event *asked) {
  const size_t options = wallet_core_event_sharing_option_count(asked);
  say("wallet_core", "wallet_app", "%s asks, certified by %s",
      wallet_core_event_sharing_text(asked, "organisation"),
      wallet_core_event_sharing_text(asked, "authority"));
  say("wallet_core", "wallet_app", "the data goes to %s",
      wallet_core_event_sharing_text(asked, "host"));
  for (size_t i = 0; i < wallet_core_event_sharing_registration_count(asked); i++) {
    say("wallet_core", "wallet_app", "purpose: %s",
        wallet_core_event_sharing_purpose(asked, i, NULL));
  }
  for (size_t i = 0; i < wallet_core_event_sharing_warning_count(asked); i++) {
    say("wallet_core", "wallet_app", "warning: %s", wallet_core_event_sharing_warning(asked, i));
  }
  for (size_t i = 0; i < options; i++) {
    int64_t is_chosen = 0;
    wallet_core_event_sharing_option_number(asked, i, "is_chosen", &is_chosen);
    for (size_t k = 0; k < wallet_core_event_sharing_option_path_count(asked, i); k++) {
      say("wallet_core", "wallet_app", "to be shared: %s of the card %s%s",
          wallet_core_event_sharing_option_path(asked, i, k),
          wallet_core_event_sharing_option_text(asked, i, "card"), is_chosen ? "" : ", not chosen");
    }
  }
  if (options == 0) {
    fprintf(stderr, "sharing: the wallet lacks what is asked for\n");
  }
  return options == 0 ? -1 : 0;
}

/* Shares what is chosen. Each answer needs the PIN, also in an unlocked wallet. */
static int confirm(wallet_core_client client, const char *sharing) {
  char pin[] = "471108";
  uint64_t request = 0;
  wallet_core_error *error = NULL;
  say("user", "wallet_app", "agrees, and enters the PIN");
  say("wallet_app", "wallet_core", "confirmSharing(PIN)");
  const wallet_core_status status =
      wallet_core_confirm_sharing(client, sharing, (uint8_t *)pin, strlen(pin), &request, &error);
  wallet_core_memzero(pin, sizeof pin);
  if (failed(status, error, "confirm_sharing")) {
    return -1;
  }
  wallet_core_event *event = completion(client, request, "confirm_sharing");
  const char *result = wallet_core_event_sharing_text(event, "result");
  const char *address = wallet_core_event_sharing_text(event, "redirect_uri");
  const int is_shared = strcmp(result, "shared") == 0;
  if (*result != '\0') {
    say("wallet_core", "wallet_app", "%s", result);
  }
  if (*address != '\0') { /* the user came from there, and goes on there */
    say("wallet_app", "browser", "opens %s", address);
  }
  wallet_core_event_free(event);
  return is_shared ? 0 : -1;
}

/* Tells the verifier that it gets nothing. */
static void refuse(wallet_core_client client, const char *sharing) {
  uint64_t request = 0;
  wallet_core_error *error = NULL;
  say("wallet_app", "wallet_core", "refuseSharing()");
  if (!failed(
          wallet_core_refuse_sharing(client, sharing, &request, &error), error, "refuse_sharing")) {
    wallet_core_event_free(completion(client, request, "refuse_sharing"));
  }
}

static int share(wallet_core_client client, const char *link) {
  wallet_core_event *asked = begin(client, link);
  int result = -1;
  if (asked != NULL) {
    const char *sharing = wallet_core_event_sharing_text(asked, "id");
    if (show(asked) == 0) {
      result = confirm(client, sharing);
    } else {
      refuse(client, sharing);
    }
  }
  wallet_core_event_free(asked);
  return result;
}

int main(int count, char **arguments) {
  static uint8_t configuration[256 * 1024];
  wallet_core_signing_key_bridge signing_key;
  wallet_core_encryption_key_bridge encryption_key;
  wallet_core_utilities_bridge utilities;
  wallet_core_client client = 0;
  wallet_core_error *error = NULL;
  if (count != 4) {
    fprintf(stderr, "usage: sharing CONFIGURATION_FILE STATE_DIRECTORY LINK\n");
    return 2;
  }
  FILE *file = fopen(arguments[1], "rb");
  if (file == NULL) {
    fprintf(stderr, "sharing: %s: %s\n", arguments[1], strerror(errno));
    return 2;
  }
  const wallet_core_options options = {
      .struct_size = sizeof options,
      .embedded_configuration = configuration,
      .embedded_configuration_length = fread(configuration, 1, sizeof configuration, file),
      .app_version = "1.0.0",
      .app_id = "org.example.startup",
  };
  fclose(file);

  puts("Sharing data with a verifier [UC5.1]");
  if (software_keys_fill(arguments[2], &signing_key, &encryption_key, &utilities) != 0 ||
      failed(
          wallet_core_init_platform_support(&signing_key, &encryption_key, &utilities, &error),
          error, "init_platform_support") ||
      failed(wallet_core_init(&options, &error), error, "init") ||
      failed(wallet_core_client_attach("app", 0, &client, &error), error, "attach") ||
      unlock(client) != 0 || share(client, arguments[3]) != 0) {
    return 1;
  }
  return failed(wallet_core_client_detach(client, &error), error, "detach");
}
