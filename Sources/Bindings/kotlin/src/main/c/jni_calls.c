// SPDX-License-Identifier: Apache-2.0
/* The native methods of WalletCore.java and Client.java. */
#include <stdlib.h>

#include "wallet_core_jni.h"

/* --- the wallet ------------------------------------------------------------------------------- */

WALLET(jboolean, isInitialized)(STATIC) {
  (void)env;
  return wallet_core_is_initialized() != 0;
}

WALLET(void, init)
(STATIC, jbyteArray configuration, jstring version, jstring app, jstring storage) {
  wallet_core_error *error = NULL;
  struct bytes document = open_bytes(env, configuration);
  char *app_version = copy_text(env, version);
  char *app_id = copy_text(env, app);
  char *storage_path = copy_text(env, storage);
  const wallet_core_options options = {
      .struct_size = sizeof options,
      .embedded_configuration = document.bytes,
      .embedded_configuration_length = document.length,
      .app_version = app_version,
      .app_id = app_id,
      .storage_path = storage_path,
      .on_thread_start = attach_thread,
      .on_thread_stop = detach_thread,
  };
  wallet_core_status status = WALLET_CORE_OK;
  if (!(*env)->ExceptionCheck(env)) { /* else a NULL storage path could replace the app's own */
    status = wallet_core_init(&options, &error);
  }
  free(app_version);
  free(app_id);
  free(storage_path);
  close_bytes(env, document);
  check(env, status, &error);
}

WALLET(void, lock)(STATIC) {
  wallet_core_error *error = NULL;
  check(env, wallet_core_lock(&error), &error);
}

WALLET(void, notifyLifecycle)(STATIC, jint event) {
  wallet_core_error *error = NULL;
  check(env, wallet_core_notify_lifecycle(event, &error), &error);
}

/* Functions that return a truth value of the wallet. */
#define TRUTH(name, function)                     \
  WALLET(jboolean, name)(STATIC) {                \
    wallet_core_error *error = NULL;              \
    int32_t truth = 0;                            \
    check(env, function(&truth, &error), &error); \
    return truth != 0;                            \
  }

TRUTH(isLocked, wallet_core_is_locked)
TRUTH(hasRegistration, wallet_core_has_registration)
TRUTH(isBiometricUnlockEnabled, wallet_core_is_biometric_unlock_enabled)

/* --- a client --------------------------------------------------------------------------------- */

CLIENT(jlong, attach)(STATIC, jstring name, jboolean takeOver) {
  wallet_core_error *error = NULL;
  wallet_core_client client = 0;
  char *text = copy_text(env, name);
  const uint32_t flags = takeOver ? WALLET_CORE_ATTACH_TAKE_OVER : 0;
  wallet_core_status status = wallet_core_client_attach(text, flags, &client, &error);
  free(text);
  check(env, status, &error);
  return (jlong)client;
}

CLIENT(void, close)(SELF) {
  wallet_core_error *error = NULL;
  check(env, wallet_core_client_detach(client_of(env, self), &error), &error);
}

CLIENT(jobject, nextEvent)(SELF, jlong milliseconds) {
  wallet_core_error *error = NULL;
  wallet_core_event *event = NULL;
  wallet_core_status status =
      wallet_core_client_next_event(client_of(env, self), milliseconds, &event, &error);
  if (status == WALLET_CORE_ERROR_TIMEOUT) {
    return NULL;
  }
  check(env, status, &error);
  jobject copy = event == NULL ? NULL : new_event(env, event);
  wallet_core_event_free(event);
  return copy;
}

CLIENT(void, openApp)(SELF, jint startup, jstring universalLink) {
  wallet_core_error *error = NULL;
  const wallet_core_client client = client_of(env, self);
  char *link = copy_text(env, universalLink);
  if (!(*env)->ExceptionCheck(env)) { /* else the app would be opened without the link */
    check(env, wallet_core_open_app(client, startup, link, &error), &error);
  }
  free(link);
}

