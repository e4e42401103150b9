#!/usr/bin/env bash
# .ci/fresh.sh leaves nothing behind when it is interrupted: no directory, no mount, no process.
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

for signal in TERM INT; do
  # An interrupt reaches only a process that does not ignore it, as the background processes of a shell do.
  TMPDIR=$scratch python3 -c '
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' .ci/fresh.sh run >"$scratch/out" 2>&1 </dev/null &
  pid=$!
  holds "$signal: it begins" eventually is_making
  holds "$signal: and makes a root" eventually has_root
  holds "$signal: which is seen" test -n "$(left)"
  kill "-$signal" "$pid"
  wait "$pid"
  status=$?
  same "$signal: it ends with the status that shells give it" $((128 + $(kill -l "$signal"))) "$status"
  same "$signal: no directory is left" "" "$(find "$scratch" -name 'wallet-core-fresh.*')"
  same "$signal: no mount and no process" "" "$(left)"
done
