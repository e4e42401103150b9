#!/usr/bin/env bash
# Fuzzes everything that the core reads from outside, under the address sanitizer.
#
#   Tests/Fuzz/run.sh SECONDS_EACH [TARGET...]
#
# Without TARGETs all of them. Prints a line per target; an input that breaks one is kept in
# build/fuzz, and the exit code is not zero.
set -uo pipefail
cd "$(dirname "$0")/../.."
seconds=$1
shift
build=$PWD/build/fuzz
scratch=.build/fuzz
mkdir -p "$build"

# Both in one flag at the end: of several the compiler takes the last, and SwiftPM orders its own by
# chance. Its own tells it that `main` is libFuzzer's.
WALLET_CORE_READERS=fuzz "${SWIFT:-swift}" build --configuration release --product wallet-fuzz \
  --sanitize fuzzer -Xswiftc -sanitize=fuzzer,address --scratch-path "$scratch" >"$build/build.log" 2>&1 </dev/null || {
  tail -n 40 "$build/build.log"
  echo 'not ok - the fuzzers build'
  exit 1
}

failed=0
(($#)) || set -- $(ls Tests/Fuzz/Corpus)
for target in "$@"; do
  found=$build/$target
  mkdir -p "$found"
  # The new inputs go to the first directory. The limit is for one that hangs; Swift's own backtraces
  # would wait for a debugger.
  SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 WALLET_CORE_FUZZ_TARGET=$target \
    timeout --signal KILL $((seconds + 120)) "$scratch/release/wallet-fuzz" \
    -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4200 -print_final_stats=1 \
    -dict=Tests/Fuzz/dictionary -artifact_prefix="$build/$target-" \
    "$found" "Tests/Fuzz/Corpus/$target" >"$build/$target.log" 2>&1 </dev/null
  status=$?
  executions=$(awk '/^stat::number_of_executed_units/ { print $2 }' "$build/$target.log")
  coverage=$(grep -oE 'cov: [0-9]+' "$build/$target.log" | tail -n 1)
  # Without coverage it was blind.
  if ((status == 0)) && [[ -n $executions && -n $coverage ]]; then
    echo "ok - fuzzing $target: $executions executions in ${seconds} s, $coverage"
  else
    tail -n 20 "$build/$target.log"
    echo "not ok - fuzzing $target"
    failed=1
  fi
done
exit $failed
