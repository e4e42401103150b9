#!/usr/bin/env bash
# Runs the stored programs of calls and random mutations of them with the built library, without a fuzzer: random
# functions, arguments, orders and threads, with bridges and a provider that answer anyhow, and some with a real
# provider. WRAPPER is put before the program (for example valgrind).
#
#   Tests/Fuzz/replay.sh PROVIDER_DIRECTORY BUILD_DIRECTORY [CHANGED [SEED]]
#
# A program that breaks a promise is stored in BUILD_DIRECTORY/fuzz/broken-program.
set -uo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/report.sh
source Tests/Support/patience.sh
source Examples/C/provider.sh
providers=$1 build=$2 changed=${3:-250} seed=${4:-1}
library=$(cd "$build/lib" && pwd)
scratch=$(mktemp -d -p "$([[ -w /dev/shm ]] && echo /dev/shm || echo /tmp)")
trap 'end_provider; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$build/fuzz"

calls=()
for source in Tests/Fuzz/Calls/*.c; do
  [[ $source == */fuzz.c ]] || calls+=("$source")
done
read -ra libraries < <(pkg-config --cflags --libs libsodium libcrypto)
holds "fuzzing: the runner of programs compiles" \
  "${CC:-cc}" -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -pedantic -Werror -IInclude \
  -o "$scratch/replay" Tests/Fuzz/replay.c "${calls[@]}" -pthread -L"$library" \
  -lwallet_core_testing "${libraries[@]}" -Wl,-rpath,"$library"
holds "fuzzing: a wallet is made" \
  Tests/Fuzz/wallet_fixture.sh "$providers" "$library" "$scratch/wallets"

cp -r "$scratch/wallets/provider" "$scratch/provider"
WALLET_PROVIDER_REGISTRATION_RATE=0 WALLET_PROVIDER_WALLET_RATE=0 \
  start_provider "$scratch" "$providers/wallet-provider" || exit 1

read -ra wrapper <<<"${WRAPPER:-}"
export TMPDIR=$scratch WALLET_CORE_FUZZ_WALLETS=$scratch/wallets WALLET_CORE_FUZZ_PROVIDER=${provider_url##*:}
if output=$(timeout --kill-after=5 "${TIMEOUT:-$PROGRAM_PATIENCE}" "${wrapper[@]}" \
  "$scratch/replay" "$scratch/current" "$changed" "$seed" Tests/Fuzz/Corpus/abi/* 2>&1); then
  ok "fuzzing: programs of calls keep every promise"
  sed 's/^/# /' <<<"$output"
else
  cp "$scratch/current" "$build/fuzz/broken-program"
  not_ok "fuzzing: programs of calls keep every promise (seed $seed)" \
    "$output"$'\n'"$(<"$scratch/current")"
fi
