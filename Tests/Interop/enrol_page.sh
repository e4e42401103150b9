#!/usr/bin/env bash
# A proofing by the enrolment page: Chromium shows it, a player scans it.
#
#   Tests/Interop/enrol_page.sh WALLET_PROVIDER PLAYER BUILD_DIRECTORY [PORT]
#
# PLAYER is one of Tests/Hosts, e.g. BUILD_DIRECTORY/hosts/c/player; "none" tests the page alone. By default PORT is a
# free one. Needs chromium, chromium-driver and the samples' tools.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
program=$1 player=$2 build=$3 port=${4:-0}
source Tests/ABI/report.sh
source Examples/C/provider.sh

scratch=$(mktemp -d)
trap 'end_provider; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
CPPFLAGS=-IInclude Examples/C/compile-scanner.sh "$build/examples" >/dev/null || exit
Examples/samples/make-samples.sh "$scratch/pictures" >/dev/null || exit

export WALLET_PROVIDER_PROOFING_HOSTS=${WALLET_PROVIDER_PROOFING_HOSTS:-wallet.example}
start_provider "$scratch" "$program" --port "$port" --enrol-page || exit
export PHONE_PICTURES=$scratch/pictures ENROL_STATES=$scratch/states
export PHONE_PROVIDER=$PWD/Tests/Interop/await-state.sh
command=()
if [[ $player != none ]]; then
  export PHONE_SCANNER=$build/examples/scan
  command=(Tests/Hosts/play.py --player "$player" Tests/Interop/enrol_page.txt "$provider_configuration" "$scratch/phone")
fi
Tests/Interop/python.sh "$build" Tests/Interop/enrol_page.py "$provider_url" "$build/examples/scan" \
  "$scratch/pictures" "$scratch/states" "${command[@]}"
