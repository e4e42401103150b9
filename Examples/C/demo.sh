#!/usr/bin/env bash
# Builds the C host, starts a provider with a scratch directory, runs the host, ends everything.
#
#   Examples/C/demo.sh WALLET_PROVIDER BUILD_DIRECTORY
#
# wallet_core is found by pkg-config. WRAPPER is put before the host (valgrind, say). The exit code is
# the host's.
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
# shellcheck disable=SC2046 # the flags are words
"${CC:-cc}" -std=c11 -O2 -Wall -Wextra -pedantic -o "$build/startup" \
  "$here/startup.c" "$here/software_keys.c" -pthread \
  $(pkg-config --cflags --libs wallet_core libsodium) \
  -Wl,-rpath,"$(pkg-config --variable=libdir wallet_core)"

start_provider "$scratch" "$program"
read -ra wrapper <<<"${WRAPPER:-}"
"${wrapper[@]}" "$build/startup" "$provider_configuration" "$scratch/host"
