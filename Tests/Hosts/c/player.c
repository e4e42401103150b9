/*
 * player - plays the instructions of Tests/Hosts/README.md with the header alone and the device of the
 * phone in Examples/C.
 *
 *     player CONFIGURATION_FILE STATE_DIRECTORY
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wallet_core.h>
#include <wallet_core_testing.h>

#include "phone_device.h"
#include "software_keys.h"

enum { WORDS = 8, CLAIMS = 32, LONGEST_PATH = 128, SCANNED_BYTES = 8192 };

static struct {
  struct device device;
  const char *configuration_path;
  wallet_core_client client;
  pthread_t taker;
  int is_started;
} player;

/* What an instruction came to. */
struct answer {
  wallet_core_status status;
  wallet_core_error *error;
  const char *problem; /* a failure that is none of the library's; NULL if there is none */
  char members[64];    /* of the answer, besides the status */
};

/* --- output: whole lines, because events come on other threads ------------------------------------- */

static pthread_mutex_t output = PTHREAD_MUTEX_INITIALIZER;

static void say(const char *member, const char *json) {
  pthread_mutex_lock(&output);
  printf("{\"%s\":%s}\n", member, json);
  pthread_mutex_unlock(&output);
}

/* The prompt is read and told under one lock, so that the last line tells its last state. */
static void tell_prompt(void *context) {
  static int told;
  int is_new = 0;
  (void)context;
  pthread_mutex_lock(&output);
  const int is_open = device_prompt(&is_new);
  if (is_open != told) {
    printf("{\"prompt\":\"%s\"}\n", is_open ? "open" : "closed");
    told = is_open;
  }
  pthread_mutex_unlock(&output);
}

static void print_text(const char *text) {
  putchar('"');
  for (; *text != '\0'; text++) {
    if (*text == '"' || *text == '\\') {
      printf("\\%c", *text);
    } else if ((unsigned char)*text < ' ') {
      printf("\\u%04x", (unsigned char)*text);
    } else {
      putchar(*text);
    }
  }
  putchar('"');
}

static void say_answer(const struct answer *answer) {
  const char *message = answer->problem;
  const char *status = message != NULL ? "FAILED" : wallet_core_status_name(answer->status);
  if (message == NULL) {
    message = wallet_core_error_message(answer->error, NULL);
  }
  pthread_mutex_lock(&output);
  printf("{\"answer\":{\"status\":\"%s\",\"message\":", status);
  print_text(message);
  printf("%s}}\n", answer->members);
  pthread_mutex_unlock(&output);
}

/* --- the app ----------------------------------------------------------------------------------------- */

/* Takes the events of one client, as long as it is attached. */
static void *take_events(void *context) {
  const wallet_core_client client = *(wallet_core_client *)context;
  wallet_core_event *event = NULL;
  wallet_core_status status;
  char name[64];
  free(context);
  while ((status = wallet_core_client_next_event(client, -1, &event, NULL)) == WALLET_CORE_OK) {
    say("event", wallet_core_event_json(event, NULL));
    wallet_core_event_free(event);
  }
  if (status != WALLET_CORE_ERROR_CLIENT_DETACHED) {
    snprintf(name, sizeof name, "\"%s\"", wallet_core_status_name(status));
    say("failed", name);
  }
  return NULL;
}

/* A new client takes over; that ends the thread of the former one. */
static void bind_client(struct answer *answer) {
  const pthread_t former = player.taker;
  answer->status = wallet_core_client_attach(
      "app", WALLET_CORE_ATTACH_TAKE_OVER, &player.client, &answer->error);
  wallet_core_client *client = malloc(sizeof *client);
  if (answer->status != WALLET_CORE_OK || client == NULL) {
    free(client);
    return;
  }
  *client = player.client;
  if (pthread_create(&player.taker, NULL, take_events, client) != 0) {
    free(client);
    answer->problem = "no thread";
    return;
  }
  if (player.is_started) {
    pthread_join(former, NULL);
  }
  player.is_started = 1;
}

static void start(struct answer *answer, char **words) {
  static uint8_t configuration[256 * 1024];
  FILE *file = fopen(player.configuration_path, "rb");
  (void)words;
  if (file == NULL || device_start(&player.device, tell_prompt, NULL) != 0) {
    answer->problem = "the configuration or the bridges cannot be used";
    return;
  }
  const wallet_core_options options = {
      .struct_size = sizeof options,
      .embedded_configuration = configuration,
      .embedded_configuration_length = fread(configuration, 1, sizeof configuration, file),
      .app_version = "1.0.0",
      .app_id = "org.example.phone",
  };
  fclose(file);
  answer->status = wallet_core_init(&options, &answer->error);
  if (answer->status == WALLET_CORE_OK) {
    bind_client(answer);
  }
}

static void rebind(struct answer *answer, char **words) {
  (void)words;
  bind_client(answer);
}

/* The place of the word in a list that ends with NULL; it is its number in the header. Fails if it is not there. */
static int index_of(struct answer *answer, const char *word, const char *const *list) {
  for (int index = 0; list[index] != NULL; index++) {
    if (strcmp(list[index], word) == 0) {
      return index;
    }
  }
  answer->problem = "no such word";
  return 0;
}

