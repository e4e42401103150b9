# How long a test waits for an event. To be sourced by a bash script. See test_patience.h.

# Seconds.
PATIENCE=$(($(sed -n 's/^#define TEST_PATIENCE_MS //p' "${BASH_SOURCE[0]%/*}/test_patience.h") / 1000))
# For a whole program that waits for many events, each with the deadline above; it only ends a program that hangs
# nevertheless.
PROGRAM_PATIENCE=$((10 * PATIENCE))

# eventually COMMAND...: repeats the command until it succeeds; fails if it never does.
eventually() {
  local end=$((SECONDS + PATIENCE))
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.05
  done
}
