/*
 * A host that a program controls: it executes one command per line of its input and answers each
 * with one line. See README.md for the commands.
 *
 *     wallet CONFIGURATION_FILE DIRECTORY
 *
 * DIRECTORY has the keys, and the library's files in storage/.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wallet_core.h>

#include "software_keys.h"

enum { LINE = 1024, WORDS = 8, SCAN_LONGEST = 4096 };

/* A function of the preloaded library, if there is one that records. */
void faults_mark(const char *text);
#pragma weak faults_mark

static const char *configuration_path;
static char *directory;
static wallet_core_client client;
/* The step that the user looks at; "" before the first. */
static uint64_t step_serial;
static char step[LINE];

/* --- answers ------------------------------------------------------------------------------------ */

static void mark(const char *direction, const char *line) {
  char text[LINE + 8];
  snprintf(text, sizeof text, "%s %s", direction, line);
  if (faults_mark != NULL) faults_mark(text);
}

/* Puts a text on one line. */
static void answer(const char *text) {
  char line[LINE];
  snprintf(line, sizeof line, "%s", text);
  for (char *end = line; (end = strchr(end, '\n')) != NULL;) *end = ' ';
  mark("<", line);
  puts(line);
  fflush(stdout);
}

/* "STATUS", followed by the message if there is an error. */
static void answer_status(wallet_core_status status, wallet_core_error *error) {
  char line[LINE];
  snprintf(
      line, sizeof line, "%s | %s", wallet_core_status_name(status),
      wallet_core_error_message(error, NULL));
  wallet_core_error_free(error);
  answer(line);
}

/* --- events ------------------------------------------------------------------------------------- */

static void remember_step(const wallet_core_event *event) {
  const wallet_core_step_kind kind = wallet_core_event_step_kind(event);
  const char *name = wallet_core_event_step_name(event);
  if (kind == WALLET_CORE_STEP_PROGRESS || kind == WALLET_CORE_STEP_SYSTEM_PROMPT ||
      strcmp(name, "splash") == 0) {
    return;
  }
  step_serial = wallet_core_event_step_serial(event);
  int length = snprintf(step, sizeof step, "OK %d %s ", kind, name);
  for (size_t i = 0; i < wallet_core_event_step_action_count(event); i++) {
    length += snprintf(
        step + length, sizeof step - (size_t)length, "%s,",
        wallet_core_event_step_action(event, i));
  }
  snprintf(
      step + length, sizeof step - (size_t)length, " | %s", wallet_core_event_step_message(event));
}

/* The next event, owned by the caller; NULL if there will be no more. */
static wallet_core_event *take(void) {
  wallet_core_event *event = NULL;
  if (wallet_core_client_next_event(client, -1, &event, NULL) != WALLET_CORE_OK) return NULL;
  if (wallet_core_event_kind(event) == WALLET_CORE_EVENT_STEP) remember_step(event);
  return event;
}

/* "STATUS OUTCOME ATTEMPTS_LEFT CARDS PRESENTATION_LENGTH", of the completion. */
static void complete(uint64_t request) {
  for (wallet_core_event *event; (event = take()) != NULL; wallet_core_event_free(event)) {
    if (wallet_core_event_kind(event) != WALLET_CORE_EVENT_COMPLETION ||
        wallet_core_event_request(event) != request) {
      continue;
    }
    char line[LINE];
    snprintf(
        line, sizeof line, "%s %d %d %zu %zu | %s",
        wallet_core_status_name(wallet_core_event_status(event)),
        wallet_core_event_pin_outcome(event), wallet_core_event_pin_attempts_left(event),
        wallet_core_event_card_count(event), strlen(wallet_core_event_presentation(event, 0)),
        wallet_core_error_message(wallet_core_event_error(event), NULL));
    answer(line);
    wallet_core_event_free(event);
    return;
  }
  answer("FAILED | no completion came");
}

static void finish(wallet_core_status begun, wallet_core_error *error, uint64_t request) {
  if (begun == WALLET_CORE_OK) {
    complete(request);
  } else {
    answer_status(begun, error);
  }
}

/* --- instructions ------------------------------------------------------------------------------- */

/* Answers a bridge call of the utilities: there is a sensor, and the user's finger is on it. */
static void has_biometrics(void *context, uint64_t call) {
  (void)context;
  wallet_core_bridge_reply(
      call, WALLET_CORE_BRIDGE_OK, (const uint8_t[]){WALLET_CORE_BIOMETRICS_FINGERPRINT}, 1, NULL);
}

static void start(void) {
  static uint8_t configuration[256 * 1024];
  static char storage[LINE];
  static int has_platform;
  wallet_core_error *error = NULL;
  FILE *file = fopen(configuration_path, "rb");
  if (file == NULL) {
    answer("FAILED | no configuration");
    return;
  }
  snprintf(storage, sizeof storage, "%s/storage", directory);
  wallet_core_options options = {
      .struct_size = sizeof options,
      .embedded_configuration = configuration,
      .embedded_configuration_length = fread(configuration, 1, sizeof configuration, file),
      .app_version = "1.0.0",
      .app_id = "org.example.faults",
      .storage_path = storage,
  };
  fclose(file);
  wallet_core_status status = WALLET_CORE_OK;
  if (!has_platform) {
    wallet_core_signing_key_bridge signing_key;
    wallet_core_encryption_key_bridge encryption_key;
    wallet_core_utilities_bridge utilities;
    software_keys_fill(directory, &signing_key, &encryption_key, &utilities);
    utilities.biometrics_available = has_biometrics;
    status = wallet_core_init_platform_support(&signing_key, &encryption_key, &utilities, &error);
    has_platform = status == WALLET_CORE_OK;
  }
  if (status == WALLET_CORE_OK) status = wallet_core_init(&options, &error);
  if (status == WALLET_CORE_OK) {
    status = wallet_core_client_attach("app", WALLET_CORE_ATTACH_TAKE_OVER, &client, &error);
  }
  answer_status(status, error);
}

