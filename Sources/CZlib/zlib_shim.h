/* zlib, with a wrapper for what Swift cannot call: a macro with a version and a size. */
#ifndef WALLET_ZLIB_SHIM_H
#define WALLET_ZLIB_SHIM_H

#include <zlib.h>

/* Prepares `stream`, which is zero, for the format of RFC 1950. */
static inline int wallet_zlib_start(z_stream *stream) {
  return inflateInit(stream);
}

#endif
