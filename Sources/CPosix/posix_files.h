/* Files, directories and their descriptors. See posix_errors.h for what the functions return. */
#ifndef WALLET_POSIX_FILES_H
#define WALLET_POSIX_FILES_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Options for opening a file; 0 opens it for reading. */
enum {
  wallet_open_writing = 1,
  wallet_open_reading_and_writing = 2,
  wallet_open_creating = 4,
  /* With `creating`: fails if the file exists. */
  wallet_open_exclusively = 8,
  wallet_open_appending = 16,
  /* Fails if the path is not a directory. */
  wallet_open_directory = 32,
  /* Fails if the path is a symbolic link. */
  wallet_open_without_following = 64,
  /* Does not wait until the other end of a pipe is opened. */
  wallet_open_without_waiting = 128
};

/* Passed instead of a directory's descriptor: relative paths start at the working directory. */
enum { wallet_no_directory = -1 };

/* Opens a file and returns its descriptor. Programs that this process starts do not inherit it. */
static inline int wallet_file_open(int directory, const char *path, int options, uint32_t mode) {
  int flags = O_CLOEXEC;
  if (options & wallet_open_reading_and_writing) {
    flags |= O_RDWR;
  } else {
    flags |= options & wallet_open_writing ? O_WRONLY : O_RDONLY;
  }
  if (options & wallet_open_creating) flags |= O_CREAT;
  if (options & wallet_open_exclusively) flags |= O_EXCL;
  if (options & wallet_open_appending) flags |= O_APPEND;
  if (options & wallet_open_directory) flags |= O_DIRECTORY;
  if (options & wallet_open_without_following) flags |= O_NOFOLLOW;
  if (options & wallet_open_without_waiting) flags |= O_NONBLOCK;
  int file = directory == wallet_no_directory ? open(path, flags, (mode_t)mode)
                                              : openat(directory, path, flags, (mode_t)mode);
  return file < 0 ? -errno : file;
}

static inline void wallet_file_close(int file) {
  (void)close(file);
}

/* Returns the number of bytes read; 0 at the end of the file. */
static inline int64_t wallet_file_read(int file, void *bytes, size_t capacity) {
  ssize_t count;
  do {
    count = read(file, bytes, capacity);
  } while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : count;
}

/* Writes all bytes, in one call if the system accepts them at once. */
static inline int wallet_file_write(int file, const void *bytes, size_t count) {
  const char *rest = (const char *)bytes;
  while (count > 0) {
    ssize_t written = write(file, rest, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return EIO;
    rest += written;
    count -= (size_t)written;
  }
  return 0;
}

/* Reads at a place of the file. Returns the number of bytes read, which is less than wanted only at the end of the
 * file. */
static inline int64_t wallet_file_read_at(int file, void *bytes, size_t count, int64_t place) {
  char *rest = (char *)bytes;
  size_t left = count;
  while (left > 0) {
    ssize_t some = pread(file, rest, left, (off_t)place);
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) return -errno;
    if (some == 0) break;
    rest += some;
    place += some;
    left -= (size_t)some;
  }
  return (int64_t)(count - left);
}

/* Writes all bytes at a place of the file, in one call if the system accepts them at once. */
static inline int wallet_file_write_at(int file, const void *bytes, size_t count, int64_t place) {
  const char *rest = (const char *)bytes;
  while (count > 0) {
    ssize_t written = pwrite(file, rest, count, (off_t)place);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return EIO;
    rest += written;
    place += written;
    count -= (size_t)written;
  }
  return 0;
}

/* Flushes the content of a file, and of its status what is needed to read it. */
static inline int wallet_file_synchronise_content(int file) {
#if defined(__APPLE__)
  if (fcntl(file, F_FULLFSYNC) == 0) return 0;
  return fsync(file) == 0 ? 0 : errno;
#else
  return fdatasync(file) == 0 ? 0 : errno;
#endif
}

/* Flushes a file or directory to the disk, so that its content survives a power cut. */
static inline int wallet_file_synchronise(int file) {
#if defined(__APPLE__)
  /* On Apple's systems fsync leaves the data in the drive's cache, but some file systems support only fsync. */
  if (fcntl(file, F_FULLFSYNC) == 0) return 0;
#endif
  return fsync(file) == 0 ? 0 : errno;
}

