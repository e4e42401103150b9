/*
 * libcurl's types without linking it. Its functions are loaded with dlopen at the first request
 * (see WalletTransport), because loading libcurl takes longer than loading the core itself.
 */
#ifndef WALLET_CURL_SHIM_H
#define WALLET_CURL_SHIM_H

#include <curl/curl.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

/* CURLVERSION_NOW, a macro that Swift does not import. */
static const CURLversion wallet_curl_version_now = CURLVERSION_NOW;

/* The functions of libcurl that the core calls. */
typedef struct wallet_curl {
  CURLcode (*global_init)(long flags);
  curl_version_info_data *(*version_info)(CURLversion age);
  const char *(*easy_strerror)(CURLcode code);
  CURL *(*easy_init)(void);
  CURLcode (*easy_setopt)(CURL *easy, CURLoption option, ...);
  CURLcode (*easy_getinfo)(CURL *easy, CURLINFO info, ...);
  void (*easy_cleanup)(CURL *easy);
  CURLM *(*multi_init)(void);
  CURLMcode (*multi_setopt)(CURLM *multi, CURLMoption option, ...);
  CURLMcode (*multi_add_handle)(CURLM *multi, CURL *easy);
  CURLMcode (*multi_remove_handle)(CURLM *multi, CURL *easy);
  CURLMcode (*multi_perform)(CURLM *multi, int *running);
  CURLMcode (*multi_poll)(
      CURLM *multi, struct curl_waitfd extra[], unsigned int count, int timeout_ms, int *ready);
  CURLMcode (*multi_wakeup)(CURLM *multi);
  CURLMsg *(*multi_info_read)(CURLM *multi, int *left);
  CURLMcode (*multi_cleanup)(CURLM *multi);
  struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
  void (*slist_free_all)(struct curl_slist *list);
} wallet_curl;

/* Fills `curl` from an open library. Returns the name of a missing function, or NULL. */
static inline const char *wallet_curl_resolve(void *library, wallet_curl *curl) {
#define WALLET_CURL_RESOLVE(member)                          \
  *(void **)&curl->member = dlsym(library, "curl_" #member); \
  if (!curl->member) return "curl_" #member;
  WALLET_CURL_RESOLVE(global_init)
  WALLET_CURL_RESOLVE(version_info)
  WALLET_CURL_RESOLVE(easy_strerror)
  WALLET_CURL_RESOLVE(easy_init)
  WALLET_CURL_RESOLVE(easy_setopt)
  WALLET_CURL_RESOLVE(easy_getinfo)
  WALLET_CURL_RESOLVE(easy_cleanup)
  WALLET_CURL_RESOLVE(multi_init)
  WALLET_CURL_RESOLVE(multi_setopt)
  WALLET_CURL_RESOLVE(multi_add_handle)
  WALLET_CURL_RESOLVE(multi_remove_handle)
  WALLET_CURL_RESOLVE(multi_perform)
  WALLET_CURL_RESOLVE(multi_poll)
  WALLET_CURL_RESOLVE(multi_wakeup)
  WALLET_CURL_RESOLVE(multi_info_read)
  WALLET_CURL_RESOLVE(multi_cleanup)
  WALLET_CURL_RESOLVE(slist_append)
  WALLET_CURL_RESOLVE(slist_free_all)
#undef WALLET_CURL_RESOLVE
  return NULL;
}

/* Swift cannot call variadic functions, so there is one wrapper for each type of argument. */

static inline CURLcode wallet_curl_set_long(
    const wallet_curl *curl, CURL *easy, CURLoption option, long value) {
  return curl->easy_setopt(easy, option, value);
}

static inline CURLcode wallet_curl_set_size(
    const wallet_curl *curl, CURL *easy, CURLoption option, curl_off_t value) {
  return curl->easy_setopt(easy, option, value);
}

static inline CURLcode wallet_curl_set_text(
    const wallet_curl *curl, CURL *easy, CURLoption option, const char *value) {
  return curl->easy_setopt(easy, option, value);
}

static inline CURLcode wallet_curl_set_list(
    const wallet_curl *curl, CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl->easy_setopt(easy, option, value);
}

/* libcurl copies the bytes. */
static inline CURLcode wallet_curl_set_blob(
    const wallet_curl *curl, CURL *easy, CURLoption option, const void *bytes, size_t length) {
  struct curl_blob blob = {(void *)bytes, length, CURL_BLOB_COPY};
  return curl->easy_setopt(easy, option, &blob);
}

typedef size_t (*wallet_curl_receiver)(char *bytes, size_t size, size_t count, void *context);

/* `option` is CURLOPT_WRITEFUNCTION or CURLOPT_HEADERFUNCTION. `data` is the matching ...DATA
 * option, for the context that the receiver gets. */
static inline CURLcode wallet_curl_set_receiver(
    const wallet_curl *curl, CURL *easy, CURLoption option, wallet_curl_receiver receiver,
    CURLoption data, void *context) {
  CURLcode code = curl->easy_setopt(easy, option, receiver);
  return code != CURLE_OK ? code : curl->easy_setopt(easy, data, context);
}

/* libcurl calls this with each OpenSSL context before it uses the context. `setter` is OpenSSL's
 * SSL_CTX_set_keylog_callback. With NULL it removes libcurl's callback, which would write the keys
 * of the connection to a file. */
static CURLcode wallet_curl_stop_key_log(CURL *easy, void *context, void *setter) {
  (void)easy;
  ((void (*)(void *, void *))setter)(context, NULL);
  return CURLE_OK;
}

/* Fails if libcurl has a TLS library whose contexts cannot be changed. */
static inline CURLcode wallet_curl_disable_key_log(
    const wallet_curl *curl, CURL *easy, void *setter) {
  CURLcode code = curl->easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, wallet_curl_stop_key_log);
  return code != CURLE_OK ? code : curl->easy_setopt(easy, CURLOPT_SSL_CTX_DATA, setter);
}

