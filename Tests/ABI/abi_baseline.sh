#!/usr/bin/env bash
# Writes the baseline of Tests/ABI/abi.sh anew, at a release: what was added since then is promised from now on.
#
#   Tests/ABI/abi_baseline.sh [HEADER_DIRECTORY]
#
# Refuses where hosts of the former baseline would break, unless WALLET_CORE_ABI_VERSION was raised.
set -euo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/abi_probe.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
abi_of "${1:-Include}" "$scratch" >"$scratch/abi"

# The value of a constant in a baseline.
promised() { sed -nE "s/.*enumerator name='VALUE_$1' value='([0-9-]+)'.*/\1/p" "$2"; }

if [[ -e $abi_baseline ]] &&
  [[ $(promised WALLET_CORE_ABI_VERSION "$abi_baseline") == $(promised WALLET_CORE_ABI_VERSION "$scratch/abi") ]] &&
  ! abi_changes "$scratch/abi"; then
  echo "abi-baseline: hosts would break; take the change back, or raise WALLET_CORE_ABI_VERSION" >&2
  exit 1
fi
cp "$scratch/abi" "$abi_baseline"
echo "$abi_baseline is what ${1:-Include}/wallet_core.h promises"
