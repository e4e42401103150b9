#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Starts a provider and the phone in the browser, and prints its URL. Ctrl-C ends both.
#
#   Examples/python/phone_web/run.sh PROVIDER_DIRECTORY BUILD_DIRECTORY [PORT]
#
# PROVIDER_DIRECTORY holds wallet-provider-testing, BUILD_DIRECTORY/lib the library for tests: clock,
# network and update policy can be moved only in these. What phone and provider keep is gone at the end.
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

CPPFLAGS=-I$examples/../Include "$examples/C/compile-scanner.sh" "$build/examples" >/dev/null
"$examples/samples/make-samples.sh" "$scratch/pictures" >/dev/null
export WALLET_PROVIDER_PROOFING_HOSTS=wallet.example
start_provider "$scratch" "$program" --registration-rate 0 --wallet-rate 0 --control-tcp 0
control=$(sed -n 's/^control listens on //p' "$scratch/provider.out")

python=/usr/bin/python3 # the one that Debian's python3-cryptography is for
[[ -x $python ]] || python=python3
export PYTHONPATH=$here/.. WALLET_CORE_LIBRARY=$build/lib/libwallet_core_testing.so
"$python" -m phone_web --port "$port" --program "$program" --data "$scratch/provider" \
  --provider "$provider_url" --control "$control" --scanner "$build/examples/scan" \
  --pictures "$scratch/pictures" --directory "$scratch/phone" &
server_pid=$!
wait "$server_pid"
