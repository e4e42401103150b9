#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the C hosts, starts a provider in a scratch directory, runs the start-up and then the identity
# proofing with a new account and pictures, and stops the provider.
#
#   Examples/C/demo.sh [WALLET_PROVIDER BUILD_DIRECTORY]
#
# In an unpacked tarball it needs no arguments. wallet_core is found by pkg-config. WRAPPER, e.g. valgrind, runs
# the hosts. Progress is printed to standard error. The exit code is that of the first host that fails.
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

# Separate assignments, so that a failure of pkg-config ends the script with its message.
flags=$(pkg-config --cflags --libs wallet_core libsodium libcrypto)
directory=$(pkg-config --variable=libdir wallet_core)
mkdir -p "$build"
echo "demo: compiling the camera's scanner" >&2
scanner=$("$here/compile-scanner.sh" "$build")
echo "demo: compiling the verifier" >&2
verifier=$("$here/compile-verifier.sh" "$build")
compile() {
  # shellcheck disable=SC2086 # the flags are several words
  "${CC:-cc}" -std=c11 -O2 -Wall -Wextra -pedantic -o "$build/$1" "$here/$1.c" ${2:-} \
    "$here/software_keys.c" -pthread $flags -Wl,-rpath,"$directory"
}
echo "demo: compiling the two hosts" >&2
compile startup
compile proofing "$scanner $verifier"

echo "demo: starting the provider" >&2
start_provider "$scratch" "$program"
read -ra wrapper <<<"${WRAPPER:-}"
"${wrapper[@]}" "$build/startup" "$provider_configuration" "$scratch/host"

# An applicant has an account with its code, and a licence.
echo "demo: making an account, and pictures for the camera" >&2
"$here/../samples/make-applicant.sh" "$program" "$scratch/provider" "$scratch/pictures"
"${wrapper[@]}" "$build/proofing" "$provider_configuration" "$scratch/host" \
  "$scratch/pictures/enrolment-code.png" "$scratch/pictures/licence.png" "$scratch/provider/keys/issuer-authority.pem"
