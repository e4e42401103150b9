// SPDX-License-Identifier: Apache-2.0
#ifndef WALLET_HOST_LIBCURL_SHIM_H
#define WALLET_HOST_LIBCURL_SHIM_H

#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* Swift cannot call variadic functions, so there is one function for each type of argument. */

static inline CURLcode host_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode host_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode host_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

/* libcurl does not copy the bytes. Without an address it would ask for them. */
static inline CURLcode host_curl_set_body(CURL *easy, const void *bytes, size_t length) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_POSTFIELDS, length ? bytes : "");
}

static inline CURLcode host_curl_set_authorities(CURL *easy, const char *pem) {
  struct curl_blob blob = {(void *)pem, strlen(pem), CURL_BLOB_COPY};
  return curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &blob);
}

typedef size_t (*host_curl_receiver)(char *bytes, size_t size, size_t count, void *context);
typedef curl_socket_t (*host_curl_opener)(
    void *context, curlsocktype purpose, struct curl_sockaddr *address);

static inline CURLcode host_curl_set_receivers(
    CURL *easy, host_curl_receiver header, host_curl_receiver body, host_curl_opener opener,
    void *context) {
  CURLcode codes[] = {
      curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header),
      curl_easy_setopt(easy, CURLOPT_HEADERDATA, context),
      curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body),
      curl_easy_setopt(easy, CURLOPT_WRITEDATA, context),
      curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, opener),
      curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context),
  };
  for (size_t index = 0; index < sizeof codes / sizeof *codes; index++)
    if (codes[index] != CURLE_OK) return codes[index];
  return CURLE_OK;
}

static inline long host_curl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

static inline curl_off_t host_curl_get_offset(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

/* The text is libcurl's. NULL if there is none. */
static inline const char *host_curl_get_text(CURL *easy, CURLINFO info) {
  const char *value = NULL;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

/* Returns the result of a finished transfer; -1 if `message` reports something else. */
static inline int host_curl_result(const CURLMsg *message) {
  return message->msg == CURLMSG_DONE ? (int)message->data.result : -1;
}

/* CURL_SOCKET_BAD, a macro that Swift does not import. */
static const curl_socket_t host_curl_no_socket = CURL_SOCKET_BAD;

/* Copies an address into `bytes`, IPv4 as ::ffff:a.b.c.d. Returns 0 for any other kind. */
static inline int host_curl_address(const struct curl_sockaddr *address, unsigned char bytes[16]) {
  if (address->family == AF_INET6) {
    memcpy(bytes, &((const struct sockaddr_in6 *)(const void *)&address->addr)->sin6_addr, 16);
    return 1;
  }
  if (address->family != AF_INET) return 0;
  memset(bytes, 0, 10);
  memset(bytes + 10, 0xff, 2);
  memcpy(bytes + 12, &((const struct sockaddr_in *)(const void *)&address->addr)->sin_addr, 4);
  return 1;
}

/* What libcurl does itself without such a function. */
static inline curl_socket_t host_curl_open_socket(const struct curl_sockaddr *address) {
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

#endif
