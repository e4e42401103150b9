// SPDX-License-Identifier: Apache-2.0
/*
 * The bridges to a Platform, on threads of the library. Each thread is attached to the JVM once, with its
 * own name, until it ends: attaching it for each call would be 35 times slower.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

#include "wallet_core_jni.h"

void attach_thread(void *context) {
  (void)context;
  char name[16] = "wallet_core";
  (void)pthread_getname_np(pthread_self(), name, sizeof name);
  JavaVMAttachArgs arguments = {.version = JNI_VERSION_1_6, .name = name};
  JNIEnv *env = NULL;
  (void)(*vm)->AttachCurrentThreadAsDaemon(vm, (void *)&env, &arguments);
}

void detach_thread(void *context) {
  (void)context;
  (void)(*vm)->DetachCurrentThread(vm);
}

/* In the order of the switch in WalletCore.java. */
enum { PUBLIC_KEY, SIGN, DELETE_SIGNING_KEY, ENCRYPT, DECRYPT, DELETE_ENCRYPTION_KEY, CANCEL };
enum {
  STORAGE_PATH = CANCEL + 1,
  BIOMETRICS_AVAILABLE,
  DEVICE_SECURE,
  INTERNET_REACHABLE,
  CAMERA_STATE
};

/* Calls a method of the Platform, which answers the call. Answers it here if the JVM cannot run the
   method. */
static void ask(
    void *platform, jint method, uint64_t call, const char *identifier, jint protection,
    const uint8_t *payload, size_t length) {
  JNIEnv *env = NULL;
  int begun = 0;
  if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) == JNI_OK) {
    if ((*env)->PushLocalFrame(env, 8) == 0) {
      jbyteArray name = new_text(env, identifier);
      jbyteArray bytes = name == NULL ? NULL : new_bytes(env, payload, length);
      if (bytes != NULL) {
        (*env)->CallStaticVoidMethod(
            env, wallet_class, call_platform, platform, method, (jlong)call, name, protection,
            bytes);
        begun = !(*env)->ExceptionCheck(env);
      }
      (*env)->PopLocalFrame(env, NULL);
    }
    (*env)->ExceptionClear(env);
  }
  if (!begun) {
    (void)wallet_core_bridge_reply(
        call, WALLET_CORE_BRIDGE_HOST_LAST, NULL, 0, "the JVM cannot run the call");
  }
}

#define QUESTION(name, method)                      \
  static void name(void *platform, uint64_t call) { \
    ask(platform, method, call, "", 0, NULL, 0);    \
  }
#define OF_KEY(name, method)                                         \
  static void name(void *platform, uint64_t call, const char *key) { \
    ask(platform, method, call, key, 0, NULL, 0);                    \
  }
#define CRYPT(name, method)                                                              \
  static void name(                                                                      \
      void *platform, uint64_t call, const char *key, wallet_core_protection protection, \
      const uint8_t *bytes, size_t length) {                                             \
    ask(platform, method, call, key, protection, bytes, length);                         \
  }

OF_KEY(public_key, PUBLIC_KEY)
OF_KEY(delete_signing_key, DELETE_SIGNING_KEY)
OF_KEY(delete_encryption_key, DELETE_ENCRYPTION_KEY)
CRYPT(encrypt, ENCRYPT)
CRYPT(decrypt, DECRYPT)
QUESTION(cancel, CANCEL)
QUESTION(storage_path, STORAGE_PATH)
QUESTION(biometrics_available, BIOMETRICS_AVAILABLE)
QUESTION(device_secure, DEVICE_SECURE)
QUESTION(internet_reachable, INTERNET_REACHABLE)
QUESTION(camera_state, CAMERA_STATE)

static void sign(
    void *platform, uint64_t call, const char *key, const uint8_t *bytes, size_t length) {
  ask(platform, SIGN, call, key, 0, bytes, length);
}

/* The library calls this for each bridge, after the last call to its Platform or HttpStack. */
void release_context(void *object) {
  JNIEnv *env = NULL;
  if (object != NULL && (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) == JNI_OK) {
    (*env)->DeleteGlobalRef(env, object);
  }
}

WALLET(void, initPlatformSupport)(STATIC, jobject platform, jint rules) {
  wallet_core_error *error = NULL;
  void *contexts[3];
  for (int i = 0; i < 3; i++) {
    contexts[i] = (*env)->NewGlobalRef(env, platform);
  }
  const wallet_core_signing_key_bridge signing = {
      .struct_size = sizeof signing,
      .context = contexts[0],
      .destroy = release_context,
      .public_key = public_key,
      .sign = sign,
      .delete_key = delete_signing_key,
      .cancel = cancel,
  };
  const wallet_core_encryption_key_bridge encryption = {
      .struct_size = sizeof encryption,
      .context = contexts[1],
      .destroy = release_context,
      .encrypt = encrypt,
      .decrypt = decrypt,
      .delete_key = delete_encryption_key,
      .cancel = cancel,
  };
  const wallet_core_utilities_bridge utilities = {
      .struct_size = sizeof utilities,
      .context = contexts[2],
      .destroy = release_context,
      .storage_path = storage_path,
      .biometrics_available = biometrics_available,
      .device_secure = device_secure,
      .internet_reachable = internet_reachable,
      .camera_state = camera_state,
      .platform = rules,
  };
  wallet_core_status status = wallet_core_init_platform_support(
      platform != NULL ? &signing : NULL, &encryption, &utilities, &error);
  for (int i = 0; i < 3 && status != WALLET_CORE_OK; i++) {
    release_context(contexts[i]);
  }
  check(env, status, &error);
}

WALLET(jint, reply)(STATIC, jlong call, jint status, jbyteArray bytes, jstring message) {
  struct bytes answer = open_bytes(env, bytes);
  char *text = copy_text(env, message);
  wallet_core_status result =
      wallet_core_bridge_reply((uint64_t)call, status, answer.bytes, answer.length, text);
  free(text);
  wipe_bytes(env, answer); /* it may be a decrypted secret */
  return result;
}
