/* Functions of the C library that Swift's Glibc module does not export. */
#ifndef WALLET_POSIX_SHIM_H
#define WALLET_POSIX_SHIM_H

#include <pthread.h>

/* A GNU extension; the name has at most 15 bytes. */
extern int pthread_setname_np(pthread_t thread, const char *name);

#endif
