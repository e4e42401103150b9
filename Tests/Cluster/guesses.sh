#!/usr/bin/env bash
# Every guess is counted: 128 connections guess one wallet's PIN in parallel, with three replicas on
# one PostgreSQL behind nginx, and with one process on SQLite.
#
#   Tests/Cluster/guesses.sh WALLET_PROVIDER PROVIDER_LOAD GUESSES
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../ABI/report.sh"
source "$here/cluster.sh"
provider=$1 load=$2 guesses=$3
scratch=$(mktemp -d)
chmod 711 "$scratch"
trap 'end_cluster; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

limits=(--address-rate 0 --wallet-rate 0 --registration-rate 0 --connections-per-address 0)

# guess NAME ALLOWED OPTION...: of a new provider.
guess() {
  local name=$1 allowed=$2 directory urls=()
  shift 2
  directory=$(mktemp -d "$scratch/XXXXXX")
  chmod 711 "$directory"
  [[ $name == SQLite* ]] || start_database "$directory" || { not_ok "$name: PostgreSQL" && return; }
  local count=3
  [[ -n $database_url ]] || count=1
  start_replicas "$directory" "$provider" "$count" --log-level error "${limits[@]}" "$@" || {
    not_ok "$name: the replicas start" && return
  }
  local url=${replica_urls[0]}
  if ((count > 1)); then
    start_proxy "$directory" || { not_ok "$name: nginx" && return; }
    url=$proxy_url
    # Most connections use the proxy; some connect to a replica directly.
    urls=(--url "$proxy_url" --url "$proxy_url")
    for replica in "${replica_urls[@]}"; do urls+=(--url "$replica"); done
  fi
  cluster_configuration "$url" >"$directory/configuration.json"
  local output
  if output=$("$load" guess --configuration "$directory/configuration.json" --allowed "$allowed" --guesses "$guesses" --connections 128 \
    "${urls[@]}" 2>&1); then
    ok "$name: at most $allowed of $guesses guesses are evaluated, each is counted, and the block holds"
    sed 's/^/# /' <<<"$output"
  else
    not_ok "$name: at most $allowed of $guesses guesses are evaluated, each is counted, and the block holds" "$output"
  fi
  end_cluster
}

for store in "three replicas" "SQLite, one process"; do
  guess "$store, a round of 4" 4 --attempt-rounds 2 --attempts-per-round 4 --block-seconds 3600
  guess "$store, a round of 50" 50 --attempt-rounds 2 --attempts-per-round 50 --failures-per-month 1000 --block-seconds 3600
done
