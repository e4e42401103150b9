#include "bridges.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <wallet_core.h>

#include "arguments.h"
#include "contexts.h"
#include "checks.h"
#include "keys.h"
#include "perform.h"

enum asked { PUBLIC_KEY, SIGN, DELETE_SIGNING, ENCRYPT, DECRYPT, DELETE_ENCRYPTION, PATH, BYTE };

/* A call of a bridge function. What it points to stays valid until the reply. */
struct question {
  uint64_t call;
  enum asked asked;
  const char *identifier;
  const uint8_t *payload;
  size_t length;
  uint8_t byte;
};

/* The library keeps the arguments of a limited number of calls for late replies; this is safely below that number. */
enum { KEPT = 32 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct question kept[KEPT];
static size_t kept_count;
static const char *storage_path;
static void *current[3];
static atomic_int is_peaceful;

void bridges_begin(const char *storage) {
  storage_path = storage;
  kept_count = 0;
  memset(kept, 0, sizeof kept);
  memset(current, 0, sizeof current);
  atomic_store(&is_peaceful, 0);
}

/* --- answers ------------------------------------------------------------------------------------ */

/* Whether the call is still open, so that its arguments may be read. */
static int reply(
    uint64_t call, wallet_core_bridge_status status, const uint8_t *bytes, size_t length,
    const char *message) {
  wallet_core_status answer = check_status(
      "wallet_core_bridge_reply", wallet_core_bridge_reply(call, status, bytes, length, message),
      ANSWERS(
          WALLET_CORE_ERROR_UNKNOWN_CALL, WALLET_CORE_ERROR_INVALID_ARGUMENT,
          WALLET_CORE_ERROR_INVALID_UTF8, WALLET_CORE_ERROR_OUT_OF_RESOURCES));
  return answer != WALLET_CORE_OK && answer != WALLET_CORE_ERROR_UNKNOWN_CALL;
}

static void reply_rightly(const struct question *question) {
  uint8_t answer[KEYS_ANSWER];
  size_t length = 0;
  wallet_core_bridge_status status = WALLET_CORE_BRIDGE_OK;
  const char *identifier = question->identifier;
  switch (question->asked) {
    case PUBLIC_KEY:
      status = keys_public_key(identifier, answer, &length);
      break;
    case SIGN:
      status = keys_sign(identifier, question->payload, question->length, answer, &length);
      break;
    case ENCRYPT:
      status = keys_encrypt(identifier, question->payload, question->length, answer, &length);
      break;
    case DECRYPT:
      status = keys_decrypt(identifier, question->payload, question->length, answer, &length);
      break;
    case DELETE_SIGNING:
    case DELETE_ENCRYPTION:
      status = keys_delete(identifier, question->asked == DELETE_SIGNING);
      break;
    case PATH:
      length = strlen(storage_path);
      memcpy(answer, storage_path, length);
      break;
    case BYTE:
      answer[0] = question->byte;
      length = 1;
      break;
  }
  (void)reply(question->call, status, answer, length, NULL);
}

/* As reply(). */
static int reply_anyhow(uint64_t call, const uint8_t arguments[PROGRAM_ARGUMENTS]) {
  struct bytes bytes = reply_argument(arguments[2]);
  const char *message = arguments[3] < 4 ? NULL : text_argument(arguments[3]);
  return reply(call, reply_status_argument(arguments[1]), bytes.start, bytes.length, message);
}

static void keep(const struct question *question) {
  pthread_mutex_lock(&lock);
  if (kept_count < KEPT) kept[kept_count++] = *question;
  pthread_mutex_unlock(&lock);
}

/* Takes a kept call, so that no other thread answers it while its arguments are read. */
static struct question take(size_t place) {
  struct question taken = {0};
  pthread_mutex_lock(&lock);
  if (place < kept_count) {
    taken = kept[place];
    kept[place].call = 0;
  }
  pthread_mutex_unlock(&lock);
  return taken;
}

void bridges_reply(const struct operation *operation) {
  struct question question = take(operation->arguments[0] % KEPT);
  if (question.call == 0) {
    (void)reply_anyhow(id_argument(operation->arguments[0]), operation->arguments);
  } else if (operation->arguments[1] == 0) {
    reply_rightly(&question);
  } else if (reply_anyhow(question.call, operation->arguments)) {
    keep(&question);
  } else {
    (void)reply_anyhow(question.call, operation->arguments);
  }
}

void bridges_make_peace(void) {
  atomic_store(&is_peaceful, 1);
  for (size_t i = 0; i < KEPT; i++) {
    struct question question = take(i);
    if (question.call != 0) reply_rightly(&question);
  }
}

/* --- questions ---------------------------------------------------------------------------------- */

static void answer(void *context, struct question question) {
  context_enter(context);
  inside = INSIDE_BRIDGE;
  const struct operation *operation = atomic_load(&is_peaceful) ? NULL : perform_next(PLACE_BRIDGE);
  if (operation == NULL) {
    reply_rightly(&question);
  } else if (operation->function == FUNCTION_KEEP) {
    keep(&question);
  } else if (operation->function == FUNCTION_REPLY) {
    int is_open = reply_anyhow(question.call, operation->arguments);
    if (is_open) reply_rightly(&question);
  } else {
    perform(operation);
    reply_rightly(&question);
  }
  inside = INSIDE_NOTHING;
  context_leave(context);
}

static void public_key(void *context, uint64_t call, const char *identifier) {
  answer(context, (struct question){call, PUBLIC_KEY, identifier, NULL, 0, 0});
}

static void sign(
    void *context, uint64_t call, const char *identifier, const uint8_t *payload, size_t length) {
  answer(context, (struct question){call, SIGN, identifier, payload, length, 0});
}

static void attest(
    void *context, uint64_t call, const char *identifier, const uint8_t *payload, size_t length) {
  answer(context, (struct question){call, SIGN, identifier, payload, length, 0});
}

static void delete_signing(void *context, uint64_t call, const char *identifier) {
  answer(context, (struct question){call, DELETE_SIGNING, identifier, NULL, 0, 0});
}

static void encrypt(
    void *context, uint64_t call, const char *identifier, wallet_core_protection protection,
    const uint8_t *plaintext, size_t length) {
  (void)protection;
  answer(context, (struct question){call, ENCRYPT, identifier, plaintext, length, 0});
}

static void decrypt(
    void *context, uint64_t call, const char *identifier, wallet_core_protection protection,
    const uint8_t *ciphertext, size_t length) {
  (void)protection;
  answer(context, (struct question){call, DECRYPT, identifier, ciphertext, length, 0});
}

static void delete_encryption(void *context, uint64_t call, const char *identifier) {
  answer(context, (struct question){call, DELETE_ENCRYPTION, identifier, NULL, 0, 0});
}

static void path(void *context, uint64_t call) {
  answer(context, (struct question){.call = call, .asked = PATH});
}

static void yes(void *context, uint64_t call) {
  answer(context, (struct question){.call = call, .asked = BYTE, .byte = 1});
}

static void cancel(void *context, uint64_t call) {
  (void)call;
  context_enter(context);
  inside = INSIDE_BRIDGE;
  const struct operation *operation = atomic_load(&is_peaceful) ? NULL : perform_next(PLACE_BRIDGE);
  if (operation != NULL) perform(operation);
  inside = INSIDE_NOTHING;
  context_leave(context);
}

/* --- registering ------------------------------------------------------------------------------- */

static void *new_context(int has_destroy) {
  void *context = context_new(0, has_destroy);
  if (context == NULL) check_failed("more bridges than a program can have");
  return context;
}

/* Shapes from 1 on: one thing is wrong, or allowed but rare. */
static void corrupt(
    uint8_t shape, uint8_t value, wallet_core_signing_key_bridge *signing,
    wallet_core_encryption_key_bridge *encryption, wallet_core_utilities_bridge *utilities) {
  static const size_t sizes[] = {0, 8, 40, 48, 56, 63, 64, 71, 72, 79, 80, 81, 4096};
  const size_t size = sizes[value % (sizeof sizes / sizeof *sizes)];
  switch (shape % 12) {
    case 1:
      signing->cancel = encryption->cancel = utilities->cancel = NULL;
      break;
    case 2:
      signing->attest = attest;
      break;
    case 3:
      utilities->platform = small_argument(value);
      break;
    case 4:
      signing->struct_size = size < sizeof *signing ? size : sizeof *signing;
      break;
    case 5:
      encryption->struct_size = size < sizeof *encryption ? size : sizeof *encryption;
      break;
    case 6:
      utilities->struct_size = size < sizeof *utilities ? size : sizeof *utilities;
      break;
    case 7:
      signing->public_key = NULL;
      break;
    case 8:
      signing->sign = NULL;
      break;
    case 9:
      encryption->decrypt = NULL;
      break;
    case 10:
      utilities->storage_path = utilities->biometrics_available = NULL;
      utilities->device_secure = utilities->internet_reachable = utilities->camera_state = NULL;
      break;
    default:
      break;
  }
}

void bridges_hand_over(uint8_t shape, uint8_t value) {
  int has_destroy = shape % 12 != 11;
  wallet_core_destroy destroy = has_destroy ? context_destroy : NULL;
  void *contexts[3] = {
      new_context(has_destroy), new_context(has_destroy), new_context(has_destroy)};
  wallet_core_signing_key_bridge signing = {sizeof signing, contexts[0],    destroy, public_key,
                                            sign,           delete_signing, NULL,    cancel};
  wallet_core_encryption_key_bridge encryption = {
      sizeof encryption, contexts[1], destroy, encrypt, decrypt, delete_encryption, cancel};
  wallet_core_utilities_bridge utilities = {
      .struct_size = sizeof utilities,
      .context = contexts[2],
      .destroy = destroy,
      .storage_path = path,
      .biometrics_available = yes,
      .device_secure = yes,
      .internet_reachable = yes,
      .cancel = cancel,
      .platform = WALLET_CORE_PLATFORM_ANDROID,
      .camera_state = yes,
  };
  corrupt(shape, value, &signing, &encryption, &utilities);
  wallet_core_status status = CALL(
      ANSWERS(WALLET_CORE_ERROR_INVALID_ARGUMENT, WALLET_CORE_ERROR_BRIDGE_INCOMPLETE),
      wallet_core_init_platform_support, shape % 64 == 63 ? NULL : &signing,
      shape % 64 == 62 ? NULL : &encryption, shape % 64 == 61 ? NULL : &utilities);
  for (int i = 0; i < 3; i++) context_given(contexts[i], status);
  pthread_mutex_lock(&lock);
  if (status == WALLET_CORE_OK) memcpy(current, contexts, sizeof current);
  pthread_mutex_unlock(&lock);
}

int bridges_unreleased(void) {
  return contexts_replaced_bridges(current, 3);
}
