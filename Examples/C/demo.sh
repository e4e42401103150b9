#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the C hosts, starts a provider with a scratch directory, runs the start-up and then the identity
# proofing with an account and pictures that it makes, ends everything.
#
#   Examples/C/demo.sh [WALLET_PROVIDER BUILD_DIRECTORY]
#
# Out of a tarball it needs no words. wallet_core is found by pkg-config. WRAPPER is put before the hosts
# (valgrind, say). What it is doing goes to standard error. The exit code is that of the first host that fails.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=Examples/C/provider.sh
source "$here/provider.sh"
case $# in
  0) use_tarball ;;
  2) program=$1 build=$2 ;;
  *) usage ;;
esac

scratch=$(mktemp -d)
trap 'end_provider; rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Each assigned by itself: a failure is to end this, with the reason that pkg-config or the compiler gives.
flags=$(pkg-config --cflags --libs wallet_core libsodium)
directory=$(pkg-config --variable=libdir wallet_core)
mkdir -p "$build"
echo "demo: compiling the camera's scanner" >&2
scanner=$("$here/compile-scanner.sh" "$build")
compile() {
  # shellcheck disable=SC2086 # the flags are words
  "${CC:-cc}" -std=c11 -O2 -Wall -Wextra -pedantic -o "$build/$1" "$here/$1.c" ${2:-} \
    "$here/software_keys.c" -pthread $flags -Wl,-rpath,"$directory"
}
echo "demo: compiling the two hosts" >&2
compile startup
compile proofing "$scanner"

echo "demo: starting the provider" >&2
start_provider "$scratch" "$program"
read -ra wrapper <<<"${WRAPPER:-}"
"${wrapper[@]}" "$build/startup" "$provider_configuration" "$scratch/host"

# What an applicant has: an account with its code, and a licence.
echo "demo: making an account, and pictures for the camera" >&2
"$here/../samples/make-applicant.sh" "$program" "$scratch/provider" "$scratch/pictures"
"${wrapper[@]}" "$build/proofing" "$provider_configuration" "$scratch/host" \
  "$scratch/pictures/enrolment-code.png" "$scratch/pictures/licence.png"
