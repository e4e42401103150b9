/* Libraries that are loaded at run time. */
#ifndef WALLET_POSIX_LIBRARIES_H
#define WALLET_POSIX_LIBRARIES_H

#include <dlfcn.h>
#include <stddef.h>

/* Loads a library and its dependencies. Other libraries do not see its symbols. NULL on failure. */
static inline void *wallet_library_open(const char *name) {
  return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

/* A symbol of the library or of its dependencies; NULL if there is none. */
static inline void *wallet_library_symbol(void *library, const char *name) {
  return dlsym(library, name);
}

#endif