CLIENT(void, choose)(SELF, jlong serial, jstring action, jbyteArray pin) {
  wallet_core_error *error = NULL;
  const wallet_core_client client = client_of(env, self);
  struct bytes digits = open_bytes(env, pin);
  char *name = copy_text(env, action);
  wallet_core_status status =
      wallet_core_choose(client, (uint64_t)serial, name, digits.bytes, digits.length, &error);
  free(name);
  wipe_bytes(env, digits);
  check(env, status, &error);
}

CLIENT(void, chooseScanned)(SELF, jlong serial, jint symbology, jbyteArray scanned) {
  wallet_core_error *error = NULL;
  struct bytes symbol = open_bytes(env, scanned);
  wallet_core_status status = wallet_core_choose_scanned(
      client_of(env, self), (uint64_t)serial, symbology, symbol.bytes, symbol.length, &error);
  close_bytes(env, symbol);
  check(env, status, &error);
}

CLIENT(void, chooseOption)(SELF, jlong serial, jlong option) {
  wallet_core_error *error = NULL;
  check(
      env,
      wallet_core_choose_option(client_of(env, self), (uint64_t)serial, (size_t)option, &error),
      &error);
}

/* Functions that make a request, without and with a PIN. */
#define REQUEST(name, function)                                           \
  CLIENT(jlong, name)(SELF) {                                             \
    wallet_core_error *error = NULL;                                      \
    uint64_t request = 0;                                                 \
    check(env, function(client_of(env, self), &request, &error), &error); \
    return (jlong)request;                                                \
  }
#define PIN_REQUEST(name, function)                                                    \
  CLIENT(jlong, name)(SELF, jbyteArray pin) {                                          \
    wallet_core_error *error = NULL;                                                   \
    uint64_t request = 0;                                                              \
    struct bytes digits = open_bytes(env, pin);                                        \
    wallet_core_status status =                                                        \
        function(client_of(env, self), digits.bytes, digits.length, &request, &error); \
    wipe_bytes(env, digits);                                                           \
    check(env, status, &error);                                                        \
    return (jlong)request;                                                             \
  }

REQUEST(wipe, wallet_core_wipe)
REQUEST(cards, wallet_core_cards)
REQUEST(activities, wallet_core_activities)
REQUEST(refresh, wallet_core_refresh)
REQUEST(pinState, wallet_core_pin_state)
REQUEST(disableBiometricUnlock, wallet_core_disable_biometric_unlock)
REQUEST(unlockWithBiometrics, wallet_core_unlock_with_biometrics)
PIN_REQUEST(register, wallet_core_register)
PIN_REQUEST(unlock, wallet_core_unlock)
PIN_REQUEST(checkPin, wallet_core_check_pin)
PIN_REQUEST(enableBiometricUnlock, wallet_core_enable_biometric_unlock)

CLIENT(jlong, changePin)(SELF, jbyteArray pin, jbyteArray newPin) {
  wallet_core_error *error = NULL;
  uint64_t request = 0;
  struct bytes former = open_bytes(env, pin);
  struct bytes fresh = open_bytes(env, newPin);
  wallet_core_status status = wallet_core_change_pin(
      client_of(env, self), former.bytes, former.length, fresh.bytes, fresh.length, &request,
      &error);
  wipe_bytes(env, former);
  wipe_bytes(env, fresh);
  check(env, status, &error);
  return (jlong)request;
}

CLIENT(jlong, decideReplacement)(SELF, jstring session, jint decision, jbyteArray pin) {
  wallet_core_error *error = NULL;
  uint64_t request = 0;
  const wallet_core_client client = client_of(env, self);
  struct bytes digits = open_bytes(env, pin);
  char *id = copy_text(env, session);
  wallet_core_status status = wallet_core_decide_replacement(
      client, id, decision, digits.bytes, digits.length, &request, &error);
  free(id);
  wipe_bytes(env, digits);
  check(env, status, &error);
  return (jlong)request;
}

/* The texts of a Java array, at most `most`; NULL for one that is NULL. */
static size_t copy_texts(JNIEnv *env, jobjectArray array, char **texts, size_t most) {
  if (array == NULL || (*env)->ExceptionCheck(env)) {
    return 0;
  }
  const size_t count = (size_t)(*env)->GetArrayLength(env, array);
  for (size_t i = 0; i < count && i < most && !(*env)->ExceptionCheck(env); i++) {
    jstring text = (*env)->GetObjectArrayElement(env, array, (jsize)i);
    texts[i] = copy_text(env, text);
    (*env)->DeleteLocalRef(env, text);
  }
  return count;
}

