/* Addresses and sockets. See posix_errors.h for what the functions return. */
#ifndef WALLET_POSIX_SOCKETS_H
#define WALLET_POSIX_SOCKETS_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Reads the 4 bytes of an IPv4 address; false if the text is not one. */
static inline bool wallet_address_read_ipv4(const char *text, uint8_t *bytes) {
  struct in_addr address;
  if (inet_pton(AF_INET, text, &address) != 1) return false;
  memcpy(bytes, &address, 4);
  return true;
}

/* Reads the 16 bytes of an IPv6 address; false if the text is not one. */
static inline bool wallet_address_read_ipv6(const char *text, uint8_t *bytes) {
  struct in6_addr address;
  if (inet_pton(AF_INET6, text, &address) != 1) return false;
  memcpy(bytes, &address, 16);
  return true;
}

/* Waits at most `milliseconds` until a socket can be read or, if `writes`, can be written.
 * Returns 1 if it can, and 0 if the time is up or a signal was delivered. */
static inline int wallet_socket_wait(int socket, bool writes, int32_t milliseconds) {
  struct pollfd descriptor;
  descriptor.fd = socket;
  descriptor.events = writes ? POLLIN | POLLOUT : POLLIN;
  descriptor.revents = 0;
  int ready = poll(&descriptor, 1, milliseconds);
  if (ready < 0) return errno == EINTR ? 0 : -errno;
  return ready > 0;
}

/* Sends a datagram to the Unix socket with a name of `length` bytes. A name that begins with a zero byte is
 * abstract. */
static inline int wallet_socket_send(
    const void *name, size_t length, const void *message, size_t size) {
  struct sockaddr_un address;
  memset(&address, 0, sizeof address);
  if (length == 0 || length >= sizeof address.sun_path) return ENAMETOOLONG;
#if defined(SOCK_CLOEXEC)
  int file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (file < 0) return errno;
#else
  int file = socket(AF_UNIX, SOCK_DGRAM, 0);
  if (file < 0) return errno;
  (void)fcntl(file, F_SETFD, FD_CLOEXEC);
#endif
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path, name, length);
  socklen_t whole = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
  ssize_t sent = sendto(file, message, size, 0, (const struct sockaddr *)&address, whole);
  int error = sent < 0 ? errno : 0;
  (void)close(file);
  return error;
}

#endif
