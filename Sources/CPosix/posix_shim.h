/* What the C library has and Swift's Glibc module does not show. */
#ifndef WALLET_POSIX_SHIM_H
#define WALLET_POSIX_SHIM_H

#include <pthread.h>

/* GNU; names a thread with at most 15 bytes. */
extern int pthread_setname_np(pthread_t thread, const char *name);

#endif
