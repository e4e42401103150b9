#!/usr/bin/env bash
# Makes the wallet for programs of calls: registered with a provider that is stopped afterwards. Its data stay.
#
#   Tests/Fuzz/wallet_fixture.sh PROVIDER_DIRECTORY TESTING_LIBRARY_DIRECTORY DIRECTORY
#
# DIRECTORY receives configuration.json and wallet/, which Tests/Fuzz/Calls/world.h reads, and provider/.
set -euo pipefail
cd "$(dirname "$0")/../.."
providers=$(cd "$1" && pwd) library=$(cd "$2" && pwd) directory=$3
source Examples/C/provider.sh

scratch=$(mktemp -d)
trap 'end_provider; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
mkdir "$scratch/wallet"

calls=()
for source in Tests/Fuzz/Calls/*.c; do
  case $source in */fuzz.c | */process.c | */software_keys.c) ;; *) calls+=("$source") ;; esac
done
read -ra libraries < <(pkg-config --cflags --libs libsodium libcrypto)
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -pedantic -Werror -IInclude -IExamples/C \
  -o "$scratch/wallet_fixture" Tests/Fuzz/wallet_fixture.c "${calls[@]}" Tests/ABI/{host,process}.c \
  Examples/C/software_keys.c -pthread -L"$library" -lwallet_core_testing "${libraries[@]}" \
  -Wl,-rpath,"$library"

start_provider "$scratch" "$providers/wallet-provider"
link=$("$providers/wallet-provider" account create --data "$scratch/provider" \
  --label imogen@rowan.example --family-name Rowan --given-name 'Imogen Elspeth' \
  --birth-date 1988-03-14 | grep -oE 'https?://[^ ]+#[^ ]+' | head -n 1)
Examples/samples/licence.py --family-name ROWAN --given-names 'IMOGEN ELSPETH' \
  --birth-date 1988-03-14 >"$scratch/licence.aamva"
"$scratch/wallet_fixture" "$provider_configuration" "$scratch/wallet" "$link" "$scratch/licence.aamva"

rm -rf "$directory"
mkdir -p "$directory"
end_provider
cp -r "$scratch/wallet" "$scratch/provider" "$directory"
cp "$provider_configuration" "$directory/configuration.json"
