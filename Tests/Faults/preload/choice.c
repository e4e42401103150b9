/*
 * Which call fails: the NUMBERth of its name that the wallet makes, once in a process.
 *
 * FAULTS_FAIL      "pwrite 3 28", or "read 1 short": the name, the number, the errno
 * FAULTS_COUNTS    a file that receives how often each call was made, at the end of the process
 * FAULTS_STRUCK    a file that is made when the call fails
 */

#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"

#define CALL_NAME(name) #name,
static const char *const names[CALL_COUNT] = {CALLS(CALL_NAME)};

static atomic_long counts[CALL_COUNT];
static int chosen = -1, code, is_short;
static long number;

static const char *const wallet_libraries[] = {
    "libwallet_core", "libsqlite3", "libsodium", "libcurl"};

void *real_function(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (function == NULL) {
    abort();
  }
  return function;
}

int is_of_wallet(const void *caller) {
  Dl_info library;
  if (dladdr(caller, &library) == 0 || library.dli_fname == NULL) {
    return 0;
  }
  const char *slash = strrchr(library.dli_fname, '/');
  const char *file = slash != NULL ? slash + 1 : library.dli_fname;
  for (size_t i = 0; i < sizeof wallet_libraries / sizeof *wallet_libraries; i++) {
    if (strncmp(file, wallet_libraries[i], strlen(wallet_libraries[i])) == 0) {
      return 1;
    }
  }
  return 0;
}

/* The software keys of the host call libsodium too: such a call of libsodium counts as the wallet's. */
struct fault fault_of(enum call call, const void *caller) {
  const struct fault none = {0, 0};
  if (!is_of_wallet(caller)) {
    return none;
  }
  long count = atomic_fetch_add(&counts[call], 1) + 1;
  if ((int)call != chosen || count != number) {
    return none;
  }
  const char *struck = getenv("FAULTS_STRUCK");
  int file = struck != NULL ? REAL(open)(struck, O_CREAT | O_WRONLY, 0600) : -1;
  if (file >= 0) {
    REAL(close)(file);
  }
  return (struct fault){code, is_short};
}

size_t fault_count(struct fault fault, size_t count) {
  return fault.is_short && count > 1 ? count / 2 : count;
}

__attribute__((constructor)) static void choose(void) {
  const char *wish = getenv("FAULTS_FAIL");
  char name[32], how[32];
  if (wish == NULL || sscanf(wish, "%31s %ld %31s", name, &number, how) != 3) {
    return;
  }
  is_short = strcmp(how, "short") == 0;
  code = is_short ? 0 : atoi(how);
  for (int call = 0; call < CALL_COUNT; call++) {
    if (strcmp(names[call], name) == 0) {
      chosen = call;
    }
  }
}

__attribute__((destructor)) static void write_counts(void) {
  const char *path = getenv("FAULTS_COUNTS");
  int file = path != NULL ? REAL(open)(path, O_CREAT | O_WRONLY | O_TRUNC, 0600) : -1;
  if (file < 0) {
    return;
  }
  for (int call = 0; call < CALL_COUNT; call++) {
    dprintf(file, "%s %ld\n", names[call], atomic_load(&counts[call]));
  }
  REAL(close)(file);
}