CLIENT(jlong, present)
(SELF, jobjectArray cards, jobjectArray paths, jstring nonce, jstring audience, jbyteArray pin) {
  enum { CARDS = 16, PATHS = 64 };
  wallet_core_error *error = NULL;
  uint64_t request = 0;
  const wallet_core_client client = client_of(env, self);
  struct bytes digits = open_bytes(env, pin);
  char *texts[2] = {copy_text(env, nonce), copy_text(env, audience)};
  char *ids[CARDS] = {NULL}, *claims[CARDS][PATHS] = {{NULL}};
  wallet_core_card_selection selections[CARDS];
  const wallet_core_card_selection *pointers[CARDS];
  const size_t count = copy_texts(env, cards, ids, CARDS);
  const jsize lists =
      paths == NULL || (*env)->ExceptionCheck(env) ? 0 : (*env)->GetArrayLength(env, paths);
  for (size_t i = 0; i < CARDS; i++) {
    jobjectArray list = NULL;
    if (i < count && (jsize)i < lists && !(*env)->ExceptionCheck(env)) {
      list = (*env)->GetObjectArrayElement(env, paths, (jsize)i);
    }
    selections[i] = (wallet_core_card_selection){
        sizeof selections[i], ids[i], (const char *const *)claims[i],
        copy_texts(env, list, claims[i], PATHS)};
    pointers[i] = &selections[i];
    (*env)->DeleteLocalRef(env, list);
  }
  wallet_core_status status = wallet_core_present(
      client, pointers, count, texts[0], texts[1], digits.bytes, digits.length, &request, &error);
  for (size_t i = 0; i < CARDS; i++) {
    free(ids[i]);
    for (size_t j = 0; j < PATHS; j++) {
      free(claims[i][j]);
    }
  }
  free(texts[0]);
  free(texts[1]);
  wipe_bytes(env, digits);
  check(env, status, &error);
  return (jlong)request;
}

CLIENT(jlong, beginSharing)(SELF, jstring link, jboolean from_other_device) {
  wallet_core_error *error = NULL;
  uint64_t request = 0;
  const wallet_core_client client = client_of(env, self);
  char *text = copy_text(env, link);
  wallet_core_status status =
      wallet_core_begin_sharing(client, text, from_other_device == JNI_TRUE, &request, &error);
  free(text);
  check(env, status, &error);
  return (jlong)request;
}

CLIENT(jlong, chooseSharingOption)(SELF, jstring sharing, jlong option) {
  wallet_core_error *error = NULL;
  uint64_t request = 0;
  const wallet_core_client client = client_of(env, self);
  char *id = copy_text(env, sharing);
  wallet_core_status status =
      wallet_core_choose_sharing_option(client, id, (size_t)option, &request, &error);
  free(id);
  check(env, status, &error);
  return (jlong)request;
}

CLIENT(jlong, confirmSharing)(SELF, jstring sharing, jbyteArray pin) {
  wallet_core_error *error = NULL;
  uint64_t request = 0;
  const wallet_core_client client = client_of(env, self);
  struct bytes digits = open_bytes(env, pin);
  char *id = copy_text(env, sharing);
  wallet_core_status status =
      wallet_core_confirm_sharing(client, id, digits.bytes, digits.length, &request, &error);
  free(id);
  wipe_bytes(env, digits);
  check(env, status, &error);
  return (jlong)request;
}

CLIENT(jlong, refuseSharing)(SELF, jstring sharing) {
  wallet_core_error *error = NULL;
  uint64_t request = 0;
  const wallet_core_client client = client_of(env, self);
  char *id = copy_text(env, sharing);
  wallet_core_status status = wallet_core_refuse_sharing(client, id, &request, &error);
  free(id);
  check(env, status, &error);
  return (jlong)request;
}

CLIENT(void, cancel)(SELF, jlong request) {
  wallet_core_error *error = NULL;
  check(env, wallet_core_cancel(client_of(env, self), (uint64_t)request, &error), &error);
}
