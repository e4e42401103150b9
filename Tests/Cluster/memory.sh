#!/usr/bin/env bash
# What a provider needs for many connections and many wallets: bounded memory, and as much work for each PIN as before.
#
#   Tests/Cluster/memory.sh WALLET_PROVIDER PROVIDER_LOAD
#
# WALLET_CORE_CONNECTIONS (10000) are open at once, and there are WALLET_CORE_WALLETS (1000000).
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../ABI/report.sh"
source "$here/cluster.sh"
source "$here/populate.sh"
provider=$1 load=$2
connections=${WALLET_CORE_CONNECTIONS:-10000} wallets=${WALLET_CORE_WALLETS:-1000000}
scratch=$(mktemp -d)
chmod 711 "$scratch"
trap 'end_cluster; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
largest_connection=48 # KiB of each idle connection
largest_growth=64     # MiB, from eight wallets to all of them
largest_slowdown=3     # of the processor time for a PIN; looking at each wallet would cost a thousand times as much

# start NAME [OPTION...]: a provider in a directory of that name; PostgreSQL is its store if that is the name.
start() {
  directory=$scratch/$1
  shift
  mkdir "$directory"
  chmod 711 "$directory"
  [[ $directory != */PostgreSQL ]] || start_database "$directory" || return
  start_replicas "$directory" "$provider" 1 --log-level error --address-rate 0 --wallet-rate 0 --registration-rate 0 "$@" ||
    return
  cluster_configuration "${replica_urls[0]}" >"$directory/configuration.json"
}

# steady: processor ms of a validation, and MiB of memory, with eight wallets in use.
steady() {
  "$load" steady --configuration "$directory/configuration.json" --connections 8 --wallets 8 --seconds 5 \
    --process "${replica_pids[0]}" | cut -d ' ' -f 4,5
}

name="$connections connections are open at the same time"
# None closes while the others are still being opened.
if ! start connections --connections-per-address 0 --max-connections "$connections" --idle-seconds 3600; then
  not_ok "$name" "the provider does not start"
elif figures=$("$here/connections.py" "${replica_urls[0]}" "${replica_pids[0]}" "$connections" 2>&1); then
  ok "$name, and no more"
  read -r before during after <<<"$figures"
  echo "# memory: $before KiB before $connections connections, $during KiB with them, $after KiB after them"
  holds "an idle connection takes at most $largest_connection KiB" \
    test $(((during - before) / connections)) -le "$largest_connection"
  holds "afterwards PINs are validated" steady
else
  not_ok "$name" "$figures"
fi
end_cluster

for store in SQLite PostgreSQL; do
  name="$wallets wallets on $store"
  if ! start "$store" || ! read -r cpu memory < <(steady); then
    not_ok "$name" "the provider does not start"
  elif populate "$directory" "$wallets" && read -r cpu_then memory_then < <(steady); then
    echo "# $store: $cpu ms and $memory MiB with eight wallets, $cpu_then ms and $memory_then MiB with $wallets"
    holds "$name: at most $largest_growth MiB more" \
      awk -v a="$memory" -v b="$memory_then" -v most="$largest_growth" 'BEGIN { exit !(b - a <= most) }'
    holds "$name: a PIN costs at most $largest_slowdown times as much" \
      awk -v a="$cpu" -v b="$cpu_then" -v most="$largest_slowdown" 'BEGIN { exit !(b <= a * most) }'
  else
    not_ok "$name" "PINs are not validated"
  fi
  end_cluster
done
