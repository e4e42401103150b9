#!/usr/bin/env bash
# C programs that include only the header, linked against the installed library.
#
# Each gets a provider's configuration file and a directory of its own, and prints one line per check. WRAPPER is put
# before each program (for example valgrind); PROGRAMS names some instead of all.
set -uo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/report.sh
source Tests/Support/patience.sh
source Examples/C/provider.sh

scratch=$(mktemp -d)
trap 'end_provider; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
out=$scratch/programs # parallel runs of this script build their own
mkdir "$out"
library=$(pkg-config --variable=libdir wallet_core)/libwallet_core.so
read -ra programs <<<"${PROGRAMS:-before_init arguments dlopen event_delivery rebind fork exits account quiet_log late_bridge memory_search memory_search_testing}"
read -ra wrapper <<<"${WRAPPER:-}"

strict=(-std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -pedantic -Werror -IExamples/C)
read -ra flags < <(pkg-config --cflags --libs wallet_core libsodium libcrypto)
# memory_search reads the databases of both sides itself, makes the provider lose an answer, and opens the messages
# that reached it.
read -ra sqlite < <(pkg-config --cflags --libs sqlite3)
export TEST_PROVIDER_CONTROL=$scratch/control

build() {
  local sources=("Tests/ABI/${1%_testing}.c" Tests/ABI/{host,process}.c Examples/C/software_keys.c)
  local searcher=(-IInclude Tests/ABI/memory_{host,flows,keys,messages,control,reading}.c "${sqlite[@]}")
  case $1 in
    dlopen) # links nothing: it loads the library with dlopen
      "${CC:-cc}" "${strict[@]}" "${flags[0]}" -o "$out/$1" "Tests/ABI/$1.c" Tests/ABI/process.c -ldl
      ;;
    memory_search)
      "${CC:-cc}" "${strict[@]}" -o "$out/$1" "${sources[@]}" "${searcher[@]}" -pthread "${flags[@]}" \
        -Wl,-rpath,"$(dirname "$library")"
      ;;
    memory_search_testing) # the library with control over the clock, as it was built
      "${CC:-cc}" "${strict[@]}" -o "$out/$1" "${sources[@]}" "${searcher[@]}" -pthread \
        -L"$BUILD/lib" -lwallet_core_testing -lsodium -lcrypto -Wl,-rpath,"$BUILD/lib"
      ;;
    late_bridge) # needs control over the clock too
      "${CC:-cc}" "${strict[@]}" -IInclude -o "$out/$1" "${sources[@]}" -pthread \
        -L"$BUILD/lib" -lwallet_core_testing -lsodium -lcrypto -Wl,-rpath,"$BUILD/lib"
      ;;
    *)
      "${CC:-cc}" "${strict[@]}" -o "$out/$1" "${sources[@]}" -pthread "${flags[@]}" \
        -Wl,-rpath,"$(dirname "$library")"
      ;;
  esac
}

run() {
  local program=$1 directory=$scratch/$1 status
  local arguments=("$provider_configuration" "$directory")
  [[ $program != dlopen ]] || arguments=("$library" "$provider_configuration")
  mkdir -p "$directory"
  timeout --kill-after=5 "${TIMEOUT:-$PROGRAM_PATIENCE}" "${wrapper[@]}" "$out/$program" "${arguments[@]}" \
    2>"$directory/stderr" | sed "s/^\(not \)\?ok - /&$program: /"
  status=${PIPESTATUS[0]}
  case $status in
    0) ;;
    1) sed 's/^/#   /' "$directory/stderr" ;;
    *) not_ok "$program ended with status $status" "$(tail -n 40 "$directory/stderr")" ;;
  esac
}

export WALLET_PROVIDER_REGISTRATION_RATE=0 WALLET_PROVIDER_WALLET_RATE=0
start_provider "$scratch" "${PROVIDER:-$PROVIDERS/wallet-provider-testing}" \
  --control "$TEST_PROVIDER_CONTROL" || exit 1
for program in "${programs[@]}"; do
  if output=$(build "$program" 2>&1); then
    run "$program"
  else
    not_ok "$program compiles" "$output"
  fi
done
