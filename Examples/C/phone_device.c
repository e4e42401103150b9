// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L

#include "phone_device.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "software_keys.h"

static struct device *device;

/* The bridges of software_keys. They do the work after the checks in this file. */
static wallet_core_signing_key_bridge signing;
static wallet_core_encryption_key_bridge encryption;
static wallet_core_utilities_bridge utilities;

void device_reset(struct device *fresh, const char *directory) {
  memset(fresh, 0, sizeof *fresh);
  snprintf(fresh->directory, sizeof fresh->directory, "%s", directory);
  fresh->platform = WALLET_CORE_PLATFORM_ANDROID;
  fresh->biometrics = WALLET_CORE_BIOMETRICS_FINGERPRINT;
  fresh->camera = WALLET_CORE_CAMERA_USABLE;
  fresh->is_secure = 1;
  fresh->is_online = 1;
  fresh->has_key_store = 1;
}

static void reply_status(uint64_t call, wallet_core_bridge_status status) {
  (void)wallet_core_bridge_reply(call, status, NULL, 0, NULL);
}

static void reply_byte(uint64_t call, int byte) {
  const uint8_t bytes[1] = {(uint8_t)byte};
  (void)wallet_core_bridge_reply(call, WALLET_CORE_BRIDGE_OK, bytes, sizeof bytes, NULL);
}

/* --- the fingerprint sensor ------------------------------------------------------------------- */

/* A call that waits for the user. Its arguments stay valid until the reply, even after a cancel. */
struct prompt {
  uint64_t call; /* 0: there is none */
  int is_encrypt;
  const char *identifier;
  const uint8_t *bytes;
  size_t length;
};

static struct {
  pthread_mutex_t mutex;
  struct prompt open, cancelled;
  uint64_t early[16]; /* calls that were cancelled before their prompt was opened */
  size_t early_count;
  void (*tell)(void *context);
  void *context;
} sensor = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void open_prompt(struct prompt prompt) {
  int is_cancelled = 0;
  pthread_mutex_lock(&sensor.mutex);
  for (size_t i = 0; i < sizeof sensor.early / sizeof *sensor.early; i++) {
    is_cancelled |= sensor.early[i] == prompt.call;
  }
  *(is_cancelled ? &sensor.cancelled : &sensor.open) = prompt;
  pthread_mutex_unlock(&sensor.mutex);
  sensor.tell(sensor.context);
}

/* The wallet no longer waits: the prompt closes, and a finger from now on is late. This comes on another
   thread, also before the prompt was opened. */
static void cancel_prompt(void *directory, uint64_t call) {
  (void)directory;
  pthread_mutex_lock(&sensor.mutex);
  if (sensor.open.call == call) {
    sensor.cancelled = sensor.open;
    sensor.open = (struct prompt){0};
  } else {
    sensor.early[sensor.early_count++ % (sizeof sensor.early / sizeof *sensor.early)] = call;
  }
  pthread_mutex_unlock(&sensor.mutex);
  sensor.tell(sensor.context);
}

int device_prompt(int *is_new) {
  pthread_mutex_lock(&sensor.mutex);
  int is_open = sensor.open.call != 0;
  *is_new = sensor.open.is_encrypt;
  pthread_mutex_unlock(&sensor.mutex);
  return is_open;
}

/* Deletes the key: a real key store makes it unusable when the enrolled fingers change. */
static void lose_key(const struct prompt *prompt) {
  char prefix[128];
  snprintf(prefix, sizeof prefix, "encryption-%s", prompt->identifier);
  software_keys_lose(device->directory, prefix);
}

static void answer(const struct prompt *prompt, wallet_core_bridge_status status, int times) {
  switch (status) {
    case WALLET_CORE_BRIDGE_OK:
      (prompt->is_encrypt ? encryption.encrypt : encryption.decrypt)(
          device->directory, prompt->call, prompt->identifier, WALLET_CORE_PROTECTION_BIOMETRIC,
          prompt->bytes, prompt->length);
      return;
    case WALLET_CORE_BRIDGE_NOT_RECOGNISED: {
      const uint8_t count[1] = {(uint8_t)times};
      (void)wallet_core_bridge_reply(prompt->call, status, count, sizeof count, NULL);
      return;
    }
    case WALLET_CORE_BRIDGE_KEY_INVALIDATED:
    case WALLET_CORE_BRIDGE_KEY_MISSING:
      lose_key(prompt);
      break;
    default:
      break;
  }
  reply_status(prompt->call, status);
}

