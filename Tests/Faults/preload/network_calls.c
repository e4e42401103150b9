/* The calls on sockets, and the wallet's other system calls: random bytes and threads. */

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/random.h>
#include <sys/socket.h>

#include "calls.h"

#define FAIL_IF(fault)    \
  do {                    \
    if ((fault).code) {   \
      errno = fault.code; \
      return -1;          \
    }                     \
  } while (0)

int socket(int domain, int type, int protocol) {
  struct fault fault = fault_of(CALL_socket, CALLER);
  FAIL_IF(fault);
  return REAL(socket)(domain, type, protocol);
}

int socketpair(int domain, int type, int protocol, int sockets[2]) {
  struct fault fault = fault_of(CALL_socketpair, CALLER);
  FAIL_IF(fault);
  return REAL(socketpair)(domain, type, protocol, sockets);
}

int connect(int file, const struct sockaddr *address, socklen_t length) {
  struct fault fault = fault_of(CALL_connect, CALLER);
  FAIL_IF(fault);
  return REAL(connect)(file, address, length);
}

ssize_t send(int file, const void *bytes, size_t count, int flags) {
  struct fault fault = fault_of(CALL_send, CALLER);
  FAIL_IF(fault);
  return REAL(send)(file, bytes, fault_count(fault, count), flags);
}

ssize_t recv(int file, void *bytes, size_t count, int flags) {
  const void *caller = CALLER;
  struct fault fault = fault_of(CALL_recv, caller);
  FAIL_IF(fault);
  /* Half of a buffer may still hold the whole answer. */
  ssize_t done = REAL(recv)(file, bytes, fault.is_short && count > 16 ? 16 : count, flags);
  int reason = errno;
  if (done > 0 && is_of_wallet(caller)) record_answered();
  errno = reason;
  return done;
}

int poll(struct pollfd *files, nfds_t count, int milliseconds) {
  struct fault fault = fault_of(CALL_poll, CALLER);
  FAIL_IF(fault);
  return REAL(poll)(files, count, milliseconds);
}

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
  struct fault fault = fault_of(CALL_getrandom, CALLER);
  FAIL_IF(fault);
  return REAL(getrandom)(bytes, count, flags);
}

/* Returns its error as the result. */
int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  struct fault fault = fault_of(CALL_thread, CALLER);
  return fault.code ? fault.code : REAL(pthread_create)(thread, attributes, start, argument);
}
