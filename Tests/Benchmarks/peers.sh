#!/usr/bin/env bash
# Compares the library with aries-askar, SQLCipher and plain C in one run, and prints Markdown.
#
#   Tests/Benchmarks/peers.sh WALLET_PROVIDER BUILD_DIRECTORY
#
# wallet_core is found by pkg-config; the peers come from PyPI the first time. Nothing is asserted. With
# WALLET_CORE_WRITE_PERFORMANCE=1 the article and its plots are written too. WALLET_CORE_BENCH_SHARE=10 runs a tenth
# of the rounds, to see that everything works.
set -euo pipefail
cd "$(dirname "$0")/../.."
source Examples/C/provider.sh
provider=$1
mkdir -p "$2"
build=$(cd "$2" && pwd)
here=Tests/Benchmarks/Peers

scratch=$(mktemp -d)
trap 'end_provider; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
python=(env REQUIREMENTS=Tests/Benchmarks/requirements.txt Tests/Interop/python.sh "$build")
rounds() { echo $(($1 / ${WALLET_CORE_BENCH_SHARE:-1})); }

# --- build ---------------------------------------------------------------------------------------
library=$(pkg-config --variable=libdir wallet_core)/libwallet_core.so
compile=("${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -pedantic -Werror -ITests/ABI -IExamples/C "-I$here")
read -ra flags < <(pkg-config --cflags --libs wallet_core libsodium libcrypto)
host=(Tests/ABI/{host,process}.c Examples/C/software_keys.c -pthread "${flags[@]}" -ldl -Wl,-rpath,"$(dirname "$library")")
"${compile[@]}" -fPIC -shared -o "$build/libbaseline.so" Tests/Benchmarks/baseline.c
"${compile[@]}" -fPIC -shared -o "$build/libpeers.so" "$here"/{measure,askar,store_ours,store_askar,store_sqlite,stores,keys,footprint}.c \
  -pthread -lsodium -ldl
"${compile[@]}" -o "$build/delivery" "$here"/{delivery,hand_over,step,arrivals,measure}.c "${host[@]}"
"${compile[@]}" -o "$build/requests" "$here"/{requests,askar,hand_over,step,measure}.c "${host[@]}"
"${compile[@]}" -o "$build/rebind" "$here"/{rebind,hand_over,step,measure}.c "${host[@]}"
"${compile[@]}" -o "$build/idle" "$here"/{idle,measure}.c "${host[@]}"

WALLET_CORE_READERS=1 .ci/partial.sh build --configuration release --product our-store \
  -Xswiftc -static-stdlib --scratch-path .build/benchmark-store >"$scratch/build.log" 2>&1 || {
  cat "$scratch/build.log" >&2
  exit 1
}
our_store=$PWD/.build/benchmark-store/release/libour-store.so
sqlite=libsqlite3.so.0
askar=$("${python[@]}" "$here/call.py" --find aries_askar)
sqlcipher=$("${python[@]}" "$here/call.py" --find sqlcipher3)

# `make fresh` tests that it compiles with the packages that `make bench` installs.
[[ -z ${WALLET_CORE_COMPILE_ONLY:-} ]] || exit 0

# --- measure -------------------------------------------------------------------------------------
measures=$build/measures.tsv
load_before=$(cut -d ' ' -f 1-3 /proc/loadavg)
# One library per process, so that all have the same conditions.
call() { "${python[@]}" "$here/call.py" "$build/libpeers.so" "$@"; }
{
  mkdir "$scratch/stores"
  call stores_main "$scratch/stores" "$our_store" "$askar" "$sqlcipher" "$sqlite" "$(rounds 50)"
  mkdir "$scratch/keys"
  call keys_main "$scratch/keys" "$our_store" "$askar" "$sqlcipher" "$sqlite" "$library" "$build/libbaseline.so" "$(rounds 50)"
  for ((turn = 0; turn < $(rounds 20); turn++)); do
    mkdir "$scratch/$turn" "$scratch/$turn"/{ours,askar,sqlcipher}
    call footprint_main ours "$library" wallet_core_is_initialized "$scratch/$turn/ours" "$our_store"
    call footprint_main askar "$askar" askar_version "$scratch/$turn/askar" "$askar"
    call footprint_main sqlcipher "$sqlcipher" sqlite3_libversion_number "$scratch/$turn/sqlcipher" "$sqlcipher"
  done
  start_provider "$scratch" "$provider"
  # With a policy in it, an app's start does not depend on the provider's answer.
  "$provider" client-configuration --data "$scratch/provider" --url "$provider_url" --with-update-policy \
    --out "$provider_configuration"
  "$build/delivery" "$provider_configuration" "$scratch/delivery" "$(rounds 3000)"
  "$build/requests" "$provider_configuration" "$scratch/requests" "$askar" "$(rounds 10000)"
  "$build/rebind" "$provider_configuration" "$scratch/rebind" "$(rounds 1000)"
  "$build/idle" "$provider_configuration" "$scratch/idle" 100000
  printf 'size\tours\t%s\n' "$(stat --dereference --format=%s "$library")"
  printf 'size\taskar\t%s\n' "$(stat --format=%s "$askar")"
  printf 'size\tsqlcipher\t%s\n' "$(stat --format=%s "$sqlcipher")"
} >"$measures"

# --- report --------------------------------------------------------------------------------------
python3 Tests/Benchmarks/Report/report.py "$measures" "$build" \
  --cores "$(nproc)" --load "$load_before" "$(cut -d ' ' -f 1-3 /proc/loadavg)" \
  --share "${WALLET_CORE_BENCH_SHARE:-1}" \
  ${WALLET_CORE_WRITE_PERFORMANCE:+--article Sources/wallet_core/wallet_core.docc}