static inline int wallet_file_set_mode(int file, uint32_t mode) {
  return fchmod(file, (mode_t)mode) == 0 ? 0 : errno;
}

/* Takes an exclusive lock on a file. If the lock is held elsewhere, waits for it or, unless
 * `waits`, returns EWOULDBLOCK. The lock is released when the descriptor and its duplicates are
 * closed. */
static inline int wallet_file_lock(int file, bool waits) {
  while (flock(file, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0) {
    if (!waits || errno != EINTR) return errno;
  }
  return 0;
}

/* The status of a file. */
typedef struct wallet_file_status {
  uint64_t inode;
  /* In bytes. */
  int64_t size;
  int64_t modified_seconds;
  int64_t modified_nanoseconds;
  /* The last change of the content or of this status. */
  int64_t changed_seconds;
  int64_t changed_nanoseconds;
  uint32_t owner;
  /* The nine permission bits. */
  uint32_t mode;
  bool is_regular;
  bool is_directory;
} wallet_file_status;

static inline wallet_file_status wallet_file_status_from(const struct stat *status) {
  wallet_file_status result;
  result.inode = (uint64_t)status->st_ino;
  result.size = (int64_t)status->st_size;
#if defined(__APPLE__)
  const struct timespec modified = status->st_mtimespec;
  const struct timespec changed = status->st_ctimespec;
#else
  const struct timespec modified = status->st_mtim;
  const struct timespec changed = status->st_ctim;
#endif
  result.modified_seconds = (int64_t)modified.tv_sec;
  result.modified_nanoseconds = (int64_t)modified.tv_nsec;
  result.changed_seconds = (int64_t)changed.tv_sec;
  result.changed_nanoseconds = (int64_t)changed.tv_nsec;
  result.owner = (uint32_t)status->st_uid;
  result.mode = (uint32_t)status->st_mode & 0777;
  result.is_regular = S_ISREG(status->st_mode);
  result.is_directory = S_ISDIR(status->st_mode);
  return result;
}

/* Reads the status of an open file. */
static inline int wallet_file_status_of(int file, wallet_file_status *result) {
  struct stat status;
  if (fstat(file, &status) != 0) return errno;
  *result = wallet_file_status_from(&status);
  return 0;
}

/* Reads the status of the file at a path, following symbolic links. */
static inline int wallet_file_status_at(const char *path, wallet_file_status *result) {
  struct stat status;
  if (stat(path, &status) != 0) return errno;
  *result = wallet_file_status_from(&status);
  return 0;
}

/* Reads the status of a name in a directory. A symbolic link is not followed. */
static inline int wallet_file_status_in(
    int directory, const char *name, wallet_file_status *result) {
  struct stat status;
  int from = directory == wallet_no_directory ? AT_FDCWD : directory;
  if (fstatat(from, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return errno;
  *result = wallet_file_status_from(&status);
  return 0;
}

/* Renames a file and replaces a file that has the new name; atomic. */
static inline int wallet_file_rename(int directory, const char *from, const char *to) {
  int status = directory == wallet_no_directory ? rename(from, to)
                                                : renameat(directory, from, directory, to);
  return status == 0 ? 0 : errno;
}

/* Adds a second name to a file; atomic. Fails if the name exists. */
static inline int wallet_file_link(const char *path, const char *second) {
  return link(path, second) == 0 ? 0 : errno;
}

static inline int wallet_file_delete(int directory, const char *path) {
  int status = directory == wallet_no_directory ? unlink(path) : unlinkat(directory, path, 0);
  return status == 0 ? 0 : errno;
}

static inline int wallet_directory_create(const char *path, uint32_t mode) {
  return mkdir(path, (mode_t)mode) == 0 ? 0 : errno;
}

/* Checks whether the process may read, write, or execute (for a directory: enter) what a path leads to. */
static inline int wallet_file_check_access(const char *path, bool reads, bool writes, bool enters) {
  int mode = (reads ? R_OK : 0) | (writes ? W_OK : 0) | (enters ? X_OK : 0);
  return access(path, mode) == 0 ? 0 : errno;
}

/* Writes the absolute path without symbolic links. The caller frees it with `wallet_file_free_path`. */
static inline int wallet_file_resolve(const char *path, char **result) {
  *result = realpath(path, NULL);
  return *result ? 0 : errno;
}

static inline void wallet_file_free_path(char *path) {
  free(path);
}

#endif
