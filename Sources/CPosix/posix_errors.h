/*
 * Error numbers. Their values differ between systems, and each system has its own Swift module for
 * them.
 *
 * The functions of these headers return 0 or an error number, so that no other call can change errno before it
 * is read. Functions that return a descriptor or a count return a negative error number on failure.
 *
 * Where systems differ, each has its own branch. The tests compile the branches for glibc, musl and macOS; those
 * for Android and iOS have never been compiled.
 */
#ifndef WALLET_POSIX_ERRORS_H
#define WALLET_POSIX_ERRORS_H

#include <errno.h>
#include <string.h>

enum {
  wallet_error_no_such_file = ENOENT,
  wallet_error_file_exists = EEXIST,
  wallet_error_too_many_links = ELOOP,
  wallet_error_access_denied = EACCES,
  wallet_error_not_permitted = EPERM,
  wallet_error_read_only_file_system = EROFS,
  wallet_error_no_space = ENOSPC,
  wallet_error_quota_exceeded = EDQUOT,
  wallet_error_file_too_large = EFBIG,
  wallet_error_input_output = EIO,
  wallet_error_no_such_device = ENXIO,
  wallet_error_out_of_range = ERANGE,
  wallet_error_invalid_argument = EINVAL,
  wallet_error_would_block = EWOULDBLOCK,
  wallet_error_too_many_files = EMFILE,
  wallet_error_too_many_files_in_system = ENFILE,
  wallet_error_no_memory = ENOMEM,
  wallet_error_network_down = ENETDOWN,
  wallet_error_host_unreachable = EHOSTUNREACH,
  wallet_error_network_unreachable = ENETUNREACH,
  wallet_error_address_in_use = EADDRINUSE
};

/* The system's text for an error number. Valid until the next call on this thread. */
static inline const char *wallet_error_text(int code) {
  return strerror(code);
}

#endif