static void open_app(struct answer *answer, char **words) {
  static const char *const list[] = {"", "launch", "resume", NULL};
  answer->status = wallet_core_open_app(
      player.client, index_of(answer, words[1], list), words[2], &answer->error);
}

static void lifecycle(struct answer *answer, char **words) {
  static const char *const list[] = {"", "foreground", "background", "activity", NULL};
  answer->status = wallet_core_notify_lifecycle(index_of(answer, words[1], list), &answer->error);
}

static void lock(struct answer *answer, char **words) {
  (void)words;
  answer->status = wallet_core_lock(&answer->error);
}

static void choose(struct answer *answer, char **words) {
  const uint64_t serial = strtoull(words[1], NULL, 10);
  answer->status = wallet_core_choose(player.client, serial, words[2], NULL, 0, &answer->error);
}

static void enter(struct answer *answer, char **words) {
  const uint64_t serial = strtoull(words[1], NULL, 10);
  answer->status = wallet_core_choose(
      player.client, serial, "enter", (const uint8_t *)words[2], strlen(words[2]), &answer->error);
}

static void scan(struct answer *answer, char **words) {
  uint8_t bytes[SCANNED_BYTES];
  size_t length = 0;
  const char *text = words[3] != NULL ? words[3] : "";
  if (sodium_base642bin(
          bytes, sizeof bytes, text, strlen(text), NULL, &length, NULL,
          sodium_base64_VARIANT_ORIGINAL) != 0) {
    answer->problem = "no base64";
    return;
  }
  answer->status = wallet_core_choose_scanned(
      player.client, strtoull(words[1], NULL, 10), atoi(words[2]), bytes, length, &answer->error);
}

static void choose_option(struct answer *answer, char **words) {
  answer->status = wallet_core_choose_option(
      player.client, strtoull(words[1], NULL, 10), strtoull(words[2], NULL, 10), &answer->error);
}

/* --- requests and queries ------------------------------------------------------------------------------ */

static void tell_request(struct answer *answer, uint64_t request) {
  if (answer->status == WALLET_CORE_OK) {
    snprintf(
        answer->members, sizeof answer->members, ",\"request\":%llu", (unsigned long long)request);
  }
}

static void cards(struct answer *answer, char **words) {
  uint64_t request = 0;
  (void)words;
  answer->status = wallet_core_cards(player.client, &request, &answer->error);
  tell_request(answer, request);
}

static void unlock(struct answer *answer, char **words) {
  uint64_t request = 0;
  answer->status = wallet_core_unlock(
      player.client, (const uint8_t *)words[1], strlen(words[1]), &request, &answer->error);
  tell_request(answer, request);
}

static void activities(struct answer *answer, char **words) {
  uint64_t request = 0;
  (void)words;
  answer->status = wallet_core_activities(player.client, &request, &answer->error);
  tell_request(answer, request);
}

static void present(struct answer *answer, char **words) {
  static char texts[CLAIMS][LONGEST_PATH];
  const char *paths[CLAIMS];
  size_t count = 0;
  char *rest = NULL;
  uint64_t request = 0;
  for (char *claim = strtok_r(words[2], ",", &rest); claim != NULL && count < CLAIMS;
       claim = strtok_r(NULL, ",", &rest)) {
    snprintf(texts[count], sizeof texts[count], "[\"%s\"]", claim);
    paths[count] = texts[count];
    count++;
  }
  if (count == 1 && strcmp(paths[0], "[\"none\"]") == 0) {
    count = 0;
  }
  const wallet_core_card_selection card = {sizeof card, words[1], paths, count},
                                   *selections[] = {&card};
  answer->status = wallet_core_present(
      player.client, selections, 1, words[3], words[4], (const uint8_t *)words[5], strlen(words[5]),
      &request, &answer->error);
  tell_request(answer, request);
}

static void tell_value(struct answer *answer, int32_t value) {
  snprintf(answer->members, sizeof answer->members, ",\"value\":%s", value ? "true" : "false");
}

static void locked(struct answer *answer, char **words) {
  int32_t value = 0;
  (void)words;
  answer->status = wallet_core_is_locked(&value, &answer->error);
  tell_value(answer, value);
}

static void registered(struct answer *answer, char **words) {
  int32_t value = 0;
  (void)words;
  answer->status = wallet_core_has_registration(&value, &answer->error);
  tell_value(answer, value);
}

static void biometric_unlock(struct answer *answer, char **words) {
  int32_t value = 0;
  (void)words;
  answer->status = wallet_core_is_biometric_unlock_enabled(&value, &answer->error);
  tell_value(answer, value);
}

/* --- the phone, and the world around it ---------------------------------------------------------------- */

static void platform(struct answer *answer, char **words) {
  static const char *const list[] = {"", "ios", "android", NULL};
  player.device.platform = index_of(answer, words[1], list);
}

