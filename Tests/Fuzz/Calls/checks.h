/* Checks what the header promises of every answer. A broken promise ends the process, which the fuzzer detects. */
#ifndef CHECKS_H
#define CHECKS_H

#include <wallet_core.h>

/* The host code that a thread is running. */
enum inside { INSIDE_NOTHING, INSIDE_CALLBACK, INSIDE_BRIDGE };
extern _Thread_local enum inside inside;

/* Statuses that a comment lists; OK is in every list. */
#define ANSWERS(...) ((const int32_t[]){__VA_ARGS__, WALLET_CORE_OK})

/* Calls a function whose last parameter is the error. */
#define CALL(answers, function, ...) \
  check_answer(#function, function(__VA_ARGS__, error_slot()), answers)

_Noreturn void check_failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Where the next call on this thread may store an error; sometimes NULL. */
wallet_core_error **error_slot(void);

/* Checks an answer and the error in error_slot(). */
wallet_core_status check_answer(
    const char *function, wallet_core_status status, const int32_t *answers);

/* The same for a call without an error parameter. */
wallet_core_status check_status(
    const char *function, wallet_core_status status, const int32_t *answers);

/* How often each status was answered, in one line. */
void check_report(void);

/* Checks that a text of the library contains no PIN. */
void check_text(const char *where, const char *text);

/* Checks that all values of an event are consistent. */
void check_event(const wallet_core_event *event);

#endif
