#include "provider.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define PROBLEM(status, kind)                                                                    \
  {                                                                                              \
    "HTTP/1.1 " #status " No\r\nContent-Type: application/problem+json\r\n",                     \
        "{\"type\":\"urn:wallet-provider:problem:" kind "\",\"title\":\"t\",\"status\":" #status \
        "}"                                                                                      \
  }
#define JSON "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

/* A head whose content length is computed from the body; without a body, a whole answer or an invalid one. */
static const struct {
  const char *head, *body;
} answers[] = {
    {"", NULL},
    {"HTTP/1.1 503 Busy\r\nRetry-After: 5\r\n", ""},
    {JSON, "{}"},
    PROBLEM(403, "challenge-refused"),
    PROBLEM(409, "challenge-used"),
    PROBLEM(401, "signature-invalid"),
    PROBLEM(400, "of another time"),
    {JSON,
     "{\"challenge\":\"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\",\"expires_in_ms\":60000}"},
    {JSON, "{\"result\":\"eyJhbGciOiJFZERTQSIsImtpZCI6ImsxIn0.e30.AAAA\"}"},
    {"HTTP/1.1 200 OK\r\nContent-Type: application/jwt\r\nETag: \"7\"\r\n", "eyJ.e30."},
    {"HTTP/1.1 304 Same\r\nETag: \"\xFF\"\r\n\r\n", NULL},
    {"HTTP/1.1 429 Slow\r\nRetry-After: 99999999999999999999\r\n", ""},
    {"HTTP/1.1 302 Away\r\nLocation: http://127.0.0.1:1/\r\n", ""},
    {"HTTP/1.1 200 OK\r\nContent-Length: 9999999999\r\n\r\n{", NULL},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n", NULL},
    {"not HTTP\n\n", NULL},
};

static atomic_uint answer;
static atomic_int is_relaying;
static int listener = -1;

/* --- a real provider ------------------------------------------------------------------------------ */

static unsigned real_port;

int provider_is_real(void) {
  return real_port != 0;
}

void provider_relay(int is_on) {
  atomic_store(&is_relaying, is_on && real_port != 0);
}

/* Receives the rest of a request of which `length` bytes came; the length of all. */
static size_t receive_rest(int connection, char *request, size_t length, size_t size) {
  const char *end = memmem(request, length, "\r\n\r\n", 4);
  const char *header = memmem(request, length, "Content-Length: ", 16);
  if (end == NULL || header == NULL) return length;
  size_t whole = (size_t)(end - request) + 4 + strtoul(header + 16, NULL, 10);
  while (length < whole && whole <= size) {
    ssize_t more = recv(connection, request + length, size - length, 0);
    if (more <= 0) break;
    length += (size_t)more;
  }
  return length;
}

/* Forwards a request, and the answer until the provider closes the connection, which it is asked to. */
static void relay(int connection, const char *request, size_t length) {
  static const char closing[] = "Connection: close\r\n";
  struct sockaddr_in place = {
      .sin_family = AF_INET,
      .sin_port = htons((uint16_t)real_port),
      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  const char *line = memmem(request, length, "\r\n", 2);
  int provider = socket(AF_INET, SOCK_STREAM, 0);
  if (line != NULL && connect(provider, (struct sockaddr *)&place, sizeof place) == 0) {
    size_t first = (size_t)(line - request) + 2;
    char bytes[4096];
    ssize_t count;
    (void)!send(provider, request, first, MSG_NOSIGNAL | MSG_MORE);
    (void)!send(provider, closing, sizeof closing - 1, MSG_NOSIGNAL | MSG_MORE);
    (void)!send(provider, request + first, length - first, MSG_NOSIGNAL);
    while ((count = recv(provider, bytes, sizeof bytes, 0)) > 0) {
      if (send(connection, bytes, (size_t)count, MSG_NOSIGNAL) != count) break;
    }
  }
  close(provider);
}

/* --- answers of its own --------------------------------------------------------------------------- */

/* Answers a request, and closes the connection. */
static void *serve(void *unused) {
  while (listener >= 0) {
    char request[1 << 16], text[1024];
    int connection = accept(listener, NULL, NULL);
    if (connection < 0) continue; /* a signal of the fuzzer's timer, say */
    size_t chosen = atomic_load(&answer) % (sizeof answers / sizeof *answers);
    const char *body = answers[chosen].body;
    /* A connection without data must not delay the next. */
    setsockopt(
        connection, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){0, 200000}, sizeof(struct timeval));
    int length = snprintf(text, sizeof text, "%s", answers[chosen].head);
    if (body != NULL) {
      length = snprintf(
          text, sizeof text, "%sContent-Length: %zu\r\n\r\n%s", answers[chosen].head, strlen(body),
          body);
    }
    ssize_t received = recv(connection, request, sizeof request, 0);
    if (received > 0 && atomic_load(&is_relaying)) {
      relay(
          connection, request, receive_rest(connection, request, (size_t)received, sizeof request));
    } else if (received > 0) {
      (void)!send(connection, text, (size_t)length, MSG_NOSIGNAL);
    }
    close(connection);
  }
  return unused;
}

/* The port; 0 if there is none. */
static unsigned listen_somewhere(void) {
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof place;
  pthread_t thread;
  listener = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&place, sizeof place) != 0 || listen(listener, 8) != 0 ||
      getsockname(listener, (struct sockaddr *)&place, &length) != 0 ||
      pthread_create(&thread, NULL, serve, NULL) != 0) {
    return 0;
  }
  pthread_detach(thread);
  return ntohs(place.sin_port);
}

size_t provider_open(uint8_t *configuration, size_t length, size_t size) {
  static const char before[] = "http://127.0.0.1:";
  uint8_t *url = memmem(configuration, length, before, sizeof before - 1);
  unsigned port = listen_somewhere();
  const char *real = getenv("WALLET_CORE_FUZZ_PROVIDER");
  real_port = real != NULL ? (unsigned)strtoul(real, NULL, 10) : 0;
  if (url == NULL || port == 0 || length + 8 > size) {
    fputs("cannot listen at the provider's address\n", stderr);
    exit(2);
  }
  char *digits = (char *)url + sizeof before - 1, *rest = digits, text[8];
  while (isdigit((unsigned char)*rest)) rest++;
  int count = snprintf(text, sizeof text, "%u", port);
  size_t behind = length - (size_t)((uint8_t *)rest - configuration);
  memmove(digits + count, rest, behind);
  memcpy(digits, text, (size_t)count);
  return length - (size_t)(rest - digits) + (size_t)count;
}

void provider_answer(uint8_t number) {
  atomic_store(&answer, number);
}