static void biometrics(struct answer *answer, char **words) {
  static const char *const list[] = {"none", "any", "fingerprint", "face", NULL};
  player.device.biometrics = index_of(answer, words[1], list);
}

static void camera(struct answer *answer, char **words) {
  static const char *const list[] = {"missing", "usable", "denied", NULL};
  player.device.camera = index_of(answer, words[1], list);
}

static void device_lock(struct answer *answer, char **words) {
  static const char *const list[] = {"insecure", "secure", NULL};
  player.device.is_secure = index_of(answer, words[1], list);
}

static void keys(struct answer *answer, char **words) {
  static const char *const list[] = {"unavailable", "ok", "lost", NULL};
  player.device.has_key_store = index_of(answer, words[1], list) > 0;
  if (strcmp(words[1], "lost") == 0 && software_keys_lose(player.device.directory, "") != 0) {
    answer->problem = "the keys are still there";
  }
}

static void finger(struct answer *answer, char **words) {
  if (!device_finger(words[1], words[2] != NULL ? atoi(words[2]) : 1)) {
    answer->problem = "no such prompt is open";
  }
}

static void network(struct answer *answer, char **words) {
  if (!device_network(&player.device, words[1], atoi(words[2]))) {
    answer->problem = "no such fault";
  }
}

static void stop_clock(struct answer *answer, char **words) {
  (void)answer;
  (void)words;
  wallet_core_testing_stop_clock();
}

/* Any call then makes the library do what is due. */
static void advance_clock(struct answer *answer, char **words) {
  int32_t is_locked = 0;
  (void)answer;
  wallet_core_testing_advance_clock(strtoll(words[1], NULL, 10));
  (void)wallet_core_is_locked(&is_locked, NULL);
}

static void advance_calendar(struct answer *answer, char **words) {
  (void)answer;
  wallet_core_testing_advance_calendar(strtoll(words[1], NULL, 10));
}

static void kill_at(struct answer *answer, char **words) {
  (void)answer;
  wallet_core_testing_set_crash_point(words[1]);
}

static void passes(struct answer *answer, char **words) {
  snprintf(
      answer->members, sizeof answer->members, ",\"passes\":%lld",
      (long long)wallet_core_testing_crash_point_count(words[1]));
}

/* --- instructions ---------------------------------------------------------------------------------------- */

static const struct instruction {
  const char *word;
  int least; /* words that follow it */
  void (*run)(struct answer *answer, char **words);
} instructions[] = {
    {"platform", 1, platform},
    {"biometrics", 1, biometrics},
    {"camera", 1, camera},
    {"device", 1, device_lock},
    {"keys", 1, keys},
    {"network", 2, network},
    {"stop-clock", 0, stop_clock},
    {"clock", 1, advance_clock},
    {"calendar", 1, advance_calendar},
    {"kill-at", 1, kill_at},
    {"passes", 1, passes},
    {"start", 0, start},
    {"open", 1, open_app},
    {"lifecycle", 1, lifecycle},
    {"lock", 0, lock},
    {"rebind", 0, rebind},
    {"choose", 2, choose},
    {"enter", 2, enter},
    {"scan", 2, scan},
    {"choose-option", 2, choose_option},
    {"finger", 1, finger},
    {"cards", 0, cards},
    {"unlock", 1, unlock},
    {"activities", 0, activities},
    {"present", 5, present},
    {"locked", 0, locked},
    {"registered", 0, registered},
    {"biometric-unlock", 0, biometric_unlock},
    {NULL, 0, NULL},
};

static void perform(char **words, int count) {
  const struct instruction *instruction = instructions;
  struct answer answer = {.status = WALLET_CORE_OK};
  while (instruction->word != NULL && strcmp(instruction->word, words[0]) != 0) {
    instruction += 1;
  }
  if (instruction->word == NULL || count - 1 < instruction->least) {
    answer.problem = "no such instruction";
  } else {
    instruction->run(&answer, words);
  }
  say_answer(&answer);
  wallet_core_error_free(answer.error);
}

int main(int count, char **arguments) {
  char *line = NULL, *words[WORDS + 1], *rest = NULL;
  size_t size = 0;
  if (count != 3 || sodium_init() < 0) {
    fprintf(stderr, "usage: player CONFIGURATION_FILE STATE_DIRECTORY\n");
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  mkdir(arguments[2], 0700);
  player.configuration_path = arguments[1];
  device_reset(&player.device, arguments[2]);
  while (getline(&line, &size, stdin) > 0) {
    int words_read = 0;
    memset(words, 0, sizeof words);
    for (char *word = strtok_r(line, " \n", &rest); word != NULL && words_read < WORDS;
         word = strtok_r(NULL, " \n", &rest)) {
      words[words_read++] = word;
    }
    if (words_read == 1 && strcmp(words[0], "quit") == 0) {
      break;
    }
    if (words_read > 0) {
      perform(words, words_read);
    }
  }
  free(line);
  if (!player.is_started) {
    return 0;
  }
  const wallet_core_status status = wallet_core_client_detach(player.client, NULL);
  pthread_join(player.taker, NULL);
  return status == WALLET_CORE_OK ? 0 : 1;
}
