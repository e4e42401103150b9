// SPDX-License-Identifier: Apache-2.0
#include "http_transfer.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#include "http_address.h"

/* What came of a request. */
typedef struct answer {
  http_transfer *transfer;
  int was_refused; /* an address */
  int is_too_large;
  int has_whole_head;
  size_t header_bytes;
  size_t header_count;
  wallet_core_http_header headers[512];
  uint8_t *body;
  size_t body_length;
} answer;

static char *copy(const char *text) {
  return text != NULL ? strdup(text) : NULL;
}

void http_transfer_free(http_transfer *transfer) {
  wallet_core_http_request *request = &transfer->request;
  for (size_t i = 0; request->headers != NULL && i < request->header_count; i++) {
    free((char *)request->headers[i].name);
    free((char *)request->headers[i].value);
  }
  if (request->body != NULL) wallet_core_memzero((void *)request->body, request->body_length);
  free((void *)request->headers);
  free((void *)request->body);
  free((char *)request->method);
  free((char *)request->url);
  free((char *)request->certificate_authorities);
  free(transfer);
}

http_transfer *http_transfer_new(uint64_t call, const wallet_core_http_request *request) {
  http_transfer *transfer = calloc(1, sizeof *transfer);
  wallet_core_http_header *headers = calloc(request->header_count + 1, sizeof *headers);
  uint8_t *body = malloc(request->body_length + 1);
  int is_whole = 1;
  if (transfer == NULL || headers == NULL || body == NULL) {
    free(transfer), free(headers), free(body);
    return NULL;
  }
  transfer->call = call;
  transfer->request = *request;
  transfer->request.method = copy(request->method);
  transfer->request.url = copy(request->url);
  transfer->request.certificate_authorities = copy(request->certificate_authorities);
  transfer->request.headers = headers;
  transfer->request.body = body;
  if (request->body_length > 0) memcpy(body, request->body, request->body_length);
  for (size_t i = 0; i < request->header_count; i++) {
    headers[i].name = copy(request->headers[i].name);
    headers[i].value = copy(request->headers[i].value);
    is_whole &= headers[i].name != NULL && headers[i].value != NULL;
  }
  is_whole &= transfer->request.method != NULL && transfer->request.url != NULL;
  is_whole &=
      request->certificate_authorities == NULL || transfer->request.certificate_authorities != NULL;
  if (is_whole) return transfer;
  http_transfer_free(transfer);
  return NULL;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
  answer *it = context;
  size_t length = size * count;
  uint8_t *longer;
  it->is_too_large = length > it->transfer->request.largest_body - it->body_length;
  if (it->is_too_large || length == 0) return 0;
  longer = realloc(it->body, it->body_length + length);
  if (longer == NULL) return 0;
  memcpy(longer + it->body_length, bytes, length);
  it->body = longer;
  it->body_length += length;
  return length;
}

static void forget_headers(answer *it) {
  while (it->header_count > 0) free((char *)it->headers[--it->header_count].name);
}

/* Keeps name and value in one block of memory. */
static int keep_header(answer *it, const char *line, size_t length) {
  const char *colon = memchr(line, ':', length);
  char *text, *value;
  if (colon == NULL) return 1;
  if (it->header_count == sizeof it->headers / sizeof *it->headers) return 0;
  text = malloc(length + 1);
  if (text == NULL) return 0;
  memcpy(text, line, length);
  text[length] = 0;
  value = text + (colon - line);
  *value++ = 0;
  value += strspn(value, " \t");
  for (length = strlen(value); length > 0 && strchr(" \t\r\n", value[length - 1]); length--) {
    value[length - 1] = 0;
  }
  it->headers[it->header_count++] = (wallet_core_http_header){text, value};
  return 1;
}

