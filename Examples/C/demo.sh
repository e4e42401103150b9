#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the C hosts, starts a provider in a scratch directory, runs the start-up and then the identity
# proofing with a new account and pictures, and stops the provider.
#
#   Examples/C/demo.sh [WALLET_PROVIDER BUILD_DIRECTORY] [--verifier]
#
# In an unpacked tarball the first two arguments are not needed. With --verifier a verifier that others wrote,
# which is installed from PyPI, asks for claims at the end, and its verdict is printed. wallet_core is found by
# pkg-config. WRAPPER, e.g. valgrind, runs the hosts. Progress is printed to standard error. The exit code is that of
# the first host that fails, or 1 if the verifier refuses the answer.
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
case $* in
  '') has_verifier= ;;
  --verifier) has_verifier=1 ;;
  *) usage ;;
esac

scratch=$(mktemp -d)
verifier_pid=
end_verifier() { [[ -z $verifier_pid ]] || kill "$verifier_pid" 2>/dev/null || true; }
trap 'end_verifier; end_provider; rm -rf "$scratch"' EXIT
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
echo "demo: compiling the hosts" >&2
compile startup
compile proofing "$scanner $verifier"
[[ -z $has_verifier ]] || compile sharing

# start_verifier AUTHORITY: starts a verifier that trusts the issuers of this authority, and waits for its link.
start_verifier() {
  "$here/../Verifier/verifier.sh" "$build" --once --issuer-anchor "$1" >"$scratch/verifier.out" </dev/null &
  verifier_pid=$!
  until grep --quiet --no-messages 'as a picture' "$scratch/verifier.out"; do
    kill -0 "$verifier_pid" 2>/dev/null || { echo "demo: the verifier did not start" >&2 && return 1; }
    sleep 0.1
  done
  link=$(sed -n 's,^  \(openid4vp://.*\),\1,p' "$scratch/verifier.out")
}

if [[ -n $has_verifier ]]; then
  # Each side gets to know the authority of the other one before it starts. This command makes the provider's keys.
  "$program" client-configuration --data "$scratch/provider" --out "$scratch/configuration.json" || exit 1
  echo "demo: starting a verifier" >&2
  start_verifier "$scratch/provider/keys/issuer-authority.pem"
  export WALLET_PROVIDER_TRUST_ANCHORS=$build/verifier/pki/trust-anchors.json
fi
echo "demo: starting the provider" >&2
start_provider "$scratch" "$program"
read -ra wrapper <<<"${WRAPPER:-}"
"${wrapper[@]}" "$build/startup" "$provider_configuration" "$scratch/host"

# An applicant has an account with its code, and a licence.
echo "demo: making an account, and pictures for the camera" >&2
"$here/../samples/make-applicant.sh" "$program" "$scratch/provider" "$scratch/pictures"
"${wrapper[@]}" "$build/proofing" "$provider_configuration" "$scratch/host" \
  "$scratch/pictures/enrolment-code.png" "$scratch/pictures/licence.png" "$scratch/provider/keys/issuer-authority.pem"

if [[ -z $has_verifier ]]; then
  echo "demo: left out: a verifier by others, which --verifier installs from PyPI" >&2
  exit
fi
# A verifier that never got an answer still waits for it.
status=0
"${wrapper[@]}" "$build/sharing" "$provider_configuration" "$scratch/host" "$link" || status=$?
((status != 0)) || wait "$verifier_pid" || status=$?
echo "The verifier polaris-oid4vp says: $(sed '1,/as a picture/d; /^$/d' "$scratch/verifier.out")"
exit "$status"
