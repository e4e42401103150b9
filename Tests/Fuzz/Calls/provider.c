#include "provider.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PROBLEM(status, kind)                                                                    \
  {                                                                                              \
    "HTTP/1.1 " #status " No\r\nContent-Type: application/problem+json\r\n",                     \
        "{\"type\":\"urn:wallet-provider:problem:" kind "\",\"title\":\"t\",\"status\":" #status \
        "}"                                                                                      \
  }
#define JSON "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

/* A head whose length follows from the body; without a body a whole answer, or what is none. */
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

/* Answers a request that came in one piece, and hangs up. */
static void *serve(void *unused) {
  for (;;) {
    char request[8192], text[1024];
    int connection = accept(listener, NULL, NULL);
    if (connection < 0) return unused;
    size_t chosen = atomic_load(&answer) % (sizeof answers / sizeof *answers);
    const char *body = answers[chosen].body;
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
}

void provider_open(const uint8_t *configuration, size_t length) {
  static const char before[] = "127.0.0.1:";
  const uint8_t *url = memmem(configuration, length, before, sizeof before - 1);
  pthread_t thread;
  int yes = 1;
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (url == NULL) return;
  place.sin_port = htons((uint16_t)strtoul((const char *)url + sizeof before - 1, NULL, 10));
  listener = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(listener, (struct sockaddr *)&place, sizeof place) != 0 || listen(listener, 8) != 0 ||
      pthread_create(&thread, NULL, serve, NULL) != 0) {
    perror("nobody answers in the provider's place");
    close(listener);
    return;
  }
  pthread_detach(thread);
}

void provider_answer(uint8_t number) {
  atomic_store(&answer, number);
}
