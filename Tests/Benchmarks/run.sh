#!/usr/bin/env bash
# Compares the library with baselines in the same run and prints a Markdown table.
#
#   Tests/Benchmarks/run.sh WALLET_PROVIDER BUILD_DIRECTORY
#
# wallet_core is found by pkg-config. Nothing is asserted: read the ratios, measured on an idle machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
source Examples/C/provider.sh
provider=$1 build=$2
mkdir -p "$build"
build=$(cd "$build" && pwd)

scratch=$(mktemp -d)
trap 'end_provider; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
library=$(pkg-config --variable=libdir wallet_core)/libwallet_core.so
unstripped=build/lib/unstripped

compile=("${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -ITests/ABI -IExamples/C)
read -ra flags < <(pkg-config --cflags --libs wallet_core libsodium libcrypto)
"${compile[@]}" -fPIC -shared -o "$build/libbaseline.so" Tests/Benchmarks/baseline.c
"${SWIFT:-swift}c" -O -emit-library -static-stdlib -module-name empty Tests/Benchmarks/empty.swift \
  -o "$build/libempty.so" -Xlinker -soname=libempty.so.1 -Xlinker -z -Xlinker defs \
  -Xlinker -z -Xlinker now -Xlinker -z -Xlinker nodelete
"${compile[@]}" -o "$build/calls" Tests/Benchmarks/calls.c -ldl
"${compile[@]}" -o "$build/loading" Tests/Benchmarks/loading.c Tests/ABI/process.c "${flags[0]}" -ldl
# -rdynamic: the program's crypto_pwhash replaces libsodium's.
"${compile[@]}" -rdynamic -o "$build/unlock" Tests/Benchmarks/unlock.c Tests/ABI/{host,process}.c \
  Examples/C/software_keys.c -pthread "${flags[@]}" -ldl -Wl,-rpath,"$(dirname "$library")"
"${compile[@]}" -o "$build/steps" Tests/Benchmarks/steps.c Examples/C/software_keys.c -pthread \
  "${flags[@]}" -Wl,-rpath,"$(dirname "$library")"
"${compile[@]}" -o "$build/startup" Examples/C/{startup,software_keys}.c -pthread "${flags[@]}" \
  -Wl,-rpath,"$(dirname "$library")"

WALLET_CORE_READERS=1 .ci/partial.sh build --configuration release --product licence-benchmark \
  --scratch-path .build/benchmark >"$scratch/benchmark.log" 2>&1 || {
  cat "$scratch/benchmark.log" >&2
  exit 1
}

# `make fresh` tests that it compiles with the packages that `make bench` installs.
[[ -z ${WALLET_CORE_COMPILE_ONLY:-} ]] || exit 0

median() { sort -n | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
row() { printf '| %s | %s | %s | %s | %s |\n' "$@"; }

# --- measure -------------------------------------------------------------------------------------
read -r our_call baseline_call < <("$build/calls" "$library" "$build/libbaseline.so")

for ((turn = 0; turn < 31; turn++)); do
  "$build/loading" "$library" wallet_core_abi_version >>"$scratch/ours"
  "$build/loading" "$build/libempty.so" empty_call >>"$scratch/empty"
done
our_load=$(median <"$scratch/ours") empty_load=$(median <"$scratch/empty")
read -r _ threads signals <"$scratch/ours"

read -r reading scanning < <(.build/benchmark/release/licence-benchmark \
  Tests/Fuzz/Corpus/licence/version-10 5000)

# Each registration makes another wallet.
start_provider "$scratch" "$provider" --registration-rate 0 --wallet-rate 0
# With a policy in it, an app's start does not depend on the provider's answer.
"$provider" client-configuration --data "$scratch/provider" --url "$provider_url" --with-update-policy \
  --out "$provider_configuration"
mkdir "$scratch/host"
read -r whole derivation bridges own register_whole register_derivation register_bridges register_own \
  < <("$build/unlock" "$provider_configuration" "$scratch/host" 25)

read -r choose hand_over < <("$build/steps" "$provider_configuration" "$scratch/steps" 2000)

# The instructions of PIN key derivations, of which crypto_pwhash is a part; in the demo's host.
ours_in_derivation='not measured: no valgrind'
if command -v valgrind >/dev/null; then
  LD_LIBRARY_PATH=$unstripped valgrind --tool=callgrind --collect-atstart=no \
    --toggle-collect='$s12WalletCrypto6PinKeyO7stretch*' --callgrind-out-file="$scratch/instructions" \
    "$build/startup" "$provider_configuration" "$scratch/callgrind" >"$scratch/valgrind" 2>&1 || {
    cat "$scratch/valgrind" >&2
    exit 1
  }
  callgrind_annotate --inclusive=yes --threshold=100 --auto=no "$scratch/instructions" \
    >"$scratch/annotated"
  inclusive() { grep -m 1 -E "$1" "$scratch/annotated" | awk '{ gsub(",", "", $1); print $1 }'; }
  all=$(inclusive 'PROGRAM TOTALS')
  inside=$(inclusive ':crypto_pwhash ')
  ours_in_derivation=$(awk -v a="$all" -v i="$inside" 'BEGIN { printf "%.4f %%", 100 * (a - i) / a }')
fi
size=$(stat --dereference --format=%s "$library")

# --- report --------------------------------------------------------------------------------------
milliseconds() { awk -v us="$1" 'BEGIN { printf "%.2f ms", us / 1000 }'; }
{
  row measure ours baseline ratio target
  row --- --: --: --: ---
  row 'is_initialized, against an atomic load behind a call' "$our_call ns" "$baseline_call ns" \
    "$(ratio "$our_call" "$baseline_call")" 'at most 2'
  row 'dlopen to first call, against an empty Swift library' "$our_load us" "$empty_load us" \
    "$(ratio "$our_load" "$empty_load")" 'at most 3'
  row 'library, stripped' "$(awk -v b="$size" 'BEGIN { printf "%.1f MB", b / 1e6 }')" '' '' 'under 24 MB'
  row 'threads before init' "$((threads - 1))" '' '' 0
  row 'signal dispositions changed by loading' "$signals" '' '' 0
  row "the library's part of an unlock, CPU (of $(milliseconds "$whole"), derivation $(milliseconds "$derivation"), bridges $(milliseconds "$bridges"))" \
    "$(milliseconds "$own")" '' '' 'under 5 ms'
  row "the library's part of a registration, CPU (of $(milliseconds "$register_whole"), derivation $(milliseconds "$register_derivation"), bridges $(milliseconds "$register_bridges"))" \
    "$(milliseconds "$register_own")" '' '' 'under 10 ms'
  row 'choose to the next step at the C callback, against a queue between two C threads' \
    "$choose us" "$hand_over us" "$(ratio "$choose" "$hand_over")" 'under 100 us'
  row 'instructions of a PIN key derivation outside crypto_pwhash' "$ours_in_derivation" '' '' 'under 1 %'
  row 'reading one licence, against a look at each of its bytes' \
    "$(awk -v ns="$reading" 'BEGIN { printf "%.1f us", ns / 1000 }')" "$scanning ns" \
    "$(ratio "$reading" "$scanning")" 'under 200 us'
} | tee "$build/core.md"
