// SPDX-License-Identifier: Apache-2.0
/*
 * Converts texts, bytes, events and errors between Java and C.
 *
 * Classes are looked up while this library is loaded, because threads that the JVM did not make cannot
 * find classes of the app. Texts are passed as bytes, because the JNI functions for texts use a modified
 * UTF-8.
 */
#include <stdlib.h>
#include <string.h>

#include "wallet_core_jni.h"

#define CLASS(name) "Lorg/example/walletcore/" name ";"

JavaVM *vm;
jclass wallet_class, http_class;
jmethodID call_platform, send_http, cancel_http;
static jclass exception_class, out_of_memory_class;
static jmethodID make_event, make_utf8, make_exception;
static jfieldID client_number;

/* If something is missing, leaves an exception, which System.loadLibrary() throws. */
JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *loader, void *reserved) {
  (void)reserved;
  JNIEnv *env = NULL;
  jclass wallet, http, exception, client, out_of_memory;
  vm = loader;
  const int found =
      (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) == JNI_OK &&
      (wallet = (*env)->FindClass(env, "org/example/walletcore/WalletCore")) != NULL &&
      (http = (*env)->FindClass(env, "org/example/walletcore/HttpCalls")) != NULL &&
      (exception = (*env)->FindClass(env, "org/example/walletcore/WalletCoreException")) != NULL &&
      (client = (*env)->FindClass(env, "org/example/walletcore/Client")) != NULL &&
      (out_of_memory = (*env)->FindClass(env, "java/lang/OutOfMemoryError")) != NULL &&
      (wallet_class = (*env)->NewGlobalRef(env, wallet)) != NULL &&
      (http_class = (*env)->NewGlobalRef(env, http)) != NULL &&
      (exception_class = (*env)->NewGlobalRef(env, exception)) != NULL &&
      (out_of_memory_class = (*env)->NewGlobalRef(env, out_of_memory)) != NULL &&
      (client_number = (*env)->GetFieldID(env, client, "number", "J")) != NULL &&
      (call_platform = (*env)->GetStaticMethodID(
           env, wallet, "call", "(" CLASS("Platform") "IJ[BI[B)V")) != NULL &&
      (send_http = (*env)->GetStaticMethodID(
           env, http, "send", "(" CLASS("HttpStack") "J[B[B[BIIIIJJZ)V")) != NULL &&
      (cancel_http =
           (*env)->GetStaticMethodID(env, http, "cancel", "(" CLASS("HttpStack") "J)V")) != NULL &&
      (make_event = (*env)->GetStaticMethodID(
           env, wallet, "event",
           "(IJ" CLASS("WalletCoreException") "ZI[BJJ[B[B)" CLASS("Event"))) != NULL &&
      (make_utf8 = (*env)->GetStaticMethodID(env, wallet, "utf8", "(Ljava/lang/String;)[B")) !=
          NULL &&
      (make_exception = (*env)->GetMethodID(env, exception, "<init>", "(II[B[B[B)V")) != NULL;
  /* On Android the file name does not contain the version of the ABI. */
  const int fits = wallet_core_abi_version() == WALLET_CORE_ABI_VERSION;
  return found && fits ? JNI_VERSION_1_6 : JNI_ERR;
}

jbyteArray new_bytes(JNIEnv *env, const void *bytes, size_t length) {
  jbyteArray array = (*env)->NewByteArray(env, (jsize)length);
  if (array != NULL) {
    (*env)->SetByteArrayRegion(env, array, 0, (jsize)length, bytes);
  }
  return array;
}

jbyteArray new_text(JNIEnv *env, const char *text) {
  return new_bytes(env, text, strlen(text));
}

char *copy_text(JNIEnv *env, jstring text) {
  if (text == NULL || (*env)->ExceptionCheck(env)) {
    return NULL;
  }
  jbyteArray utf8 = (*env)->CallStaticObjectMethod(env, wallet_class, make_utf8, text);
  if ((*env)->ExceptionCheck(env)) {
    return NULL;
  }
  const jsize length = (*env)->GetArrayLength(env, utf8);
  char *copy = malloc((size_t)length);
  if (copy != NULL) {
    (*env)->GetByteArrayRegion(env, utf8, 0, length, (jbyte *)copy);
  } else {
    (*env)->ThrowNew(env, out_of_memory_class, "no memory for a text");
  }
  (*env)->DeleteLocalRef(env, utf8);
  return copy;
}

struct bytes open_bytes(JNIEnv *env, jbyteArray array) {
  struct bytes open = {array, NULL, 0};
  if (array != NULL) {
    open.bytes = (uint8_t *)(*env)->GetByteArrayElements(env, array, NULL);
    open.length = open.bytes == NULL ? 0 : (size_t)(*env)->GetArrayLength(env, array);
  }
  return open;
}

void close_bytes(JNIEnv *env, struct bytes open) {
  if (open.bytes != NULL) {
    (*env)->ReleaseByteArrayElements(env, open.array, (jbyte *)open.bytes, JNI_ABORT);
  }
}

void wipe_bytes(JNIEnv *env, struct bytes open) {
  if (open.bytes != NULL) {
    wallet_core_memzero(open.bytes, open.length);
    /* 0: the zeros are copied back to the array. */
    (*env)->ReleaseByteArrayElements(env, open.array, (jbyte *)open.bytes, 0);
  }
}

/* Makes a WalletCoreException. Returns NULL if the JVM has thrown another exception. */
static jobject new_exception(
    JNIEnv *env, wallet_core_status status, const wallet_core_error *error) {
  jbyteArray name = new_text(env, wallet_core_status_name(status));
  jbyteArray message = name == NULL ? NULL : new_text(env, wallet_core_error_message(error, NULL));
  jbyteArray data = message == NULL ? NULL : new_text(env, wallet_core_error_data(error, NULL));
  const jint category = wallet_core_error_category(error);
  return data == NULL
             ? NULL
             : (*env)->NewObject(
                   env, exception_class, make_exception, status, category, name, message, data);
}

void check(JNIEnv *env, wallet_core_status status, wallet_core_error **error) {
  if (status != WALLET_CORE_OK && !(*env)->ExceptionCheck(env)) {
    jobject exception = new_exception(env, status, *error);
    if (!(*env)->ExceptionCheck(env)) {
      (*env)->Throw(env, exception);
    }
  }
  wallet_core_error_free(*error);
}

jobject new_event(JNIEnv *env, const wallet_core_event *event) {
  const wallet_core_error *error = wallet_core_event_error(event);
  jobject failure = error == NULL ? NULL : new_exception(env, wallet_core_error_code(error), error);
  jbyteArray session = (*env)->ExceptionCheck(env)
                           ? NULL
                           : new_text(env, wallet_core_event_replacement_session(event));
  jbyteArray step = session == NULL ? NULL : new_text(env, wallet_core_event_step_name(event));
  jbyteArray json = step == NULL ? NULL : new_text(env, wallet_core_event_json(event, NULL));
  return json == NULL
             ? NULL
             : (*env)->CallStaticObjectMethod(
                   env, wallet_class, make_event, wallet_core_event_kind(event),
                   (jlong)wallet_core_event_request(event), failure,
                   wallet_core_event_is_locked(event), wallet_core_event_pin_outcome(event),
                   session, (jlong)wallet_core_event_replacement_takes_effect_in_ms(event),
                   (jlong)wallet_core_event_step_serial(event), step, json);
}

wallet_core_client client_of(JNIEnv *env, jobject client) {
  return (wallet_core_client)(*env)->GetLongField(env, client, client_number);
}
