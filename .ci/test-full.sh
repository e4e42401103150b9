#!/usr/bin/env bash
# What `make test-full` runs after the tests: sanitizers over the core, valgrind over the C hosts.
#
#   .ci/test-full.sh WALLET_PROVIDER_TESTING BUILD_DIRECTORY
#
# wallet_core is found by pkg-config. Ends with a line that counts.
set -uo pipefail
cd "$(dirname "$0")/.."
provider=$1
build=$(cd "$2" && pwd)
export WALLET_PROVIDER_TESTING=$provider
source Tests/ABI/report.sh

# Each sanitizer has a build of its own. Leaks are valgrind's matter below: XCTest itself leaks.
sanitize() {
  "${SWIFT:-swift}" test --sanitize="$1" --scratch-path ".build/$1" \
    --filter '^(WalletCoreTests|WalletPlatformTests|WalletCryptoTests|WalletStorageTests)\.' \
    >"$build/$1.log" 2>&1 </dev/null || { tail -n 40 "$build/$1.log" && return 1; }
  ! grep -E 'WARNING: ThreadSanitizer|ERROR: AddressSanitizer' "$build/$1.log"
}

{
  ASAN_OPTIONS=detect_leaks=0 holds "the core under the address sanitizer" sanitize address
  TSAN_OPTIONS=halt_on_error=0 holds "the core under the thread sanitizer" sanitize thread

  valgrind=(valgrind --quiet --leak-check=full --show-leak-kinds=definite
    --errors-for-leak-kinds=definite --error-exitcode=9)
  PROVIDERS=$(dirname "$provider") BUILD=$build TIMEOUT=900 WRAPPER="${valgrind[*]}" \
    PROGRAMS="before_init arguments three_doors rebind account" Tests/ABI/programs.sh |
    sed 's/^\(not \)\?ok - /&valgrind: /'
  WRAPPER="${valgrind[*]}" holds "valgrind: the demo" \
    Examples/C/demo.sh "$provider" "$build/examples"
} | tee "$build/test-full.log"

passed=$(grep -c '^ok - ' "$build/test-full.log")
failed=$(grep -c '^not ok - ' "$build/test-full.log")
echo "sanitizers and valgrind: $passed passed, $failed failed"
((failed == 0 && passed > 0))
