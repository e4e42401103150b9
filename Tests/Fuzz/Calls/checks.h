/* What the header promises of every answer. A broken promise ends the process, for the fuzzer to see. */
#ifndef CHECKS_H
#define CHECKS_H

#include <wallet_core.h>

/* What host code a thread is inside of. */
enum inside { INSIDE_NOTHING, INSIDE_CALLBACK, INSIDE_BRIDGE };
extern _Thread_local enum inside inside;

/* Statuses that a comment lists; OK is in every list. */
#define ANSWERS(...) ((const int32_t[]){__VA_ARGS__, WALLET_CORE_OK})

/* Calls a function whose last parameter is the error. */
#define CALL(answers, function, ...) \
  check_answer(#function, function(__VA_ARGS__, error_slot()), answers)

_Noreturn void check_failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Where the next call on this thread may leave an error; now and then NULL. */
wallet_core_error **error_slot(void);

/* Takes an answer in, and the error of error_slot(). */
wallet_core_status check_answer(
    const char *function, wallet_core_status status, const int32_t *answers);

/* The same where no error was asked for. */
wallet_core_status check_status(
    const char *function, wallet_core_status status, const int32_t *answers);

/* How often each status was answered, in one line. */
void check_report(void);

/* A text of the library that no PIN may be in. */
void check_text(const char *where, const char *text);

/* All that an event says, which must fit together. */
void check_event(const wallet_core_event *event);

#endif
