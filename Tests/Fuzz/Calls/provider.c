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
static int listener = -1;

/* Answers a request that came in one piece, and closes the connection. */
static void *serve(void *unused) {
  while (listener >= 0) {
    char request[8192], text[1024];
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
    if (recv(connection, request, sizeof request, 0) > 0) {
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
