/* The control of the testing provider, on its Unix socket. */

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "check.h"
#include "memory_stages.h"

int control(const char *path, const char *body, char *answer, size_t size) {
  const char *name = getenv("TEST_PROVIDER_CONTROL");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char text[512];
  if (name == NULL || strlen(name) >= sizeof address.sun_path) {
    printf("# TEST_PROVIDER_CONTROL names no socket\n");
    return 0;
  }
  strcpy(address.sun_path, name);
  int length = snprintf(
      text, sizeof text,
      "POST %s HTTP/1.1\r\nHost: control\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n%s",
      path, strlen(body), body);
  int connection = socket(AF_UNIX, SOCK_STREAM, 0);
  int good = connect(connection, (struct sockaddr *)&address, sizeof address) == 0 &&
             write(connection, text, (size_t)length) == length;
  size_t count = 0;
  for (ssize_t got = 1; good && got > 0 && count + 1 < size; count += got > 0 ? (size_t)got : 0) {
    got = read(connection, answer + count, size - 1 - count);
  }
  answer[count] = 0;
  close(connection);
  return good && strncmp(answer, "HTTP/1.1 200", 12) == 0;
}
