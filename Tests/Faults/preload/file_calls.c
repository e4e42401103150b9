/* The calls on files. Each fails if it is the chosen one, else is made, and recorded if it changes
   the disk. */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calls.h"

/* Returns from the function with the fault, if there is one. */
#define FAIL_IF(fault)    \
  do {                    \
    if ((fault).code) {   \
      errno = fault.code; \
      return -1;          \
    }                     \
  } while (0)

/* --- opening ------------------------------------------------------------------------------------ */

typedef int opener(int directory, const char *name, int flags, ...);

static int open_file(struct fault fault, int directory, const char *name, int flags, mode_t mode) {
  FAIL_IF(fault);
  record_begin();
  int was_there = record_is_there(directory, name);
  int file = REAL(openat)(directory, name, flags, mode);
  int reason = errno;
  record_opened(directory, name, file, was_there, flags);
  record_end();
  errno = reason;
  return file;
}

/* The mode is passed only if a file may be made. */
static mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(function)                                                          \
  int function(const char *name, int flags, ...) {                              \
    va_list arguments;                                                          \
    va_start(arguments, flags);                                                 \
    mode_t mode = mode_of(flags, arguments);                                    \
    va_end(arguments);                                                          \
    return open_file(fault_of(CALL_open, CALLER), AT_FDCWD, name, flags, mode); \
  }
