// SPDX-License-Identifier: Apache-2.0
/*
 * The HTTP bridge to an HttpStack. The texts of a request or a response are passed in one array, each with
 * a NUL at its end, because a call of JNI for every header would be slow.
 */
#include <stdlib.h>
#include <string.h>

#include "wallet_core_jni.h"

#define HTTP(result, name) JNIEXPORT result JNICALL Java_org_example_walletcore_HttpCalls_##name

/* The i-th text of a request: its method, its URL, the name and the value of each header. */
static const char *text_at(const wallet_core_http_request *request, size_t i) {
  if (i < 2) {
    return i == 0 ? request->method : request->url;
  }
  const wallet_core_http_header *header = &request->headers[(i - 2) / 2];
  return i % 2 == 0 ? header->name : header->value;
}

/* Returns NULL if the JVM has thrown an exception. */
static jbyteArray new_texts(JNIEnv *env, const wallet_core_http_request *request) {
  const size_t count = 2 + 2 * request->header_count;
  size_t length = 0;
  for (size_t i = 0; i < count; i++) {
    length += strlen(text_at(request, i)) + 1;
  }
  jbyteArray texts = (*env)->NewByteArray(env, (jsize)length);
  for (size_t i = 0, start = 0; i < count && texts != NULL; i++) {
    const char *text = text_at(request, i);
    const size_t size = strlen(text) + 1;
    (*env)->SetByteArrayRegion(env, texts, (jsize)start, (jsize)size, (const jbyte *)text);
    start += size;
  }
  return texts;
}

/* Returns whether HttpCalls.send() was entered. */
static int ask(JNIEnv *env, jobject stack, uint64_t call, const wallet_core_http_request *request) {
  const char *pem = request->certificate_authorities;
  jbyteArray body = NULL, authorities = NULL;
  jbyteArray texts = new_texts(env, request);
  if (texts == NULL) {
    return 0;
  }
  if (request->body != NULL) {
    body = new_bytes(env, request->body, request->body_length);
  }
  if (pem != NULL && !(*env)->ExceptionCheck(env)) {
    authorities = new_text(env, pem);
  }
  if ((*env)->ExceptionCheck(env)) {
    return 0;
  }
  (*env)->CallStaticVoidMethod(
      env, http_class, send_http, stack, (jlong)call, texts, body, authorities,
      (jint)request->oldest_tls, (jint)request->reach, (jint)request->connect_timeout_ms,
      (jint)request->timeout_ms, (jlong)request->largest_headers, (jlong)request->largest_body,
      (jboolean)(request->shares_connections != 0));
  return 1;
}

static void fail(uint64_t call, int32_t was_sent, const char *message) {
  const wallet_core_http_response response = {
      .struct_size = sizeof response,
      .outcome = WALLET_CORE_HTTP_INCOMPLETE,
      .was_sent = was_sent,
      .message = message,
  };
  (void)wallet_core_http_reply(call, &response);
}

/* Calls HttpStack.send(), which answers the call. Answers it here if the JVM cannot run the method. */
static void send(void *stack, uint64_t call, const wallet_core_http_request *request) {
  JNIEnv *env = NULL;
  int was_entered = 0, has_run = 0;
  if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) == JNI_OK) {
    if ((*env)->PushLocalFrame(env, 8) == 0) {
      was_entered = ask(env, stack, call, request);
      has_run = was_entered && !(*env)->ExceptionCheck(env);
      (*env)->PopLocalFrame(env, NULL);
    }
    (*env)->ExceptionClear(env);
  }
  if (!has_run) {
    fail(call, was_entered, "the JVM cannot run the call");
  }
}

static void cancel(void *stack, uint64_t call) {
  JNIEnv *env = NULL;
  if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) == JNI_OK) {
    (*env)->CallStaticVoidMethod(env, http_class, cancel_http, (jobject)stack, (jlong)call);
    (*env)->ExceptionClear(env);
  }
}

WALLET(void, setHttpStack)(STATIC, jobject stack) {
  wallet_core_error *error = NULL;
  wallet_core_http_bridge bridge = {
      .struct_size = sizeof bridge,
      .destroy = release_context,
      .send = send,
      .cancel = cancel,
  };
  if (stack != NULL) {
    bridge.context = (*env)->NewGlobalRef(env, stack);
    if (bridge.context == NULL) {
      return; /* out of memory, as the exception says */
    }
  }
  wallet_core_status status = wallet_core_set_http_bridge(stack == NULL ? NULL : &bridge, &error);
  if (status != WALLET_CORE_OK) {
    release_context(bridge.context);
  }
  check(env, status, &error);
}

/* The text at `*next`, which is moved to the one after it; NULL if it is empty. */
static const char *take(const char **next) {
  const char *text = *next;
  *next += strlen(text) + 1;
  return *text == 0 ? NULL : text;
}

HTTP(jint, answer)
(STATIC, jlong call, jint outcome, jboolean was_sent, jint http_status, jbyteArray texts,
 jint header_count, jbyteArray body) {
  wallet_core_status result = WALLET_CORE_ERROR_OUT_OF_RESOURCES;
  struct bytes text = open_bytes(env, texts);
  struct bytes content = {0};
  if (text.bytes != NULL) {
    content = open_bytes(env, body);
  }
  wallet_core_http_header *headers = calloc((size_t)header_count + 1, sizeof *headers);
  if (headers == NULL || (*env)->ExceptionCheck(env)) {
    fail(
        (uint64_t)call, was_sent || outcome == WALLET_CORE_HTTP_ANSWERED,
        "no memory for the response");
  } else {
    const char *next = (const char *)text.bytes;
    wallet_core_http_response response = {
        .struct_size = sizeof response,
        .outcome = outcome,
        .was_sent = was_sent,
        .http_status = http_status,
        .headers = headers,
        .header_count = (size_t)header_count,
        .body = content.bytes,
        .body_length = content.length,
    };
    response.url = take(&next);
    response.remote_address = take(&next);
    response.message = take(&next);
    for (jint i = 0; i < header_count; i++) {
      headers[i].name = next;
      (void)take(&next);
      headers[i].value = next;
      (void)take(&next);
    }
    result = wallet_core_http_reply((uint64_t)call, &response);
    if (result != WALLET_CORE_OK) { /* what the server sent may be beyond a limit */
      fail((uint64_t)call, 1, "the response is invalid");
    }
  }
  free(headers);
  close_bytes(env, content);
  close_bytes(env, text);
  return result;
}
