/*
 * Shared by the three parts of the preloaded library: the calls that can fail, the choice of the
 * one that does, and the record of changes.
 */
#ifndef CALLS_H
#define CALLS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The calls by their names on the command line; variants count as one: openat64 is an openat. The
   formatter has no stable form for such a list. */
/* clang-format off */
#define CALLS(X) \
  X(open) X(openat) X(close) X(fcntl) X(flock) X(stat) X(read) X(pread) X(write) X(pwrite) \
  X(fsync) X(fdatasync) X(ftruncate) X(rename) X(unlink) X(mkdir) X(mmap) X(mlock) \
  X(socket) X(socketpair) X(connect) X(send) X(recv) X(poll) X(getrandom) X(thread)
/* clang-format on */

#define CALL_NUMBER(name) CALL_##name,
enum call { CALLS(CALL_NUMBER) CALL_COUNT };

/* The outcome of one call. */
struct fault {
  int code;     /* the errno that it fails with, or 0 */
  int is_short; /* it does half of what it was asked for */
};

/* Counts a call of `caller`, a return address, and returns its outcome. Calls of the host itself are
   never counted. */
struct fault fault_of(enum call call, const void *caller);

/* The half of `count` that a short read or write does; at least one byte. */
size_t fault_count(struct fault fault, size_t count);

/* Whether the caller is the wallet: its library, or one of those that work for it. */
int is_of_wallet(const void *caller);

/* In POSIX dlsym() returns functions as object pointers, which ISO C does not allow. */
#pragma GCC diagnostic ignored "-Wpedantic"

/* The next definition of a function: that of the C library. */
void *real_function(const char *name);

#define REAL(name) ((__typeof__(&name))real_function(#name))
#define CALLER __builtin_return_address(0)

/* --- the record: these do nothing unless a record is requested ------------------------------------- */

/* No other change happens between these two, so that the record has the order of the changes. */
void record_begin(void);
void record_end(void);

/* Whether a name exists, looked up before a call that may make it. */
int record_is_there(int directory, const char *name);

void record_opened(int directory, const char *name, int file, int was_there, int flags);
void record_written(int file, const void *bytes, ssize_t count, off_t offset);
void record_truncated(int file, off_t length);
void record_synced(int file);
void record_renamed(int directory, const char *name, int new_directory, const char *new_name);
void record_unlinked(int directory, const char *name);
void record_linked(const char *name);
/* A shared writable mapping of a file cannot be recorded: it is recorded, and the replay refuses it. */
void record_mapped(int file);
/* The provider has answered: the recording program copies its state now. */
void record_answered(void);

#endif
