#!/usr/bin/env bash
# .ci/fresh.sh and .ci/run leave nothing of an empty root behind when they are interrupted: no directory, no mount, no
# process.
#
#   Tests/Runner/interrupted.sh
#
# Needs what .ci/fresh.sh needs. On a machine where no empty root can be made it says so and passes.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
source Tests/ABI/report.sh
source Tests/Support/patience.sh
source .ci/fresh/root.sh

reason=$(root_impossible)
if [[ -n $reason ]]; then
  echo "# not interrupted: there can be no empty root: $reason"
  ok "a machine without empty roots says why: $reason"
  exit
fi
scratch=$(mktemp -d)
trap 'rm -rf --one-file-system "$scratch"' EXIT

# What runs in it has the directory in its arguments or mounts. The pattern does not match itself.
left() { grep -ls -e "${scratch%?}[${scratch: -1}]/" /proc/[0-9]*/mountinfo /proc/[0-9]*/cmdline; }
is_making() { grep -q '^Making an empty' "$scratch/out"; }
has_root() { [[ -n $(find "$scratch" -path '*/wallet-core-fresh.*/base/*' -print -quit) ]]; }

# interrupt SIGNAL COMMAND...
interrupt() {
  local signal=$1 name="$2: $1" pid status
  shift
  # An interrupt reaches only a process that does not ignore it, as the background processes of a shell do.
  TMPDIR=$scratch WALLET_CORE_CI_OUTSIDE=never python3 -c '
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$@" >"$scratch/out" 2>&1 </dev/null &
  pid=$!
  holds "$name: it begins" eventually is_making
  holds "$name: and makes a root" eventually has_root
  holds "$name: which is seen" test -n "$(left)"
  kill "-$signal" "$pid"
  wait "$pid"
  status=$?
  same "$name: it ends with the status that shells give it" $((128 + $(kill -l "$signal"))) "$status"
  same "$name: no directory is left" "" "$(find "$scratch" -mindepth 1 ! -name out)"
  same "$name: no mount and no process" "" "$(left)"
}

for signal in TERM INT; do
  interrupt "$signal" .ci/fresh.sh run
  interrupt "$signal" .ci/run
done
