#!/usr/bin/env bash
# Tests the Kotlin binding, with a running provider.
#
#   Tests/Bindings/kotlin/run.sh BUILD_DIRECTORY CONFIGURATION_FILE DIRECTORY
#
# Everything runs under -Xcheck:jni, and any output of it is a failure.
set -uo pipefail
cd "$(dirname "$0")/../../.." || exit
source Tests/ABI/report.sh
source Tests/Support/patience.sh
build=$1 configuration=$2 directory=$3
out=$(cd "$build" && pwd)/hosts/kotlin

if ! output=$(Tests/Hosts/kotlin/build.sh "$build" 2>&1); then
  not_ok "the binding and its tests are built" "$output"
  exit
fi
mkdir -p "$directory"
# Without the 10,000 iterations of a key file, as the player.
found=$(timeout "$PROGRAM_PATIENCE" java -XX:TieredStopAtLevel=1 -Xcheck:jni -Djava.library.path="$out" \
  "-Dtest.patience=$((PATIENCE * 1000))" \
  -Dkeystore.pkcs12.keyPbeIterationCount=1 -Dkeystore.pkcs12.macIterationCount=1 \
  -cp "$out/player.jar:$out/host/*:$out/host/lib/*" BindingTestsKt "$configuration" "$directory" 2>&1)
status=$?
grep -E '^(not )?ok - |^#' <<<"$found"
same "the tests of the binding succeed, without output of -Xcheck:jni" "status 0" \
  "$(echo "status $status"; grep -vE '^(not )?ok - |^#' <<<"$found")"
