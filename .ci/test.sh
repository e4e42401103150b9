#!/usr/bin/env bash
# Runs every test on what was built, and counts.
#
#   .ci/test.sh PROVIDER_DIRECTORY BUILD_DIRECTORY
#
# PROVIDER_DIRECTORY holds wallet-provider and wallet-provider-testing. The Swift tests were built
# before; wallet_core is found by pkg-config. The last line is "N passed, M failed"; the exit code is
# not zero if anything failed.
set -uo pipefail
cd "$(dirname "$0")/.."
providers=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)

export WALLET_PROVIDER=$providers/wallet-provider
export WALLET_PROVIDER_TESTING=$providers/wallet-provider-testing
export WALLET_CORE_LIBRARY=$build/lib/libwallet_core.so
export WALLET_CORE_TESTING_LIBRARY=$build/lib/libwallet_core_testing.so
export WALLET_CORE_EXCHANGES=$build/exchanges.json # for Tests/Interop, which takes none of another run
rm -f "$build"/{exchanges,issued,presented}.json

"${SWIFT:-swift}" test --skip-build 2>&1 </dev/null | tee "$build/swift-test.log"
swift_status=${PIPESTATUS[0]}
Tests/ABI/run.sh "$providers" "$build" 2>&1 </dev/null | tee "$build/abi-test.log"
abi_status=${PIPESTATUS[0]}

# XCTest and Swift Testing each have their own way to say it.
count() { grep -cE "$1" "$build/swift-test.log"; }
passed=$(($(count "^Test Case '.*' passed \(") + $(count "^[^ ]+ +Test [^r].* passed after ")))
failed=$(($(count "^Test Case '.*' failed \(") + $(count "^[^ ]+ +Test [^r].* failed after ")))
skipped=$(($(count "^Test Case '.*' skipped \(") + $(count "^[^ ]+ +Test .* skipped")))
if ((swift_status != 0 && failed == 0)); then
  echo "swift test ended with status $swift_status before it had run every test"
  failed=1
fi

abi_passed=$(grep -c '^ok - ' "$build/abi-test.log")
abi_failed=$(grep -c '^not ok - ' "$build/abi-test.log")
if ((abi_status != 0 && abi_failed == 0)); then
  echo "Tests/ABI/run.sh ended with status $abi_status before it had run every test"
  abi_failed=1
fi

echo
((failed + abi_failed == 0)) || grep -hE "^Test Case '.*' failed|^[^ ]+ +Test [^r].* failed after|^not ok" \
  "$build/swift-test.log" "$build/abi-test.log"
echo "Swift tests: $passed passed, $failed failed, $skipped skipped"
echo "C tests: $abi_passed passed, $abi_failed failed"
echo "$((passed + abi_passed)) passed, $((failed + abi_failed)) failed"
((failed + abi_failed == 0 && passed > 0 && abi_passed > 0))
