#!/usr/bin/env bash
# Runs every test RUNS times beside four busy loops, so that tests that wait for a time instead of an event fail.
#
#   .ci/tests/loaded.sh RUNS PROVIDER_DIRECTORY BUILD_DIRECTORY [PART...]
#
# Each run appends a line to BUILD_DIRECTORY/loaded.log: when it ended, the commit, the seconds, the counts. A
# failed run leaves BUILD_DIRECTORY/loaded-TIME.log. At the end the script prints all lines of this commit,
# including those of earlier calls.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
runs=$1 providers=$2 build=$3
shift 3
log=$build/loaded.log

loops=()
trap 'kill "${loops[@]}" 2>/dev/null' EXIT
trap 'exit 130' INT TERM
for _ in 1 2 3 4; do
  while :; do :; done &
  loops+=($!)
done

commit=$(git rev-parse --short HEAD)
[[ -z $(git status --porcelain) ]] || commit+=+changes
status=0
for ((run = 0; run < runs; run++)); do
  SECONDS=0
  now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  if .ci/tests/run.py "$providers" "$build" "$@" >"$build/loaded-$now.log" 2>&1; then
    count=$(tail -n 1 "$build/loaded-$now.log")
    rm "$build/loaded-$now.log"
  else
    count="$(tail -n 1 "$build/loaded-$now.log"), see loaded-$now.log"
    status=1
  fi
  echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $commit $SECONDS s${*:+ of $*}: $count" >>"$log"
  tail -n 1 "$log"
done
echo "beside four busy loops:"
grep -F " $commit " "$log"
exit "$status"