static size_t on_header(char *line, size_t size, size_t count, void *context) {
  answer *it = context;
  size_t length = size * count;
  it->header_bytes += length;
  it->is_too_large = it->header_bytes > it->transfer->request.largest_headers;
  if (it->is_too_large) return 0;
  if (length >= 5 && memcmp(line, "HTTP/", 5) == 0) {
    /* Those of an interim answer do not belong to the answer. */
    forget_headers(it);
    it->has_whole_head = 0;
    return length;
  }
  /* libcurl itself takes headers that end with the connection for whole ones. */
  if (length == 2 && memcmp(line, "\r\n", 2) == 0) it->has_whole_head = 1;
  return keep_header(it, line, length) ? length : 0;
}

/* Asked for every connection, so that a name cannot lead elsewhere when it is looked up again. An
 * address that is refused is passed over: the name may have others. */
static curl_socket_t on_socket(void *context, curlsocktype purpose, struct curl_sockaddr *to) {
  answer *it = context;
  (void)purpose;
  if (!http_address_is_allowed(&to->addr, it->transfer->request.reach)) {
    it->was_refused = 1;
    return CURL_SOCKET_BAD;
  }
  return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

static int on_progress(
    void *context, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up) {
  (void)total, (void)now, (void)up_total, (void)up;
  return atomic_load(&((answer *)context)->transfer->is_cancelled);
}

static int add_line(
    struct curl_slist **list, const char *name, const char *mark, const char *value) {
  char line[8192];
  struct curl_slist *longer = NULL;
  int length = snprintf(line, sizeof line, "%s%s%s", name, mark, value);
  if (length > 0 && (size_t)length < sizeof line) longer = curl_slist_append(*list, line);
  if (longer != NULL) *list = longer;
  return longer != NULL;
}

/* The lines of the request and no others: libcurl adds some by itself unless they are there, empty. */
static int add_headers(struct curl_slist **list, const wallet_core_http_request *request) {
  int is_whole = add_line(list, "Expect", ":", ""), has_type = 0, has_accept = 0;
  for (size_t i = 0; i < request->header_count; i++) {
    const wallet_core_http_header *header = &request->headers[i];
    int is_empty = *header->value == 0;
    is_whole &= add_line(list, header->name, is_empty ? ";" : ": ", header->value);
    has_type |= curl_strequal(header->name, "content-type");
    has_accept |= curl_strequal(header->name, "accept");
  }
  if (!has_type) is_whole &= add_line(list, "Content-Type", ":", "");
  if (!has_accept) is_whole &= add_line(list, "Accept", ":", "");
  return is_whole;
}

/* Returns 0 if one of the rules could not be set: then nothing may be sent. */
static int set_up(CURL *curl, answer *it, struct curl_slist *headers) {
  const wallet_core_http_request *request = &it->transfer->request;
  int is_set = 1;
#define SET(option, value) is_set &= curl_easy_setopt(curl, option, value) == CURLE_OK
  SET(CURLOPT_URL, request->url);
  SET(CURLOPT_PATH_AS_IS, 1L);
  SET(CURLOPT_PROTOCOLS_STR, "http,https");
  SET(CURLOPT_FOLLOWLOCATION, 0L);
  SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  SET(CURLOPT_NOSIGNAL, 1L);
  SET(CURLOPT_CONNECTTIMEOUT_MS, (long)request->connect_timeout_ms);
  SET(CURLOPT_TIMEOUT_MS, (long)request->timeout_ms);
  SET(CURLOPT_HTTPHEADER, headers);
#if LIBCURL_VERSION_NUM >= 0x075700
  SET(CURLOPT_QUICK_EXIT, 1L);
#endif
  if (strcmp(request->method, "POST") == 0) {
    SET(CURLOPT_POST, 1L);
    SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
    SET(CURLOPT_POSTFIELDS, (const char *)request->body);
  }
  SET(CURLOPT_SSLVERSION,
      (long)(request->oldest_tls == WALLET_CORE_TLS_1_3 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2));
  if (request->certificate_authorities != NULL) {
    struct curl_blob authorities = {
        (void *)request->certificate_authorities, strlen(request->certificate_authorities),
        CURL_BLOB_COPY};
    /* Without these lines the system's authorities are trusted besides. */
    SET(CURLOPT_CAINFO, NULL);
    SET(CURLOPT_CAPATH, NULL);
    SET(CURLOPT_CAINFO_BLOB, &authorities);
  }
  if (request->reach != WALLET_CORE_HTTP_REACH_ANY) {
    SET(CURLOPT_NOPROXY, "*");
    SET(CURLOPT_OPENSOCKETFUNCTION, on_socket);
    SET(CURLOPT_OPENSOCKETDATA, it);
  }
  SET(CURLOPT_WRITEFUNCTION, on_body);
  SET(CURLOPT_WRITEDATA, it);
  SET(CURLOPT_HEADERFUNCTION, on_header);
  SET(CURLOPT_HEADERDATA, it);
  SET(CURLOPT_NOPROGRESS, 0L);
  SET(CURLOPT_XFERINFOFUNCTION, on_progress);
  SET(CURLOPT_XFERINFODATA, it);
#undef SET
  return is_set;
}

static wallet_core_http_outcome outcome(const answer *it, CURLcode code) {
  if (it->is_too_large) return WALLET_CORE_HTTP_TOO_LARGE;
  switch (code) {
    case CURLE_OK:
      return it->has_whole_head ? WALLET_CORE_HTTP_ANSWERED : WALLET_CORE_HTTP_INCOMPLETE;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return WALLET_CORE_HTTP_NO_NETWORK;
    case CURLE_COULDNT_CONNECT:
      return it->was_refused ? WALLET_CORE_HTTP_ADDRESS_REFUSED : WALLET_CORE_HTTP_NOT_CONNECTED;
    case CURLE_OPERATION_TIMEDOUT:
      return WALLET_CORE_HTTP_TIMED_OUT;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
      return WALLET_CORE_HTTP_TLS_REFUSED;
    default:
      return WALLET_CORE_HTTP_INCOMPLETE;
  }
}

static void reply(answer *it, CURL *curl, CURLcode code) {
  long status = 0, sent = 0, redirects = 0;
  char *address = NULL, *url = NULL;
  wallet_core_http_response response = {.struct_size = sizeof response};
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(curl, CURLINFO_REQUEST_SIZE, &sent);
  curl_easy_getinfo(curl, CURLINFO_PRIMARY_IP, &address);
  curl_easy_getinfo(curl, CURLINFO_REDIRECT_COUNT, &redirects);
  curl_easy_getinfo(curl, CURLINFO_EFFECTIVE_URL, &url);
  response.outcome = outcome(it, code);
  response.was_sent = sent > 0;
  response.http_status = (int32_t)status;
  response.headers = it->headers;
  response.header_count = it->header_count;
  response.body = it->body;
  response.body_length = it->body_length;
  /* libcurl adds a path to a URL that has none, and the wallet wants its own, byte for byte. */
  response.url = redirects > 0 ? url : it->transfer->request.url;
  response.remote_address = address;
  response.message = curl_easy_strerror(code);
  wallet_core_http_reply(it->transfer->call, &response);
}

void http_transfer_run(http_transfer *transfer) {
  answer it = {.transfer = transfer};
  struct curl_slist *headers = NULL;
  CURL *curl = curl_easy_init();
  if (atomic_load(&transfer->is_cancelled) || curl == NULL ||
      !add_headers(&headers, &transfer->request) || !set_up(curl, &it, headers)) {
    wallet_core_http_response response = {.struct_size = sizeof response};
    response.outcome = WALLET_CORE_HTTP_INCOMPLETE;
    response.message = "it was cancelled, or libcurl refused it";
    wallet_core_http_reply(transfer->call, &response);
  } else {
    reply(&it, curl, curl_easy_perform(curl));
  }
  curl_easy_cleanup(curl);
  curl_slist_free_all(headers);
  forget_headers(&it);
  free(it.body);
}