typedef curl_socket_t (*wallet_curl_socket_opener)(
    void *context, curlsocktype purpose, struct curl_sockaddr *address);

/* CURL_SOCKET_BAD, a macro that Swift does not import. */
static const curl_socket_t wallet_curl_no_socket = CURL_SOCKET_BAD;

/* `opener` opens each connection, or returns wallet_curl_no_socket to refuse it. */
static inline CURLcode wallet_curl_set_socket_opener(
    const wallet_curl *curl, CURL *easy, wallet_curl_socket_opener opener, void *context) {
  CURLcode code = curl->easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, opener);
  return code != CURLE_OK ? code : curl->easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}

/* Copies the bytes of an address into `bytes` and returns their number; 0 for a kind other than IPv4
 * and IPv6. */
static inline size_t wallet_curl_address_bytes(
    const struct curl_sockaddr *address, unsigned char bytes[16]) {
  const void *start =
      address->family == AF_INET
          ? (const void *)&((const struct sockaddr_in *)(const void *)&address->addr)->sin_addr
          : (const void *)&((const struct sockaddr_in6 *)(const void *)&address->addr)->sin6_addr;
  size_t length = address->family == AF_INET ? 4 : address->family == AF_INET6 ? 16 : 0;
  memcpy(bytes, start, length);
  return length;
}

/* What libcurl does itself without such a function. */
static inline curl_socket_t wallet_curl_open_socket(const struct curl_sockaddr *address) {
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static inline CURLcode wallet_curl_get_long(
    const wallet_curl *curl, CURL *easy, CURLINFO info, long *value) {
  return curl->easy_getinfo(easy, info, value);
}

static inline CURLcode wallet_curl_get_offset(
    const wallet_curl *curl, CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl->easy_getinfo(easy, info, value);
}

static inline CURLMcode wallet_curl_set_multi_long(
    const wallet_curl *curl, CURLM *multi, CURLMoption option, long value) {
  return curl->multi_setopt(multi, option, value);
}

/* Returns the result of a finished transfer; -1 if `message` reports something else. */
static inline int wallet_curl_result(const CURLMsg *message) {
  return message->msg == CURLMSG_DONE ? (int)message->data.result : -1;
}

#endif
