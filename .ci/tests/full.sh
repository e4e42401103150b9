#!/usr/bin/env bash
# What `make test-full` runs in addition to the tests: damaged licences and codes, fuzzers, every fault and
# power cut, the core under sanitizers, the C hosts under valgrind, the C headers for
# other systems, an empty system that is interrupted.
#
#   .ci/tests/full.sh PROVIDER_DIRECTORY BUILD_DIRECTORY PART
#
# PART is one of the functions below whose name begins with part_; .ci/tests/parts.py lists them. wallet_core
# is found by pkg-config. Prints a line per check.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
providers=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
part=$3
export TEST_PROVIDER=$providers/wallet-provider-testing
source Tests/ABI/report.sh
exec 3>&1 # for counts that are printed whether a check passes or not

core='WalletCoreTests|WalletSystemTests|WalletPlatformTests|WalletCryptoTests|WalletStorageTests'

# Each sanitizer has its own build of the core alone. Valgrind looks for leaks, below, because XCTest itself leaks.
#
#   sanitize SANITIZER TESTS [LOG]
sanitize() {
  local log=$build/${3:-$1}.log
  WALLET_CORE_ONLY=1 .ci/partial.sh test --sanitize="$1" --scratch-path ".build/$1" --filter "^($2)[./]" \
    >"$log" 2>&1 </dev/null || { grep -m 10 ' error: ' "$log"; tail -n 40 "$log" && return 1; }
  ! grep -E 'WARNING: ThreadSanitizer|ERROR: AddressSanitizer|^sample:' "$log"
}

# The C code in the core, which is the inline functions of its module maps, under the undefined behaviour
# sanitizer. Only Swift's Clang has an option for it.
undefined() {
  local module
  WALLET_CORE_ONLY=1 .ci/partial.sh test --scratch-path .build/undefined \
    -Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=all \
    -Xswiftc -Xclang-linker -Xswiftc -fsanitize=undefined \
    --filter '^(WalletCoreTests|WalletSystemTests|WalletPlatformTests|WalletStorageTests|WalletTransportTests)[./]' \
    >"$build/undefined.log" 2>&1 </dev/null || { tail -n 40 "$build/undefined.log" && return 1; }
  for module in WalletSystem WalletTransport WalletStorage; do
    (($(nm ".build/undefined/debug/$module.build/"*.o | grep -c __ubsan_handle) > 0)) || return 1
  done
}

# Whether the stress runs under the thread sanitizer had enough races and take-overs. Prints the counts.
enough_stress() {
  local races blocking take_overs
  races=$(awk '/^stress: [0-9]+ races/ && !/block/ { sum += $2 } END { print sum + 0 }' \
    "$build/thread.log")
  blocking=$(awk '/^stress: [0-9]+ races.*block/ { sum += $2 } END { print sum + 0 }' \
    "$build/thread.log")
  take_overs=$(awk '/^stress: [0-9]+ take-overs/ { sum += $2 } END { print sum + 0 }' \
    "$build/thread.log")
  echo "# under the thread sanitizer: $races races, $blocking with hosts that block," \
    "$take_overs take-overs during slow unlocks" >&3
  ((races >= 100000 && blocking >= 100000 && take_overs >= 1000))
}

# Licences and codes with every kind of damage, in a release build. Prints the counts and the seed, which is
# different each time.
#
#   damaged INPUTS NAME [OPTION...]    OPTION: of the build
damaged() {
  local inputs=$1 log=$build/damaged-$2.log scratch=.build/damaged-$2
  shift 2
  WALLET_CORE_READERS=1 WALLET_CORE_PROOFING_INPUTS=$inputs \
    WALLET_CORE_PROOFING_SEED=${WALLET_CORE_PROOFING_SEED:-$RANDOM$RANDOM} .ci/partial.sh test \
    --configuration release -Xswiftc -enable-testing --scratch-path "$scratch" "$@" \
    --filter '^WalletProofingTests[.](LicenceInputTests|LicencePropertyTests)/' \
    >"$log" 2>&1 </dev/null || { tail -n 40 "$log" && return 1; }
  grep -E '^(licences|enrolment codes): ' "$log" | sed 's/^/# /' >&3
  ! grep -E 'ERROR: AddressSanitizer|^sample:' "$log" &&
    (($(grep -cE "^(licences|enrolment codes): $inputs inputs" "$log") == 2))
}

# under NAME COMMAND...: puts NAME into each result line of the command.
under() {
  local name=$1
  shift
  "$@" | sed "s/^\(not \)\?ok - /&$name: /"
  return "${PIPESTATUS[0]}"
}

part_damaged() {
  holds "millions of damaged licences and codes" damaged "${WALLET_CORE_PROOFING_INPUTS:-5000000}" release
}

