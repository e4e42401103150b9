#!/usr/bin/env bash
# Makes a table of the last fuzzing runs from their logs: build/fuzz/record.md.
#
#   Tests/Fuzz/record.sh [SECONDS_EACH [TARGET...]]
#
# With SECONDS_EACH it fuzzes first, as Tests/Fuzz/run.sh does.
set -uo pipefail
cd "$(dirname "$0")/../.."
build=build/fuzz status=0
if (($#)); then Tests/Fuzz/run.sh "$@" || status=1; fi

row() {
  local log=$1 executions seconds coverage corpus broken
  executions=$(awk '/^stat::number_of_executed_units/ { print $2 }' "$log")
  seconds=$(sed -nE 's/^Done [0-9]+ runs in ([0-9]+) second.*/\1/p' "$log")
  coverage=$(grep -oE 'cov: [0-9]+' "$log" | tail -n 1)
  corpus=$(grep -oE 'corp: [0-9]+' "$log" | tail -n 1)
  broken=$(grep -c 'Test unit written to' "$log")
  echo "| $(basename "$log" .log) | ${seconds:-ended early} | ${executions:-?} |" \
    "${coverage#cov: } | ${corpus#corp: } | $broken |"
}

{
  echo '| target | seconds | executions | edges covered | inputs kept | broke something |'
  echo '|---|--:|--:|--:|--:|--:|'
  for target in Tests/Fuzz/Corpus/*; do
    log=$build/$(basename "$target").log
    if [[ -e $log ]]; then row "$log"; fi
  done
} | tee "$build/record.md"
exit $status
