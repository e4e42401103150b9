#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the phone, starts a provider with a scratch directory, hands the terminal to the phone.
#
#   Examples/C/phone.sh WALLET_PROVIDER BUILD_DIRECTORY [OPTION...]
#
# wallet_core is found by pkg-config. What the phone keeps is gone at the end.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$1 build=$2
shift 2
# shellcheck source=Examples/C/provider.sh
source "$here/provider.sh"

scratch=$(mktemp -d)
trap 'end_provider; rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

scanner=$("$here/compile-scanner.sh" "$build")
# shellcheck disable=SC2046,SC2086 # the flags are words
"${CC:-cc}" -std=c11 -O2 -Wall -Wextra -pedantic -o "$build/phone" \
  "$here"/phone*.c "$here/software_keys.c" $scanner -pthread \
  $(pkg-config --cflags --libs wallet_core libsodium) \
  -Wl,-rpath,"$(pkg-config --variable=libdir wallet_core)"

start_provider "$scratch" "$program"
"$build/phone" "$@" "$provider_configuration" "$scratch/phone"
