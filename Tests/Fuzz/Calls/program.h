/*
 * A program: the calls of a host, as text that people can read and a fuzzer can change.
 *
 *     world 1 2 0 0               the state of the phone, of the network, what is left out beforehand, and
 *                                 whether a real provider answers, if there is one
 *     t0 set 0 1 0 0              thread t0 calls a function with four small numbers
 *     then t1 detach 0 0 0 0      the same on t1, once everything above has begun
 *     event lock 0 0 0 0          inside of the next callback
 *     bridge keep 0 0 0 0         inside of the next bridge function
 *     t0 damage 3 8 16 1          a stored file has changed before everything begins
 *     t0 await 0 3 0 0            until the client's requests have ended and three more events came
 *
 * Every number is valid everywhere, so that a changed program is still a program.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stddef.h>
#include <stdint.h>

enum place { PLACE_FIRST_THREAD = 0, PLACE_EVENT = 4, PLACE_BRIDGE = 5, PLACES = 6 };
enum { PROGRAM_THREADS = 4, PROGRAM_OPERATIONS = 64, PROGRAM_ARGUMENTS = 4 };
enum { PROGRAM_TEXT = 4096 }; /* long enough for all operations */

/* What the first line says. */
enum world { WORLD_WALLET, WORLD_NETWORK, WORLD_LEFT_OUT, WORLD_PROVIDER, WORLD_WORDS };

#define PROGRAM_FUNCTIONS(X)                   \
  X(INIT, "init")                              \
  X(BRIDGES, "bridges")                        \
  X(ATTACH, "attach")                          \
  X(DETACH, "detach")                          \
  X(ABANDON, "abandon")                        \
  X(SET, "set")                                \
  X(CLEAR, "clear")                            \
  X(NEXT, "next")                              \
  X(INTERRUPT, "interrupt")                    \
  X(FREE, "free")                              \
  X(REGISTER, "register")                      \
  X(UNLOCK, "unlock")                          \
  X(CHECK_PIN, "check-pin")                    \
  X(PIN_STATE, "pin-state")                    \
  X(CHANGE_PIN, "change-pin")                  \
  X(DECIDE_REPLACEMENT, "decide-replacement")  \
  X(ENABLE_BIOMETRICS, "enable-biometrics")    \
  X(DISABLE_BIOMETRICS, "disable-biometrics")  \
  X(UNLOCK_BIOMETRICS, "unlock-by-biometrics") \
  X(CARDS, "cards")                            \
  X(PRESENT, "present")                        \
  X(BEGIN_SHARING, "begin-sharing")            \
  X(CHOOSE_SHARING, "choose-sharing")          \
  X(CONFIRM_SHARING, "confirm-sharing")        \
  X(REFUSE_SHARING, "refuse-sharing")          \
  X(ACTIVITIES, "activities")                  \
  X(WIPE, "wipe")                              \
  X(REFRESH, "refresh")                        \
  X(CANCEL, "cancel")                          \
  X(LOCK, "lock")                              \
  X(LIFECYCLE, "lifecycle")                    \
  X(QUESTION, "question")                      \
  X(OPEN_APP, "open-app")                      \
  X(CHOOSE, "choose")                          \
  X(SCANNED, "scanned")                        \
  X(OPTION, "option")                          \
  X(REPLY, "reply")                            \
  X(KEEP, "keep")                              \
  X(CLOCK, "clock")                            \
  X(CALENDAR, "calendar")                      \
  X(NETWORK, "network")                        \
  X(DAMAGE, "damage")                          \
  X(ANSWER, "answer")                          \
  X(AWAIT, "await")                            \
  X(YIELD, "yield")

enum function {
#define AS_NUMBER(name, word) FUNCTION_##name,
  PROGRAM_FUNCTIONS(AS_NUMBER)
#undef AS_NUMBER
      FUNCTIONS
};

struct operation {
  uint8_t is_ordered, place, function;
  uint8_t arguments[PROGRAM_ARGUMENTS];
};

struct program {
  uint8_t world[WORLD_WORDS];
  size_t count;
  struct operation operations[PROGRAM_OPERATIONS];
};

/* Reads the valid lines and skips the rest. */
void program_read(struct program *program, const uint8_t *bytes, size_t length);

/* Writes the program; the length, 0 if it does not fit. */
size_t program_write(const struct program *program, char *text, size_t size);

#endif