int device_finger(const char *word, int times) {
  static const struct {
    const char *word;
    wallet_core_bridge_status status;
  } answers[] = {
      {"recognised", WALLET_CORE_BRIDGE_OK},
      {"not-recognised", WALLET_CORE_BRIDGE_NOT_RECOGNISED},
      {"cancelled", WALLET_CORE_BRIDGE_CANCELLED_BY_USER},
      {"locked-out", WALLET_CORE_BRIDGE_LOCKED_OUT},
      {"locked-out-permanently", WALLET_CORE_BRIDGE_LOCKED_OUT_PERMANENTLY},
      {"not-enrolled", WALLET_CORE_BRIDGE_NOT_ENROLLED},
      {"invalidated", WALLET_CORE_BRIDGE_KEY_INVALIDATED},
      {"missing", WALLET_CORE_BRIDGE_KEY_MISSING},
      {"unavailable", WALLET_CORE_BRIDGE_UNAVAILABLE},
      {"host-error", WALLET_CORE_BRIDGE_HOST_LAST},
  };
  const int is_late = strncmp(word, "late-", 5) == 0;
  for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
    if (strcmp(answers[i].word, is_late ? word + 5 : word) == 0) {
      pthread_mutex_lock(&sensor.mutex);
      struct prompt prompt = is_late ? sensor.cancelled : sensor.open;
      if (is_late) {
        sensor.cancelled.call = 0;
      } else {
        sensor.open = (struct prompt){0};
      }
      pthread_mutex_unlock(&sensor.mutex);
      sensor.tell(sensor.context); /* before the answer, which may open the next prompt */
      if (prompt.call != 0) {
        answer(&prompt, answers[i].status, times);
      }
      return prompt.call != 0;
    }
  }
  return 0;
}

/* --- the bridges ------------------------------------------------------------------------------ */

static int refuses(uint64_t call) {
  if (device->has_key_store) {
    return 0;
  }
  reply_status(call, WALLET_CORE_BRIDGE_UNAVAILABLE);
  return 1;
}

static void public_key(void *directory, uint64_t call, const char *identifier) {
  if (!refuses(call)) {
    signing.public_key(directory, call, identifier);
  }
}

static void sign(
    void *directory, uint64_t call, const char *identifier, const uint8_t *payload, size_t length) {
  if (!refuses(call)) {
    signing.sign(directory, call, identifier, payload, length);
  }
}

static void delete_signing_key(void *directory, uint64_t call, const char *identifier) {
  if (!refuses(call)) {
    signing.delete_key(directory, call, identifier);
  }
}

static void encrypt(
    void *directory, uint64_t call, const char *identifier, wallet_core_protection protection,
    const uint8_t *plaintext, size_t length) {
  if (refuses(call)) {
    return;
  }
  if (protection == WALLET_CORE_PROTECTION_BIOMETRIC) {
    open_prompt((struct prompt){call, 1, identifier, plaintext, length});
  } else {
    encryption.encrypt(directory, call, identifier, protection, plaintext, length);
  }
}

static void decrypt(
    void *directory, uint64_t call, const char *identifier, wallet_core_protection protection,
    const uint8_t *ciphertext, size_t length) {
  if (refuses(call)) {
    return;
  }
  if (protection == WALLET_CORE_PROTECTION_BIOMETRIC) {
    open_prompt((struct prompt){call, 0, identifier, ciphertext, length});
  } else {
    encryption.decrypt(directory, call, identifier, protection, ciphertext, length);
  }
}

static void delete_encryption_key(void *directory, uint64_t call, const char *identifier) {
  if (!refuses(call)) {
    encryption.delete_key(directory, call, identifier);
  }
}

static void biometrics_available(void *directory, uint64_t call) {
  (void)directory;
  reply_byte(call, device->biometrics);
}

static void device_secure(void *directory, uint64_t call) {
  (void)directory;
  reply_byte(call, device->is_secure);
}

static void internet_reachable(void *directory, uint64_t call) {
  (void)directory;
  reply_byte(call, device->is_online);
}

static void camera_state(void *directory, uint64_t call) {
  (void)directory;
  reply_byte(call, device->camera);
}

int device_start(struct device *started, void (*changed)(void *context), void *context) {
  device = started;
  sensor.tell = changed;
  sensor.context = context;
  if (software_keys_fill(device->directory, &signing, &encryption, &utilities) != 0) {
    fprintf(stderr, "phone: libsodium does not start\n");
    return -1;
  }
  wallet_core_signing_key_bridge signing_bridge = signing;
  signing_bridge.public_key = public_key;
  signing_bridge.sign = sign;
  signing_bridge.delete_key = delete_signing_key;
  wallet_core_encryption_key_bridge encryption_bridge = encryption;
  encryption_bridge.encrypt = encrypt;
  encryption_bridge.decrypt = decrypt;
  encryption_bridge.delete_key = delete_encryption_key;
  encryption_bridge.cancel = cancel_prompt;
  wallet_core_utilities_bridge utilities_bridge = utilities;
  utilities_bridge.biometrics_available = biometrics_available;
  utilities_bridge.device_secure = device_secure;
  utilities_bridge.internet_reachable = internet_reachable;
  utilities_bridge.platform = device->platform;
  utilities_bridge.camera_state = camera_state;
  wallet_core_error *error = NULL;
  wallet_core_status status = wallet_core_init_platform_support(
      &signing_bridge, &encryption_bridge, &utilities_bridge, &error);
  if (status != WALLET_CORE_OK) {
    fprintf(stderr, "phone: %s\n", wallet_core_error_message(error, NULL));
  }
  wallet_core_error_free(error);
  return status == WALLET_CORE_OK ? 0 : -1;
}
