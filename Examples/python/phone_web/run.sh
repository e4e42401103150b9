#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Starts a provider and the phone in the browser, and prints its URL. Ctrl-C ends both.
#
#   Examples/python/phone_web/run.sh PROVIDER_DIRECTORY BUILD_DIRECTORY [PORT]
#
# PROVIDER_DIRECTORY has wallet-provider-testing, BUILD_DIRECTORY/lib the library for tests: only these let
# clock, network and update policy be changed. The data of phone and provider is deleted at the end. Progress
# is printed to standard error.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
examples=$here/../..
program=$(cd "$1" && pwd)/wallet-provider-testing
build=$(cd "$2" && pwd)
port=${3:-0}
# shellcheck source=Examples/C/provider.sh
source "$examples/C/provider.sh"

scratch=$(mktemp -d)
server_pid=
finish() {
  [[ -z $server_pid ]] || kill "$server_pid" 2>/dev/null || true
  end_provider
  rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

library=$build/lib/libwallet_core_testing.so
for file in "$program" "$library"; do
  [[ -e $file ]] || { echo "phone-web: $file: No such file or directory" >&2 && exit 1; }
done
echo "phone-web: compiling the camera's scanner" >&2
CPPFLAGS=-I$examples/../Include "$examples/C/compile-scanner.sh" "$build/examples" >/dev/null
echo "phone-web: making pictures for the camera" >&2
"$examples/samples/make-samples.sh" "$scratch/pictures" >/dev/null
echo "phone-web: starting the provider" >&2
export WALLET_PROVIDER_PROOFING_HOSTS=wallet.example
export WALLET_PROVIDER_REGISTRATION_RATE=0 WALLET_PROVIDER_WALLET_RATE=0
start_provider "$scratch" "$program" --control-tcp 0
control=$(sed -n 's/^control listens on //p' "$scratch/provider.out")

python=/usr/bin/python3 # the one that Debian's python3-cryptography is for
[[ -x $python ]] || python=python3
export PYTHONPATH=$here/..:$examples/../Sources/Bindings/python WALLET_CORE_LIBRARY=$library
echo "phone-web: starting the phone" >&2
"$python" -m phone_web --port "$port" --program "$program" --data "$scratch/provider" \
  --provider "$provider_url" --control "$control" --scanner "$build/examples/scan" \
  --pictures "$scratch/pictures" --directory "$scratch/phone" &
server_pid=$!
wait "$server_pid"
