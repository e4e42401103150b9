#!/usr/bin/env bash
# Tests what the comments of the Swift binding promise.
#
#   Tests/Bindings/swift/run.sh BUILD_DIRECTORY CONFIGURATION_FILE DIRECTORY
set -uo pipefail
cd "$(dirname "$0")/../../.." || exit
source Tests/ABI/report.sh
source Tests/Support/patience.sh
root=$PWD build=$(cd "$1" && pwd)
configuration=$2 directory=$3

source Tests/Support/swift_packages.sh
if ! output=$(compile promises 2>&1); then
  not_ok "the binding and its tests are built" "$output"
  exit
fi
timeout --kill-after=5 "$PROGRAM_PATIENCE" "$build/hosts/swift/promises" "$configuration" "$directory" "$PATIENCE"
same "promises made all its checks" "status 0" "status $?"
