#!/usr/bin/env bash
# Fuzzes everything in the core and the provider that parses untrusted input, and programs of calls (`abi`), under the
# address sanitizer.
#
#   Tests/Fuzz/run.sh SECONDS_EACH [TARGET...]
#
# Without TARGETs it runs all of them. Prints a line per target; an input that breaks one is stored in build/fuzz, and
# the exit code is not zero. `abi` needs build/lib and a wallet-provider, beside TEST_PROVIDER or in
# .build/debug. Tests/Fuzz/record.sh makes a table of the results.
set -uo pipefail
cd "$(dirname "$0")/../.."
seconds=$1
shift
(($#)) || set -- $(ls Tests/Fuzz/Corpus)
build=$PWD/build/fuzz
bin=.build/fuzz/release
providers=$(dirname "${TEST_PROVIDER:-.build/debug/wallet-provider-testing}")
mkdir -p "$build"
scratch=$(mktemp -d -p "$([[ -w /dev/shm ]] && echo /dev/shm || echo /tmp)")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# Both sanitizers in one flag at the end: the compiler uses the last of several flags, and SwiftPM orders its own
# randomly. SwiftPM's flag tells it that `main` is libFuzzer's.
build_fuzzer() {
  WALLET_CORE_READERS=fuzz .ci/partial.sh build --configuration release --product "$1" \
    --sanitize fuzzer -Xswiftc -sanitize=fuzzer,address -Xcc -fsanitize=address \
    --scratch-path .build/fuzz >"$build/build.log" 2>&1 </dev/null || {
    tail -n 40 "$build/build.log"
    echo "not ok - $1 builds"
    exit 1
  }
}

# fuzz TARGET PROGRAM OPTION...: the new inputs go to the first directory. The limit is for an input that hangs;
# Swift's own backtraces would wait for a debugger.
fuzz() {
  local target=$1 program=$2
  shift 2
  mkdir -p "$build/$target"
  SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 TMPDIR=$scratch \
    WALLET_CORE_FUZZ_TARGET=$target WALLET_CORE_FUZZ_WALLETS=$build/wallets \
    timeout --signal KILL $((seconds + 120)) "$bin/$program" \
    -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 "$@" \
    -artifact_prefix="$build/$target-" \
    "$build/$target" "Tests/Fuzz/Corpus/$target" >"$build/$target.log" 2>&1 </dev/null
}

failed=0
for target in "$@"; do
  if [[ $target == abi ]]; then
    build_fuzzer wallet-fuzz-calls
    Tests/Fuzz/wallet_fixture.sh "$providers" build/lib "$build/wallets" >"$build/wallet_fixture.log" 2>&1 </dev/null ||
      tail -n 20 "$build/wallet_fixture.log"
    # A program is slow; running all inputs of earlier runs again would take all the time of a short run.
    rm -rf "$build/abi"
    fuzz abi wallet-fuzz-calls -max_len=4000
  else
    program=wallet-fuzz
    options=(-dict=Tests/Fuzz/dictionary)
    case $target in
      wallet_provider_*) program=wallet-provider-fuzz ;;
      # What a short input makes is short, even if it is inflated.
      compact_* | certificate_chain | foreign_card | status_list | compressed)
        options=(-dict=Tests/Fuzz/dictionary_of_others -malloc_limit_mb=64)
        ;;
    esac
    build_fuzzer $program
    fuzz "$target" $program -max_len=4200 "${options[@]}"
  fi
  status=$?
  executions=$(awk '/^stat::number_of_executed_units/ { print $2 }' "$build/$target.log")
  coverage=$(grep -oE 'cov: [0-9]+' "$build/$target.log" | tail -n 1)
  # Without coverage feedback the run proves nothing.
  if ((status == 0)) && [[ -n $executions && -n $coverage ]]; then
    echo "ok - fuzzing $target: $executions executions in ${seconds} s, $coverage"
  else
    tail -n 20 "$build/$target.log"
    echo "not ok - fuzzing $target"
    failed=1
  fi
done
exit $failed