part_damaged_address() {
  ASAN_OPTIONS=detect_leaks=0 holds "damaged licences and codes under the address sanitizer" \
    damaged "${WALLET_CORE_PROOFING_ASAN_INPUTS:-200000}" address --sanitize address
}

part_fuzzers() { Tests/Fuzz/run.sh "${WALLET_CORE_FUZZ_SECONDS:-52}"; }

part_faults() {
  WALLET_CORE_FAULTS=${WALLET_CORE_FAULTS:-all} WALLET_CORE_POWER_CUTS=${WALLET_CORE_POWER_CUTS:-all} \
    Tests/Faults/run.sh "$providers" "$build"
}

part_hosts() {
  SCENARIOS=all ROUNDS=${WALLET_CORE_HOST_ROUNDS:-5000} under "all scenarios" Tests/Hosts/run.sh "$providers" "$build"
}

# Other seeds each time. Each result names its own.
part_calls() {
  local first=${WALLET_CORE_RANDOM_SEED:-$RANDOM} seed
  for seed in $((first)) $((first + 1)) $((first + 2)); do
    TIMEOUT=1200 under "seed $seed" Tests/Fuzz/replay.sh "$providers" "$build" \
      "${WALLET_CORE_RANDOM_PROGRAMS:-1000}" "$seed"
  done
}

part_valgrind() {
  local valgrind=(env "LD_LIBRARY_PATH=$build/lib/unstripped" valgrind --quiet --leak-check=full
    --show-leak-kinds=definite --errors-for-leak-kinds=definite --error-exitcode=9
    "--suppressions=$PWD/Tests/ABI/valgrind.suppressions")
  PROVIDERS=$providers BUILD=$build TIMEOUT=900 WRAPPER="${valgrind[*]}" \
    PROGRAMS="before_init arguments event_delivery rebind account" under valgrind Tests/ABI/programs.sh
  # Without the search for leaks: each program ends with a reset of the process, which leaves its core behind. Only the
  # testing library has such a reset.
  TIMEOUT=900 WRAPPER="${valgrind[*]} --leak-check=no" under valgrind Tests/Fuzz/replay.sh "$providers" "$build" 10
  WRAPPER="${valgrind[*]}" holds "valgrind: the demo" \
    Examples/C/demo.sh "$providers/wallet-provider" "$build/examples-valgrind" --verifier
}

part_memory() { Tests/Cluster/memory.sh "$providers/wallet-provider" "$providers/provider-load"; }

part_system() {
  Tests/System/run.sh "$build" x86_64-linux-musl aarch64-linux-musl aarch64-macos x86_64-macos
}

part_interrupted() { Tests/Runner/interrupted.sh; }

part_container() { Tests/Install/container.sh "$providers/wallet-provider"; }

part_address() { ASAN_OPTIONS=detect_leaks=0 holds "the core under the address sanitizer" sanitize address "$core"; }

part_undefined() { holds "the C within the core under the sanitizer for undefined behaviour" undefined; }

part_thread() {
  TSAN_OPTIONS=halt_on_error=0 WALLET_CORE_STRESS_ROUNDS=${WALLET_CORE_TSAN_ROUNDS:-15000} \
    WALLET_CORE_TAKE_OVERS=${WALLET_CORE_TAKE_OVERS:-1000} \
    holds "the core under the thread sanitizer" sanitize thread \
    "$core"'|WalletRuntimeTests|WalletConfigurationTests|WalletAccountTests|SystemTests\.(TakeOverTests|LifecycleSystemTests|ClockSystemTests|CalendarSystemTests|Flow[A-Za-z]*Tests|Proofing[A-Za-z]*Tests|BiometricPromptTests)'
  holds "the stress runs under the thread sanitizer were large enough" enough_stress
  # What each of the wallet's two threads does while the other works or waits.
  TSAN_OPTIONS=halt_on_error=0 holds "the two threads of the wallet under the thread sanitizer" sanitize thread \
    'SystemTests\.(RequestStressTests|RequestGateTests|PinChange(Interruption)?Tests|Local(Work|Flow)Tests|LockBesideDerivationTests|LapseDuringPromptTests|SetUpTakeOverTests|OwedReleaseTests)' \
    thread-two
}

part_hosts_address() { under "address sanitizer" .ci/sanitized-hosts.sh address "$providers" "$build"; }
part_hosts_thread() { under "thread sanitizer" .ci/sanitized-hosts.sh thread "$providers" "$build"; }

[[ $(type -t "part_$part") == function ]] || { echo "full.sh: there is no part $part" >&2 && exit 2; }
"part_$part" || echo "not ok - $part ended with status $?"
