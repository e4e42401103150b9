#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the phone, starts a provider in a scratch directory, and runs the phone in this terminal.
#
#   Examples/C/phone.sh [WALLET_PROVIDER BUILD_DIRECTORY] [--applicant] [OPTION...]
#
# In an unpacked tarball the first two arguments are not needed.
# --applicant makes an account, its enrolment code and a licence, which the phone's camera then offers.
# The other options are those of the phone. wallet_core is found by pkg-config. The phone's data and the
# pictures are deleted at the end.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=Examples/C/provider.sh
source "$here/provider.sh"
if [[ ${1:---} == --* ]]; then
  use_tarball
elif [[ ${2:---} == --* ]]; then
  usage
else
  program=$1 build=$2
  shift 2
fi
options=() has_applicant=
for option in "$@"; do
  if [[ $option == --applicant ]]; then has_applicant=1; else options+=("$option"); fi
done

scratch=$(mktemp -d)
trap 'end_provider; rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Separate assignments, so that a failure of pkg-config or the compiler ends the script with its message.
flags=$(pkg-config --cflags --libs wallet_core libsodium libcrypto)
directory=$(pkg-config --variable=libdir wallet_core)
mkdir -p "$build"
echo "phone: compiling the camera's scanner" >&2
scanner=$("$here/compile-scanner.sh" "$build")
echo "phone: compiling the phone" >&2
# shellcheck disable=SC2086 # the flags are several words
"${CC:-cc}" -std=c11 -O2 -Wall -Wextra -pedantic -o "$build/phone" \
  "$here"/phone*.c "$here/software_keys.c" $scanner -pthread $flags -Wl,-rpath,"$directory"

# The codes of this provider are for this phone only, and its user may need time to look around.
export WALLET_PROVIDER_CODE_SECONDS=86400 WALLET_PROVIDER_SESSION_SECONDS=86400
echo "phone: starting the provider" >&2
start_provider "$scratch" "$program"
if [[ -n $has_applicant ]]; then
  echo "phone: making an account, its enrolment code and a licence: $scratch/pictures" >&2
  "$here/../samples/make-applicant.sh" "$program" "$scratch/provider" "$scratch/pictures"
  options+=(--pictures "$scratch/pictures")
fi
"$build/phone" "${options[@]}" "$provider_configuration" "$scratch/phone"
