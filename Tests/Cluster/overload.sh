#!/usr/bin/env bash
# Sends four times as many requests as a provider can answer: the rest is refused with 429 or 503 and Retry-After,
# memory stays bounded, and clients that wait as told get their PINs validated.
#
#   Tests/Cluster/overload.sh WALLET_PROVIDER PROVIDER_LOAD SECONDS
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../ABI/report.sh"
source "$here/cluster.sh"
provider=$1 load=$2 seconds=$3
scratch=$(mktemp -d)
trap 'end_cluster; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

patience=()
# overload NAME ADDRESSES OPTION...: of a new provider, after the rate was measured.
overload() {
  local name=$1 addresses=$2 directory output
  shift 2
  directory=$(mktemp -d "$scratch/XXXXXX")
  start_replicas "$directory" "$provider" 1 --log-level error --behind-proxy "$@" || {
    not_ok "$name: the provider starts" && return
  }
  cluster_configuration "${replica_urls[0]}" >"$directory/configuration.json"
  if output=$("$load" flood --configuration "$directory/configuration.json" --rate "$rate" \
    --addresses "$addresses" --seconds "$seconds" "${patience[@]}" --process "${replica_pids[0]}" 2>&1); then
    ok "$name"
    echo "# $rate requests per second: $output"
  else
    not_ok "$name" "$output"
  fi
  end_cluster
}

directory=$(mktemp -d "$scratch/XXXXXX")
start_replicas "$directory" "$provider" 1 --log-level error --address-rate 0 \
  --wallet-rate 0 --registration-rate 0 || { not_ok "overload: the provider starts" && exit; }
cluster_configuration "${replica_urls[0]}" >"$directory/configuration.json"
# A validation is two requests.
sustained=$("$load" steady --configuration "$directory/configuration.json" --seconds 3 | cut -d ' ' -f 1) ||
  { not_ok "overload: the rate is measured" && exit; }
rate=$(awk -v rate="$sustained" 'BEGIN { printf "%d", rate * 2 * 4 }')
end_cluster

overload "four times the rate from one address" 1
overload "four times the rate from many addresses" 60
# Here clients are not distinguished, so that good clients get their share and no more.
patience=(--good 16 --validated 1)
overload "four times the rate against sixteen requests in progress" 60 \
  --address-rate 0 --wallet-rate 0 --registration-rate 0 --requests-in-progress 16
