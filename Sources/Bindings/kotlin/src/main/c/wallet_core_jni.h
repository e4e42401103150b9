// SPDX-License-Identifier: Apache-2.0
/* Declarations shared by the files of this library. */
#ifndef WALLET_CORE_JNI_H
#define WALLET_CORE_JNI_H

#include <jni.h>
#include <wallet_core.h>

#define WALLET(result, name) JNIEXPORT result JNICALL Java_org_example_walletcore_WalletCore_##name
#define CLIENT(result, name) JNIEXPORT result JNICALL Java_org_example_walletcore_Client_##name
#define STATIC JNIEnv *env, jclass type __attribute__((unused))
#define SELF JNIEnv *env, jobject self

extern JavaVM *vm;
extern jclass wallet_class;              /* WalletCore */
extern jmethodID call_platform;          /* WalletCore.call() */
extern jclass http_class;                /* HttpCalls */
extern jmethodID send_http, cancel_http; /* HttpCalls.send(), HttpCalls.cancel() */

/* Each of these returns NULL if the JVM has thrown an exception. */
jbyteArray new_bytes(JNIEnv *env, const void *bytes, size_t length);
jbyteArray new_text(JNIEnv *env, const char *text);
jobject new_event(JNIEnv *env, const wallet_core_event *event);

/* Copies a text as UTF-8; the caller frees it. Returns NULL for null, or if an exception is pending. */
char *copy_text(JNIEnv *env, jstring text);

/* Bytes of a Java array while a function of the library reads them. */
struct bytes {
  jbyteArray array;
  uint8_t *bytes;
  size_t length;
};

struct bytes open_bytes(JNIEnv *env, jbyteArray array);
void close_bytes(JNIEnv *env, struct bytes open);
/* Closes secret bytes and wipes them, here and in the Java array. */
void wipe_bytes(JNIEnv *env, struct bytes open);

wallet_core_client client_of(JNIEnv *env, jobject client);

/* Throws an exception if the status is not OK, and frees the error. */
void check(JNIEnv *env, wallet_core_status status, wallet_core_error **error);

/* Releases a global reference that is the context of a bridge. */
void release_context(void *object);

/* The thread hooks of wallet_core_options. */
void attach_thread(void *context);
void detach_thread(void *context);

#endif
