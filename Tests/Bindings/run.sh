#!/usr/bin/env bash
# Holds each binding of Sources/Bindings to what it promises beyond the library.
#
#   Tests/Bindings/run.sh PROVIDER_DIRECTORY BUILD_DIRECTORY [BINDING...]
#
# BINDING: python kotlin swift. Each has a provider of its own, and they run side by side. Prints a line per check.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
PROVIDERS=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
shift 2
source Tests/ABI/report.sh
bindings=("$@")
((${#bindings[@]})) || bindings=(python kotlin swift)

scratch=$(mktemp -d)
export PROVIDERS
provider=Tests/Scenarios/provider.sh
clean_up() {
  local pid
  for pid in "$scratch"/*/pid; do [[ ! -e $pid ]] || SCENARIO_SCRATCH=${pid%/pid} "$provider" stop; done
  rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# test_binding BINDING: in a directory and with a provider of its own; the lines go to the file `lines` there.
test_binding() (
  export SCENARIO_SCRATCH=$scratch/$1
  mkdir "$SCENARIO_SCRATCH"
  exec >"$SCENARIO_SCRATCH/lines" 2>&1 </dev/null
  "$provider" start || exit
  "Tests/Bindings/$1/run.sh" "$build" "$SCENARIO_SCRATCH/configuration.json" "$SCENARIO_SCRATCH/state" ||
    not_ok "the tests ended well" "status $?"
  ok "the tests came to their end"
)

for binding in "${bindings[@]}"; do test_binding "$binding" & done
wait

for binding in "${bindings[@]}"; do
  tail -n 1 "$scratch/$binding/lines" | grep -q 'came to their end' ||
    not_ok "$binding: the tests came to their end" "$(tail -n 30 "$scratch/$binding/lines")"
  sed "s/^\(not \)\?ok - /&$binding: /" "$scratch/$binding/lines"
done
