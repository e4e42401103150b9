/*
 * For the player: the library's functions for tests, and the mistakes that the binding prevents in
 * Kotlin.
 */
#include <semaphore.h>
#include <stdlib.h>
#include <wallet_core_testing.h>

#include "../../Support/test_patience.h"
#include "wallet_core_jni.h"

#define TESTING(result, name) JNIEXPORT result JNICALL Java_Testing_##name

/* --- the outside world ------------------------------------------------------------------------ */

TESTING(void, advanceClock)(STATIC, jlong milliseconds) {
  (void)env;
  wallet_core_testing_advance_clock(milliseconds);
}

TESTING(void, stopClock)(STATIC) {
  (void)env;
  wallet_core_testing_stop_clock();
}

TESTING(void, advanceCalendar)(STATIC, jlong seconds) {
  (void)env;
  wallet_core_testing_advance_calendar(seconds);
}

TESTING(void, setNetworkFault)(STATIC, jint fault, jint count) {
  (void)env;
  wallet_core_testing_set_network_fault(fault, count);
}

TESTING(void, setCrashPoint)(STATIC, jstring name) {
  char *point = copy_text(env, name);
  wallet_core_testing_set_crash_point(point);
  free(point);
}

TESTING(jlong, crashPointCount)(STATIC, jstring name) {
  char *point = copy_text(env, name);
  const jlong count = point == NULL ? 0 : wallet_core_testing_crash_point_count(point);
  free(point);
  return count;
}

TESTING(jstring, statusName)(STATIC, jint status) {
  return (*env)->NewStringUTF(env, wallet_core_status_name(status)); /* ASCII */
}

/* --- mistakes --------------------------------------------------------------------------------- */

static void of_key(void *context, uint64_t call, const char *key) {
  (void)context;
  (void)call;
  (void)key;
}

static void sign(
    void *context, uint64_t call, const char *key, const uint8_t *payload, size_t length) {
  of_key(context, call, key);
  (void)payload;
  (void)length;
}

static void crypt_bytes(
    void *context, uint64_t call, const char *key, wallet_core_protection protection,
    const uint8_t *bytes, size_t length) {
  sign(context, call, key, bytes, length);
  (void)protection;
}

static void hand_over(JNIEnv *env, wallet_core_signing_key_bridge signing) {
  wallet_core_error *error = NULL;
  const wallet_core_encryption_key_bridge encryption = {
      .struct_size = sizeof encryption,
      .encrypt = crypt_bytes,
      .decrypt = crypt_bytes,
      .delete_key = of_key,
  };
  const wallet_core_utilities_bridge utilities = {.struct_size = sizeof utilities};
  check(env, wallet_core_init_platform_support(&signing, &encryption, &utilities, &error), &error);
}

TESTING(void, bridgeWithoutSign)(STATIC) {
  hand_over(
      env, (wallet_core_signing_key_bridge){
               .struct_size = sizeof(wallet_core_signing_key_bridge),
               .public_key = of_key,
               .delete_key = of_key,
           });
}

TESTING(void, shortStruct)(STATIC) {
  hand_over(
      env, (wallet_core_signing_key_bridge){
               .struct_size = 8,
               .public_key = of_key,
               .sign = sign,
               .delete_key = of_key,
           });
}

TESTING(void, neverFree)(STATIC, jobject client) {
  enum { MOST = 100000 };
  const wallet_core_client number = client_of(env, client);
  wallet_core_event **taken = calloc(MOST, sizeof *taken);
  wallet_core_status status = taken == NULL ? WALLET_CORE_ERROR_OUT_OF_RESOURCES : WALLET_CORE_OK;
  wallet_core_error *error = NULL;
  size_t count = 0;
  while (status == WALLET_CORE_OK && count < MOST) {
    status = wallet_core_client_next_event(number, TEST_PATIENCE_MS, &taken[count], &error);
    if (status == WALLET_CORE_OK) {
      count++;
      status = wallet_core_wipe(number, NULL, &error);
    }
  }
  for (size_t i = 0; i < count; i++) {
    wallet_core_event_free(taken[i]);
  }
  free(taken);
  check(env, status, &error);
}

/* The result when a callback tried to detach its client. */
struct attempt {
  wallet_core_client client;
  sem_t made;
  wallet_core_status status;
  wallet_core_error *error;
};

static void detach_client(void *context, wallet_core_event *event) {
  struct attempt *attempt = context;
  wallet_core_event_free(event);
  if (attempt->status == WALLET_CORE_OK) {
    attempt->status = wallet_core_client_detach(attempt->client, &attempt->error);
    sem_post(&attempt->made);
  }
}

TESTING(void, detachInCallback)(STATIC, jobject client) {
  struct attempt attempt = {.client = client_of(env, client)};
  sem_init(&attempt.made, 0, 0);
  wallet_core_error *error = NULL;
  wallet_core_status status =
      wallet_core_set_event_callback(attempt.client, detach_client, &attempt, NULL, NULL, &error);
  if (status == WALLET_CORE_OK) {
    sem_wait(&attempt.made);
    status = wallet_core_clear_event_callback(attempt.client, 0, &error);
  }
  sem_destroy(&attempt.made);
  if (status == WALLET_CORE_OK) {
    check(env, attempt.status, &attempt.error);
  } else {
    wallet_core_error_free(attempt.error);
    check(env, status, &error);
  }
}
