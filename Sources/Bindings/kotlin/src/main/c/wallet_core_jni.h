// SPDX-License-Identifier: Apache-2.0
/* What the files of this shim share. */
#ifndef WALLET_CORE_JNI_H
#define WALLET_CORE_JNI_H

#include <jni.h>
#include <wallet_core.h>

#define WALLET(result, name) JNIEXPORT result JNICALL Java_org_example_walletcore_WalletCore_##name
#define CLIENT(result, name) JNIEXPORT result JNICALL Java_org_example_walletcore_Client_##name
#define STATIC JNIEnv *env, jclass type __attribute__((unused))
#define SELF JNIEnv *env, jobject self

extern JavaVM *vm;
extern jclass wallet_class;     /* WalletCore */
extern jmethodID call_platform; /* WalletCore.call() */

/* Null where the JVM has thrown an exception, in all of these. */
jbyteArray new_bytes(JNIEnv *env, const void *bytes, size_t length);
jbyteArray new_text(JNIEnv *env, const char *text);
jobject new_event(JNIEnv *env, const wallet_core_event *event);

/* A copy as UTF-8, to be freed; NULL for null, and where an exception was thrown, now or before. */
char *copy_text(JNIEnv *env, jstring text);

/* Bytes of the host while a function of the library reads them. */
struct bytes {
  jbyteArray array;
  uint8_t *bytes;
  size_t length;
};

struct bytes open_bytes(JNIEnv *env, jbyteArray array);
void close_bytes(JNIEnv *env, struct bytes open);
/* For secrets: wipes them as well, here and in the array of the host. */
void wipe_bytes(JNIEnv *env, struct bytes open);

wallet_core_client client_of(JNIEnv *env, jobject client);

/* Throws what went wrong, if something did, and frees the error. */
void check(JNIEnv *env, wallet_core_status status, wallet_core_error **error);

/* The thread hooks of wallet_core_options. */
void attach_thread(void *context);
void detach_thread(void *context);

#endif
