#!/usr/bin/env bash
# Writes a new baseline for Tests/ABI/abi.sh, at a release: from then on additions since the last one are promised
# too.
#
#   Tests/ABI/abi_baseline.sh [HEADER_DIRECTORY]
#
# Refuses if hosts built against the earlier baseline would break, unless WALLET_CORE_ABI_VERSION was raised; raising
# it requires a new series, by which CMake distinguishes the libraries: a new major version or, while that is 0, a new
# minor one. The series is stored with the baseline, and so are the names of steps, actions, notices and arguments.
set -euo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/abi_probe.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
abi_of "${1:-Include}" "$scratch" >"$scratch/abi"

number() { sed -n "s/^#define WALLET_CORE_VERSION_$1 //p" "$header"; }
header=${1:-Include}/wallet_core.h
series=$(number MAJOR)
if ((series == 0)); then series=0.$(number MINOR); fi

refuse() {
  echo "abi-baseline: $1" >&2
  exit 1
}

if [[ -e $abi_baseline ]]; then
  if [[ $(abi_version "$abi_baseline") == "$(abi_version "$scratch/abi")" ]]; then
    abi_changes "$scratch/abi" || refuse "hosts would break; take the change back, or raise WALLET_CORE_ABI_VERSION"
    lost=$(names_lost "${1:-Include}")
    [[ -z $lost ]] || refuse "names are gone; take them back, or raise WALLET_CORE_ABI_VERSION: $lost"
  elif [[ $series == "$(printf '%s\n' "$series" "$(<"$abi_baseline.series")" | sort -V | head -n 1)" ]]; then
    refuse "a new WALLET_CORE_ABI_VERSION requires a new series; raise WALLET_CORE_VERSION_MAJOR (or, at 0, _MINOR)"
  fi
fi
cp "$scratch/abi" "$abi_baseline"
echo "$series" >"$abi_baseline.series"
names_of "${1:-Include}" >"$abi_baseline.names"
echo "$abi_baseline is what ${1:-Include}/wallet_core.h promises"
