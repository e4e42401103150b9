#!/usr/bin/env bash
# Tests what each binding of Sources/Bindings promises in addition to the library.
#
#   Tests/Bindings/run.sh PROVIDER_DIRECTORY BUILD_DIRECTORY [BINDING...]
#
# BINDING: python kotlin swift. The tests of the bindings run in parallel, each with its own provider. Prints a line
# per check.
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

# test_binding BINDING: all tests of one binding, with its own directory and provider. The lines go to the file
# `lines` in that directory.
test_binding() (
  export SCENARIO_SCRATCH=$scratch/$1
  mkdir "$SCENARIO_SCRATCH"
  exec >"$SCENARIO_SCRATCH/lines" 2>&1 </dev/null
  "$provider" start || exit
  "Tests/Bindings/$1/run.sh" "$build" "$SCENARIO_SCRATCH/configuration.json" "$SCENARIO_SCRATCH/state" ||
    not_ok "the tests succeed" "status $?"
  ok "all tests of the binding were run"
)

for binding in "${bindings[@]}"; do test_binding "$binding" & done
wait

for binding in "${bindings[@]}"; do
  tail -n 1 "$scratch/$binding/lines" | grep -q 'all tests of the binding' ||
    not_ok "$binding: all tests of the binding were run" "$(tail -n 30 "$scratch/$binding/lines")"
  sed "s/^\(not \)\?ok - /&$binding: /" "$scratch/$binding/lines"
done
