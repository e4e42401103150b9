#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the C hosts, starts a provider with a scratch directory, runs the start-up and then the identity
# proofing with an account and pictures that it makes, ends everything.
#
#   Examples/C/demo.sh WALLET_PROVIDER BUILD_DIRECTORY
#
# wallet_core is found by pkg-config. WRAPPER is put before the hosts (valgrind, say). The exit code is
# that of the first host that fails.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$1 build=$2
# shellcheck source=Examples/C/provider.sh
source "$here/provider.sh"

scratch=$(mktemp -d)
trap 'end_provider; rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

mkdir -p "$build"
read -ra scanner <<<"$("$here/compile-scanner.sh" "$build")"
compile() {
  # shellcheck disable=SC2046 # the flags are words
  "${CC:-cc}" -std=c11 -O2 -Wall -Wextra -pedantic -o "$build/$1" "$here/$1.c" "${@:2}" \
    "$here/software_keys.c" -pthread $(pkg-config --cflags --libs wallet_core libsodium) \
    -Wl,-rpath,"$(pkg-config --variable=libdir wallet_core)"
}
compile startup
compile proofing "${scanner[@]}"

start_provider "$scratch" "$program"
read -ra wrapper <<<"${WRAPPER:-}"
"${wrapper[@]}" "$build/startup" "$provider_configuration" "$scratch/host"

# What an applicant has: an account with its code, and a licence.
"$program" account create --data "$scratch/provider" --label imogen@rowan.example \
  --family-name Rowan --given-name 'Imogen Elspeth' --birth-date 1988-03-14 \
  --qr "$scratch/code.png" >"$scratch/account.out"
"$here/../samples/make-samples.sh" "$scratch/pictures" >"$scratch/pictures.out"
"${wrapper[@]}" "$build/proofing" "$provider_configuration" "$scratch/host" "$scratch/code.png" \
  "$scratch/pictures/licence.png"
