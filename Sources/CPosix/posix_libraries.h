/* Libraries that are loaded at run time. */
#ifndef WALLET_POSIX_LIBRARIES_H
#define WALLET_POSIX_LIBRARIES_H

#include <dlfcn.h>
#include <stddef.h>

/* Loads a library with all it needs, its symbols for nobody else; NULL where that fails. */
static inline void *wallet_library_open(const char *name) {
  return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

/* A symbol of the library or of those that it needs; NULL where there is none. */
static inline void *wallet_library_symbol(void *library, const char *name) {
  return dlsym(library, name);
}

#endif