typedef wallet_core_status pin_request(
    wallet_core_client client, const uint8_t *pin, size_t length, uint64_t *request,
    wallet_core_error **error);
typedef wallet_core_status plain_request(
    wallet_core_client client, uint64_t *request, wallet_core_error **error);
typedef wallet_core_status question(int32_t *value, wallet_core_error **error);

static const struct {
  const char *name;
  pin_request *with_pin;
  plain_request *without;
  question *question;
} simple[] = {
    {"register", wallet_core_register, NULL, NULL},
    {"unlock", wallet_core_unlock, NULL, NULL},
    {"enable", wallet_core_enable_biometric_unlock, NULL, NULL},
    {"finger", NULL, wallet_core_unlock_with_biometrics, NULL},
    {"cards", NULL, wallet_core_cards, NULL},
    {"wipe", NULL, wallet_core_wipe, NULL},
    {"registered", NULL, NULL, wallet_core_has_registration},
    {"locked", NULL, NULL, wallet_core_is_locked},
    {"biometric", NULL, NULL, wallet_core_is_biometric_unlock_enabled},
};

static int do_simple(const char *name, const char *pin) {
  wallet_core_error *error = NULL;
  uint64_t request = 0;
  int32_t value = 0;
  for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
    if (strcmp(simple[i].name, name) != 0) continue;
    if (simple[i].question != NULL) {
      char line[LINE];
      wallet_core_status status = simple[i].question(&value, &error);
      snprintf(
          line, sizeof line, "%s %d | %s", wallet_core_status_name(status), value,
          wallet_core_error_message(error, NULL));
      wallet_core_error_free(error);
      answer(line);
    } else {
      wallet_core_status begun =
          simple[i].with_pin != NULL
              ? simple[i].with_pin(client, (const uint8_t *)pin, strlen(pin), &request, &error)
              : simple[i].without(client, &request, &error);
      finish(begun, error, request);
    }
    return 1;
  }
  return 0;
}

static void change(const char *pin, const char *new_pin) {
  wallet_core_error *error = NULL;
  uint64_t request = 0;
  wallet_core_status begun = wallet_core_change_pin(
      client, (const uint8_t *)pin, strlen(pin), (const uint8_t *)new_pin, strlen(new_pin),
      &request, &error);
  finish(begun, error, request);
}

static void present(const char *nonce, const char *pin) {
  const char *paths[] = {"[\"family_name\"]"};
  const wallet_core_card_selection card = {sizeof card, "pid", paths, 1}, *selections[] = {&card};
  wallet_core_error *error = NULL;
  uint64_t request = 0;
  wallet_core_status begun = wallet_core_present(
      client, selections, 1, nonce, "https://verifier.example", (const uint8_t *)pin, strlen(pin),
      &request, &error);
  finish(begun, error, request);
}

/* Waits until the user has chosen nothing yet on the step that is shown. */
static void await_step(void) {
  static uint64_t answered;
  while (step_serial == answered) {
    wallet_core_event *event = take();
    if (event == NULL) break;
    wallet_core_event_free(event);
  }
  answered = step_serial;
  answer(step);
}

static void scan(const char *symbology, const char *path) {
  uint8_t bytes[SCAN_LONGEST];
  wallet_core_error *error = NULL;
  FILE *file = fopen(path, "rb");
  size_t length = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
  if (file != NULL) fclose(file);
  wallet_core_status status =
      wallet_core_choose_scanned(client, step_serial, atoi(symbology), bytes, length, &error);
  answer_status(status, error);
}

static void choose(const char *action, const char *pin) {
  wallet_core_error *error = NULL;
  wallet_core_status status = wallet_core_choose(
      client, step_serial, action, (const uint8_t *)pin, pin != NULL ? strlen(pin) : 0, &error);
  answer_status(status, error);
}

static void perform(char *words[WORDS]) {
  const char *name = words[0];
  wallet_core_error *error = NULL;
  if (strcmp(name, "start") == 0) {
    start();
  } else if (strcmp(name, "change") == 0) {
    change(words[1], words[2]);
  } else if (strcmp(name, "present") == 0) {
    present(words[1], words[2]);
  } else if (strcmp(name, "lock") == 0) {
    wallet_core_status status = wallet_core_lock(&error);
    answer_status(status, error);
  } else if (strcmp(name, "open") == 0) {
    wallet_core_status status =
        wallet_core_open_app(client, WALLET_CORE_STARTUP_LAUNCH, NULL, &error);
    answer_status(status, error);
  } else if (strcmp(name, "step") == 0) {
    await_step();
  } else if (strcmp(name, "choose") == 0) {
    choose(words[1], words[2]);
  } else if (strcmp(name, "scan") == 0) {
    scan(words[1], words[2]);
  } else if (!do_simple(name, words[1] != NULL ? words[1] : "")) {
    answer("FAILED | no such instruction");
  }
}

int main(int count, char **arguments) {
  char line[LINE];
  if (count != 3) {
    fprintf(stderr, "usage: wallet CONFIGURATION_FILE DIRECTORY\n");
    return 2;
  }
  configuration_path = arguments[1];
  directory = arguments[2];
  while (fgets(line, sizeof line, stdin) != NULL) {
    char *words[WORDS] = {NULL};
    line[strcspn(line, "\n")] = 0;
    mark(">", line);
    char *rest = line;
    for (int i = 0; i < WORDS - 1; i++) words[i] = strtok_r(rest, " ", &rest);
    if (words[0] != NULL) perform(words);
  }
  return 0;
}
