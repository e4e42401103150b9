#!/usr/bin/env bash
# Runs the C hosts and all scenarios under a sanitizer that covers both host and library.
#
#   .ci/sanitized-hosts.sh address|thread PROVIDER_DIRECTORY BUILD_DIRECTORY
#
# The address sanitizer also finds leaks. A finding ends a program with a special status, which makes its line
# `not ok`.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
sanitizer=$1 providers=$(cd "$2" && pwd)
mkdir -p "$3/$sanitizer-sanitizer"
build=$(cd "$3/$sanitizer-sanitizer" && pwd)
source Tests/ABI/report.sh

mkdir -p "$build/lib/pkgconfig"
for product in wallet_core wallet_core_testing; do
  if ! output=$(WALLET_CORE_ONLY=1 .ci/partial.sh build --sanitize="$sanitizer" \
    --scratch-path ".build/$sanitizer" --product "$product" 2>&1 </dev/null); then
    not_ok "$product builds under the $sanitizer sanitizer" "$(tail -n 40 <<<"$output")"
    exit 1
  fi
  cp ".build/$sanitizer/debug/lib$product.so" "$build/lib/"
done
printf '%s\n' "libdir=$build/lib" "includedir=$PWD/Include" 'Name: wallet_core' \
  "Description: the core under the $sanitizer sanitizer" 'Version: 0' 'Libs: -L${libdir} -lwallet_core' \
  'Cflags: -I${includedir}' >"$build/lib/pkgconfig/wallet_core.pc"
flags="-fsanitize=$sanitizer"
# Swift's thread sanitizer handles libdispatch queues, and so needs that library.
if [[ $sanitizer == thread ]]; then
  runtime=$(dirname "$(clang -print-resource-dir)")/../swift/linux
  flags+=" -Wno-unused-command-line-argument -L$runtime -ldispatch -lBlocksRuntime -Wl,-rpath,$runtime"
fi
printf '#!/bin/sh\nexec clang %s "$@"\n' "$flags" >"$build/cc"
chmod +x "$build/cc"

export CC=$build/cc PKG_CONFIG_PATH=$build/lib/pkgconfig BUILD=$build PROVIDERS=$providers TIMEOUT=600
export TSAN_OPTIONS=halt_on_error=0
# Swift stores the kind of a text, of a card's value, of an event's content and of Foundation's bytes in the pointer
# to it, which the sanitizer then does not recognise as a pointer: if the job queue still holds an answer at exit, a
# client an event, or a job checks a signature just then, they would count as leaked. These functions make such
# contents. A leak of our own code also leaks an object or a closure, which is found. Valgrind recognises the
# pointers, and looks for leaks in the programs `event_delivery` and `rebind`, which call them.
printf 'leak:%s\n' '11WalletModel4CardV*5CardsE' '11wallet_core4CoreC6attach' 11ClientTableC16lockStateChanged \
  11ClientTableC19versionStateChanged 11ClientTableC20configurationChanged 11ClientTableC9stepShown \
  13__DataStorageC 15__StringStorageC 22_allocateStringStorage >"$build/leaks"
export LSAN_OPTIONS=suppressions=$build/leaks:print_suppressions=0
# Left out: dlopen, whose program would have to be built with the sanitizer to load a library that is, and the
# searches of the process's own memory, because the sanitizer keeps a copy of it. The thread sanitizer ends the child
# of a fork that starts threads, so there no child starts the library.
[[ $sanitizer != thread ]] || export WALLET_CORE_FORKS=0
ASAN_OPTIONS=detect_leaks=1 \
  PROGRAMS="before_init arguments event_delivery rebind fork account quiet_log" Tests/ABI/programs.sh
# Without the search for leaks: each program ends with a reset of the process, which leaves its core behind. Only the
# testing library has such a reset.
ASAN_OPTIONS=detect_leaks=0 Tests/Fuzz/replay.sh "$providers" "$build" "${WALLET_CORE_RANDOM_PROGRAMS:-100}"
# Its threads still run at exit, and memory that only they refer to would count as leaked.
ASAN_OPTIONS=detect_leaks=0 PROGRAMS=exits Tests/ABI/programs.sh
ASAN_OPTIONS=detect_leaks=1 Tests/Scenarios/run.sh "$providers" "$build"
