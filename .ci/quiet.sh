#!/usr/bin/env bash
# Runs a command with much output and prints one line: its progress, and at the end how long it took.
#
#   .ci/quiet.sh LOG TITLE COMMAND...
#
# All output of the command goes to the file LOG. If it fails, the end of the log is shown, and the exit code is
# the command's. On a terminal the progress is shown live; elsewhere there is a line at the start and one at the
# end.
set -uo pipefail
log=$1 title=$2
shift 2
mkdir -p "$(dirname "$log")"
shown=$log
[[ $log != "$PWD"/* ]] || shown=${log#"$PWD"/}

# Before the command begins, so that a signal to this script always ends the command.
trap 'kill $(jobs -p) 2>/dev/null; wait; exit 130' INT
trap 'kill $(jobs -p) 2>/dev/null; wait; exit 143' TERM
"$@" >"$log" 2>&1 </dev/null &
pid=$!
where=
if [[ -t 1 ]]; then
  where=" (all of it in $shown)"
  while kill -0 "$pid" 2>/dev/null; do
    # SwiftPM says `[12/345]` before each of its steps.
    printf '\r\033[K%s ... %s' "$title" "$(tail -c 2000 "$log" | grep -oE '^\[[0-9]+/[0-9]+\]' | tail -n 1)"
    sleep 0.5
  done
  printf '\r\033[K'
else
  echo "$title ... (all of it in $shown)"
fi
wait "$pid"
status=$?
if ((status == 0)); then
  echo "$title: done in $SECONDS s$where"
else
  echo "$title: failed with status $status; errors and the end of $shown:" >&2
  grep -aE '(^|: )(fatal )?error: ' "$log" | sort -u | head -n 20 >&2
  tail -n 30 "$log" >&2
fi
exit "$status"
