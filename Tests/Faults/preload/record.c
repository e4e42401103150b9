/*
 * The record of every change of the storage directory, in order, for disk.py.
 *
 * FAULTS_RECORD    the file that receives it
 * FAULTS_STORAGE   the storage directory; the key store is the directory that it lies in
 * FAULTS_ANSWERED  two descriptors "ASK ANSWER": a byte each way when the provider has answered
 *
 * Each change is a line; if it ends in a number of bytes, these follow. Files are named by
 * their inode, because a file keeps it when it is renamed.
 */

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calls.h"

enum { KEY_LONGEST = 4096 };

static int record = -1, ask = -1, answer = -1;
static char storage[PATH_MAX], keys[PATH_MAX];
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

void record_begin(void) {
  if (record >= 0) pthread_mutex_lock(&one_at_a_time);
}

void record_end(void) {
  if (record >= 0) pthread_mutex_unlock(&one_at_a_time);
}

static void put(const void *bytes, size_t length) {
  if (REAL(write)(record, bytes, length) != (ssize_t)length) abort();
}

__attribute__((format(printf, 1, 2))) static void line(const char *format, ...) {
  char text[PATH_MAX + 128];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text - 1, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= sizeof text - 1) abort();
  text[length] = '\n';
  put(text, (size_t)length + 1);
}

/* --- which files are recorded ---------------------------------------------------------------------- */

static void path_of(char path[PATH_MAX], int file) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length > 0 ? length : 0] = 0;
}

/* The whole path of a name in a directory that is open. */
static void full_path(char path[PATH_MAX], int directory, const char *name) {
  if (name[0] == '/' || directory == AT_FDCWD) {
    snprintf(path, PATH_MAX, "%s", name);
  } else {
    path_of(path, directory);
    size_t length = strlen(path);
    snprintf(path + length, PATH_MAX - length, "/%s", name);
  }
}

/* The plain name of a path directly in `directory`; NULL for others. */
static const char *name_in(const char *directory, const char *path) {
  size_t length = strlen(directory);
  if (strncmp(path, directory, length) != 0 || path[length] != '/') return NULL;
  return strchr(path + length + 1, '/') == NULL ? path + length + 1 : NULL;
}

static int is_key(const char *name) {
  size_t length = name != NULL ? strlen(name) : 0;
  return length > 4 && strcmp(name + length - 4, ".key") == 0;
}

/* The inode of a file in the storage directory; 0 for other files. */
static unsigned long inode_in_storage(int file) {
  char path[PATH_MAX];
  struct stat status;
  path_of(path, file);
  return name_in(storage, path) != NULL && REAL(fstat)(file, &status) == 0 ? status.st_ino : 0;
}

/* --- changes ------------------------------------------------------------------------------ */

int record_is_there(int directory, const char *name) {
  struct stat status;
  return record >= 0 && REAL(fstatat)(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

void record_opened(int directory, const char *name, int file, int was_there, int flags) {
  char path[PATH_MAX];
  struct stat status;
  if (record < 0 || file < 0 || !(flags & (O_CREAT | O_TRUNC))) return;
  full_path(path, directory, name);
  const char *short_name = name_in(storage, path);
  if (short_name == NULL || REAL(fstat)(file, &status) != 0) return;
  if (!was_there) {
    line("create %lu %s", (unsigned long)status.st_ino, short_name);
  } else if (flags & O_TRUNC) {
    line("truncate %lu 0", (unsigned long)status.st_ino);
  }
}

void record_written(int file, const void *bytes, ssize_t count, off_t offset) {
  unsigned long inode = record >= 0 && count > 0 ? inode_in_storage(file) : 0;
  if (inode == 0) return;
  line("write %lu %lld %zd", inode, (long long)offset, count);
  put(bytes, (size_t)count);
}

void record_truncated(int file, off_t length) {
  unsigned long inode = record >= 0 ? inode_in_storage(file) : 0;
  if (inode != 0) line("truncate %lu %lld", inode, (long long)length);
}

void record_synced(int file) {
  char path[PATH_MAX];
  if (record < 0) return;
  path_of(path, file);
  if (strcmp(path, storage) == 0) {
    line("sync-directory");
  } else {
    unsigned long inode = inode_in_storage(file);
    if (inode != 0) line("sync %lu", inode);
  }
}

void record_renamed(int directory, const char *name, int new_directory, const char *new_name) {
  char path[PATH_MAX], new_path[PATH_MAX];
  if (record < 0) return;
  full_path(path, directory, name);
  full_path(new_path, new_directory, new_name);
  const char *from = name_in(storage, path), *to = name_in(storage, new_path);
  if (from != NULL && to != NULL) line("rename %s %s", from, to);
}

void record_unlinked(int directory, const char *name) {
  char path[PATH_MAX];
  if (record < 0) return;
  full_path(path, directory, name);
  const char *key = name_in(keys, path), *file = name_in(storage, path);
  if (is_key(key)) {
    line("no-key %s", key);
  } else if (file != NULL) {
    line("unlink %s", file);
  }
}

void record_linked(const char *name) {
  const char *key = record >= 0 ? name_in(keys, name) : NULL;
  uint8_t bytes[KEY_LONGEST];
  if (!is_key(key)) return;
  int file = REAL(open)(name, O_RDONLY | O_CLOEXEC);
  ssize_t count = REAL(read)(file, bytes, sizeof bytes);
  REAL(close)(file);
  if (count <= 0) abort();
  line("key %s %zd", key, count);
  put(bytes, (size_t)count);
}

void record_mapped(int file) {
  record_begin();
  if (record >= 0 && inode_in_storage(file) != 0) line("mapped");
  record_end();
}

void record_answered(void) {
  char byte = 'a';
  if (record < 0 || ask < 0) return;
  record_begin();
  if (REAL(write)(ask, &byte, 1) != 1 || REAL(read)(answer, &byte, 1) != 1) abort();
  line("answered");
  record_end();
}

/* For the host: what it was asked and what it has been told, so that the record knows what was
   acknowledged when. */
void faults_mark(const char *text);

void faults_mark(const char *text) {
  record_begin();
  if (record >= 0) line("mark %s", text);
  record_end();
}

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAULTS_RECORD"), *directory = getenv("FAULTS_STORAGE");
  const char *descriptors = getenv("FAULTS_ANSWERED");
  if (path == NULL || directory == NULL) return;
  snprintf(storage, sizeof storage, "%s", directory);
  snprintf(keys, sizeof keys, "%s", directory);
  *strrchr(keys, '/') = 0;
  if (descriptors != NULL) sscanf(descriptors, "%d %d", &ask, &answer);
  record = REAL(open)(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
}
