/* C strings that a host passes. */
#ifndef WALLET_POSIX_TEXT_H
#define WALLET_POSIX_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The length of `text` in bytes, at most `limit`. Never reads more than `limit` bytes. */
static inline size_t wallet_text_length(const char *text, size_t limit) {
  return strnlen(text, limit);
}

/* Whether both texts have the same bytes. */
static inline bool wallet_text_equals(const char *left, const char *right) {
  return strcmp(left, right) == 0;
}

#endif
