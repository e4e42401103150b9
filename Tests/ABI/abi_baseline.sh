#!/usr/bin/env bash
# Writes a new baseline for Tests/ABI/abi.sh, at a release: from then on additions since the last one are promised
# too.
#
#   Tests/ABI/abi_baseline.sh [HEADER_DIRECTORY]
#
# Refuses if hosts built against the earlier baseline would break, unless WALLET_CORE_ABI_VERSION was raised; raising
# it requires a new major version, by which CMake distinguishes the libraries. The major version is stored with the
# baseline, and so are the names of steps, actions, notices and arguments.
set -euo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/abi_probe.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
abi_of "${1:-Include}" "$scratch" >"$scratch/abi"

major=$(sed -n 's/^#define WALLET_CORE_VERSION_MAJOR //p' "${1:-Include}/wallet_core.h")

refuse() {
  echo "abi-baseline: $1" >&2
  exit 1
}

if [[ -e $abi_baseline ]]; then
  if [[ $(abi_version "$abi_baseline") == "$(abi_version "$scratch/abi")" ]]; then
    abi_changes "$scratch/abi" || refuse "hosts would break; take the change back, or raise WALLET_CORE_ABI_VERSION"
    lost=$(names_lost "${1:-Include}")
    [[ -z $lost ]] || refuse "names are gone; take them back, or raise WALLET_CORE_ABI_VERSION: $lost"
  elif ((major <= $(<"$abi_baseline.major"))); then
    refuse "a new WALLET_CORE_ABI_VERSION requires a new major version; raise WALLET_CORE_VERSION_MAJOR as well"
  fi
fi
cp "$scratch/abi" "$abi_baseline"
echo "$major" >"$abi_baseline.major"
names_of "${1:-Include}" >"$abi_baseline.names"
echo "$abi_baseline is what ${1:-Include}/wallet_core.h promises"