#define OPENAT(function)                                                           \
  int function(int directory, const char *name, int flags, ...) {                  \
    va_list arguments;                                                             \
    va_start(arguments, flags);                                                    \
    mode_t mode = mode_of(flags, arguments);                                       \
    va_end(arguments);                                                             \
    return open_file(fault_of(CALL_openat, CALLER), directory, name, flags, mode); \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

/* Fails as on Linux: the descriptor is closed nevertheless. */
int close(int file) {
  struct fault fault = fault_of(CALL_close, CALLER);
  int status = REAL(close)(file);
  FAIL_IF(fault);
  return status;
}

#define FCNTL(function)                                \
  int function(int file, int command, ...) {           \
    va_list arguments;                                 \
    va_start(arguments, command);                      \
    void *argument = va_arg(arguments, void *);        \
    va_end(arguments);                                 \
    struct fault fault = fault_of(CALL_fcntl, CALLER); \
    FAIL_IF(fault);                                    \
    return REAL(fcntl)(file, command, argument);       \
  }
FCNTL(fcntl)
FCNTL(fcntl64)

int flock(int file, int operation) {
  struct fault fault = fault_of(CALL_flock, CALLER);
  FAIL_IF(fault);
  return REAL(flock)(file, operation);
}

#define STAT(function, parameters, arguments)         \
  int function parameters {                           \
    struct fault fault = fault_of(CALL_stat, CALLER); \
    FAIL_IF(fault);                                   \
    return REAL(function) arguments;                  \
  }
STAT(stat, (const char *restrict name, struct stat *restrict status), (name, status))
STAT(stat64, (const char *restrict name, struct stat64 *restrict status), (name, status))
STAT(lstat, (const char *restrict name, struct stat *restrict status), (name, status))
STAT(lstat64, (const char *restrict name, struct stat64 *restrict status), (name, status))
STAT(fstat, (int file, struct stat *status), (file, status))
STAT(fstat64, (int file, struct stat64 *status), (file, status))
STAT(
    fstatat, (int directory, const char *restrict name, struct stat *restrict status, int flags),
    (directory, name, status, flags))

/* --- reading and writing ------------------------------------------------------------------------ */

ssize_t read(int file, void *bytes, size_t count) {
  struct fault fault = fault_of(CALL_read, CALLER);
  FAIL_IF(fault);
  return REAL(read)(file, bytes, fault_count(fault, count));
}

#define PREAD(function, offset_type)                                          \
  ssize_t function(int file, void *bytes, size_t count, offset_type offset) { \
    struct fault fault = fault_of(CALL_pread, CALLER);                        \
    FAIL_IF(fault);                                                           \
    return REAL(pread)(file, bytes, fault_count(fault, count), offset);       \
  }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

ssize_t write(int file, const void *bytes, size_t count) {
  struct fault fault = fault_of(CALL_write, CALLER);
  FAIL_IF(fault);
  record_begin();
  off_t offset = lseek(file, 0, SEEK_CUR);
  ssize_t done = REAL(write)(file, bytes, fault_count(fault, count));
  int reason = errno;
  record_written(file, bytes, done, offset);
  record_end();
  errno = reason;
  return done;
}

static ssize_t write_at(
    struct fault fault, int file, const void *bytes, size_t count, off_t offset) {
  FAIL_IF(fault);
  record_begin();
  ssize_t done = REAL(pwrite)(file, bytes, fault_count(fault, count), offset);
  int reason = errno;
  record_written(file, bytes, done, offset);
  record_end();
  errno = reason;
  return done;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  return write_at(fault_of(CALL_pwrite, CALLER), file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  return write_at(fault_of(CALL_pwrite, CALLER), file, bytes, count, offset);
}

#define SYNC(function)                                      \
  int function(int file) {                                  \
    struct fault fault = fault_of(CALL_##function, CALLER); \
    FAIL_IF(fault);                                         \
    record_begin();                                         \
    int status = REAL(function)(file);                      \
    if (status == 0) record_synced(file);                   \
    record_end();                                           \
    return status;                                          \
  }
SYNC(fsync)
SYNC(fdatasync)

static int truncate_file(struct fault fault, int file, off_t length) {
  FAIL_IF(fault);
  record_begin();
  int status = REAL(ftruncate)(file, length);
  if (status == 0) record_truncated(file, length);
  record_end();
  return status;
}

int ftruncate(int file, off_t length) {
  return truncate_file(fault_of(CALL_ftruncate, CALLER), file, length);
}

int ftruncate64(int file, off64_t length) {
  return truncate_file(fault_of(CALL_ftruncate, CALLER), file, length);
}

/* --- names -------------------------------------------------------------------------------------- */

static int rename_file(
    struct fault fault, int directory, const char *name, int new_directory, const char *new_name) {
  FAIL_IF(fault);
  record_begin();
  int status = REAL(renameat)(directory, name, new_directory, new_name);
  if (status == 0) record_renamed(directory, name, new_directory, new_name);
  record_end();
  return status;
}

int rename(const char *name, const char *new_name) {
  return rename_file(fault_of(CALL_rename, CALLER), AT_FDCWD, name, AT_FDCWD, new_name);
}

int renameat(int directory, const char *name, int new_directory, const char *new_name) {
  return rename_file(fault_of(CALL_rename, CALLER), directory, name, new_directory, new_name);
}

static int unlink_file(struct fault fault, int directory, const char *name, int flags) {
  FAIL_IF(fault);
  record_begin();
  int status = REAL(unlinkat)(directory, name, flags);
  int reason = errno;
  if (status == 0) record_unlinked(directory, name);
  record_end();
  errno = reason;
  return status;
}

int unlink(const char *name) {
  return unlink_file(fault_of(CALL_unlink, CALLER), AT_FDCWD, name, 0);
}

int unlinkat(int directory, const char *name, int flags) {
  return unlink_file(fault_of(CALL_unlink, CALLER), directory, name, flags);
}

/* Only the host's key store makes links: a key is made. */
int link(const char *name, const char *new_name) {
  record_begin();
  int status = REAL(link)(name, new_name);
  int reason = errno;
  if (status == 0) record_linked(new_name);
  record_end();
  errno = reason;
  return status;
}

int mkdir(const char *name, mode_t mode) {
  struct fault fault = fault_of(CALL_mkdir, CALLER);
  FAIL_IF(fault);
  return REAL(mkdir)(name, mode);
}

/* --- memory ------------------------------------------------------------------------------------- */

static void *map_memory(
    struct fault fault, void *address, size_t length, int protection, int flags, int file,
    off_t offset) {
  if (fault.code) {
    errno = fault.code;
    return MAP_FAILED;
  }
  if (file >= 0 && (flags & MAP_SHARED) && (protection & PROT_WRITE)) record_mapped(file);
  return REAL(mmap)(address, length, protection, flags, file, offset);
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
  return map_memory(fault_of(CALL_mmap, CALLER), address, length, protection, flags, file, offset);
}

void *mmap64(void *address, size_t length, int protection, int flags, int file, off64_t offset) {
  return map_memory(fault_of(CALL_mmap, CALLER), address, length, protection, flags, file, offset);
}

int mlock(const void *address, size_t length) {
  struct fault fault = fault_of(CALL_mlock, CALLER);
  FAIL_IF(fault);
  return REAL(mlock)(address, length);
}
