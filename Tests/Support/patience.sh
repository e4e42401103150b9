# How long a test waits for an event. To be sourced by a bash script. test_patience.h says more.

# Seconds.
PATIENCE=$(($(sed -n 's/^#define TEST_PATIENCE_MS //p' "${BASH_SOURCE[0]%/*}/test_patience.h") / 1000))
# For a whole program that waits for many events, each with the deadline above: no more than what ends one
# that hangs all the same.
PROGRAM_PATIENCE=$((10 * PATIENCE))

# eventually COMMAND...: runs it again and again until it succeeds; fails if it never does.
eventually() {
  local end=$((SECONDS + PATIENCE))
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.05
  done
}
