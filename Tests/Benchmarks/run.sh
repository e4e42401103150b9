#!/usr/bin/env bash
# Compares the library with baselines in the same run and prints a Markdown table.
#
#   Tests/Benchmarks/run.sh WALLET_PROVIDER BUILD_DIRECTORY
#
# wallet_core is found by pkg-config. Nothing is asserted: read the ratios, measured on an idle machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
source Examples/C/provider.sh
source Tests/Benchmarks/applicants.sh
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
host=(Tests/ABI/{host,process}.c Examples/C/software_keys.c -pthread "${flags[@]}" -ldl -Wl,-rpath,"$(dirname "$library")")
# -rdynamic: the program's crypto_pwhash replaces libsodium's.
"${compile[@]}" -rdynamic -o "$build/unlock" Tests/Benchmarks/{unlock,costs}.c "${host[@]}"
"${compile[@]}" -rdynamic -o "$build/present" Tests/Benchmarks/{present,costs,enrolment,Peers/measure}.c "${host[@]}"
"${compile[@]}" -o "$build/starting" Tests/Benchmarks/starting.c "${host[@]}"
"${compile[@]}" -o "$build/least" Tests/Benchmarks/least.c -lsodium
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
# told MEASURE SUBJECT VALUE
told() { printf '%s\t%s\t%s\n' "$@" >>"$measures"; }
# told_costs MEASURE WHOLE DERIVATION BRIDGES OWN
told_costs() {
  local part
  for part in whole derivation bridges own; do
    told "$1 $part" ours "$2"
    set -- "$1" "${@:3}"
  done
}
measures=$build/core.tsv
: >"$measures"

# --- measure -------------------------------------------------------------------------------------
read -r our_call baseline_call < <("$build/calls" "$library" "$build/libbaseline.so")
told call ours "$our_call"
told call baseline "$baseline_call"

for ((turn = 0; turn < 31; turn++)); do
  "$build/loading" "$library" wallet_core_abi_version >>"$scratch/ours"
  "$build/loading" "$build/libempty.so" empty_call >>"$scratch/empty"
done
told load ours "$(median <"$scratch/ours")"
told load baseline "$(median <"$scratch/empty")"
read -r _ threads signals <"$scratch/ours"
told 'threads before init' ours "$((threads - 1))"
told signals ours "$signals"
told size ours "$(stat --dereference --format=%s "$library")"

read -r reading scanning < <(.build/benchmark/release/licence-benchmark \
  Tests/Fuzz/Corpus/licence/version-10 5000)
told licence ours "$(awk -v ns="$reading" 'BEGIN { print ns / 1000 }')"
told licence baseline "$(awk -v ns="$scanning" 'BEGIN { print ns / 1000 }')"

# Each registration makes another wallet.
start_provider "$scratch" "$provider" --registration-rate 0 --wallet-rate 0
# With a policy in it, an app's start does not depend on the provider's answer.
"$provider" client-configuration --data "$scratch/provider" --url "$provider_url" --with-update-policy \
  --out "$provider_configuration"
mkdir "$scratch/host"
read -ra costs < <("$build/unlock" "$provider_configuration" "$scratch/host" 25)
told_costs unlock "${costs[@]:0:4}"
told_costs registration "${costs[@]:4:4}"
told 'unlock least' baseline "$("$build/least" 200)"

# A wallet is issued its PID once.
for ((turn = 0; turn < 5; turn++)); do
  make_applicant "$provider" "$scratch/provider" "$scratch/applicant-$turn"
  mkdir "$scratch/card-$turn"
  read -ra costs < <("$build/present" "$provider_configuration" "$scratch/card-$turn" \
    "$scratch/applicant-$turn"/{code,licence} 25)
  [[ ${costs[10]} == 10 ]] || { echo "run.sh: ${costs[10]} copies were issued, not ten" >&2 && exit 1; }
  told_costs issuance "${costs[@]:0:4}"
  told_costs presentation "${costs[@]:4:4}"
  told 'threads at rest' ours "${costs[8]}"
  told 'private at rest' ours "${costs[9]}"
done

for cards in 0 1 10 100; do
  started=$scratch/started-$cards
  if ((cards == 0)); then
    cp -R "$scratch/host" "$started"
  else
    cp -R "$scratch/card-0" "$started"
    Tests/Benchmarks/cards.py "$started/storage" "$cards"
  fi
  for ((turn = 0; turn < 31; turn++)); do
    told "start $cards" ours "$("$build/starting" "$provider_configuration" "$started")"
  done
done

read -r choose hand_over < <("$build/steps" "$provider_configuration" "$scratch/steps" 2000)
told choose ours "$choose"
told choose baseline "$hand_over"

# The instructions of PIN key derivations, of which crypto_pwhash is a part; in the demo's host.
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
  told 'outside pwhash' ours "$(awk -v a="$all" -v i="$inside" 'BEGIN { print 100 * (a - i) / a }')"
fi

python3 Tests/Benchmarks/Report/core.py "$measures" "$build"
