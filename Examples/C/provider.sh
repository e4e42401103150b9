# SPDX-License-Identifier: Apache-2.0
# Starts a provider for examples and tests. To be sourced by a bash script.
#
#   start_provider SCRATCH PROGRAM [OPTION...]
#
# Starts PROGRAM as a demonstration, which needs no authoritative source for the identity proofing, on a free port
# with its data in SCRATCH/provider, and waits until it listens. WALLET_PROVIDER_DEMONSTRATION=false prevents it. Sets
# provider_url and provider_configuration, the file that a host embeds. `end_provider` stops it.
#
#   use_tarball
#
# Sets program and build to those of the unpacked tarball that has these examples, and lets pkg-config find its
# library.
#
#   usage
#
# Prints the usage line, the first indented line in the script's head, and exits with status 2.

provider_pid=

usage() {
  sed -n 's/^#   /usage: /p' "$0" | head -n 1 >&2
  exit 2
}

start_provider() {
  local scratch=$1 program=$2
  shift 2
  : >"$scratch/provider.out" # read below, perhaps before the provider has opened it
  WALLET_PROVIDER_DEMONSTRATION=${WALLET_PROVIDER_DEMONSTRATION:-true} "$program" serve --data "$scratch/provider" --port 0 "$@" \
    >"$scratch/provider.out" 2>"$scratch/provider.log" </dev/null &
  provider_pid=$!
  provider_url=
  # The provider prints its URL within a second, unless the machine is busy.
  for ((tries = 0; tries < 1200; tries++)); do
    provider_url=$(sed -n 's/^wallet-provider listens on //p' "$scratch/provider.out")
    [[ -n $provider_url ]] && break
    kill -0 "$provider_pid" 2>/dev/null || break
    sleep 0.1
  done
  if [[ -z $provider_url ]]; then
    echo "the provider did not start:" >&2
    cat "$scratch/provider.out" "$scratch/provider.log" >&2
    return 1
  fi
  provider_configuration=$scratch/configuration.json
  "$program" client-configuration --data "$scratch/provider" --url "$provider_url" \
    --out "$provider_configuration"
}

end_provider() {
  [[ -n $provider_pid ]] || return 0
  kill "$provider_pid" 2>/dev/null || true
  wait "$provider_pid" 2>/dev/null || true
  provider_pid=
}

use_tarball() {
  local top
  top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
  program=$top/bin/wallet-provider build=$top/build
  if [[ ! -x $program ]]; then
    echo "$(basename "$0"): there is no $program; pass the wallet-provider and a build directory" >&2
    exit 2
  fi
  export PKG_CONFIG_PATH=$top/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
}
