#!/usr/bin/env bash
# Kills replicas, PostgreSQL and the evaluator at random while wallets are in use: no answered change is lost, and no request is
# carried out twice. WALLET_CORE_STRESS_SEED sets the seed; an exhaustive run takes a new one each time.
#
#   Tests/Cluster/kills.sh WALLET_PROVIDER PROVIDER_LOAD SECONDS
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../ABI/report.sh"
source "$here/cluster.sh"
provider=$1 load=$2 seconds=$3
scratch=$(mktemp -d)
chmod 711 "$scratch"
trap 'end_cluster; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
seed=${WALLET_CORE_STRESS_SEED:-17}
[[ -n ${WALLET_CORE_STRESS_SEED:-} || ${WALLET_CORE_EXHAUSTIVE:-} != 1 ]] || seed=$RANDOM
echo "# kills: seed $seed"
RANDOM=$seed
name="wallets live through kills of replicas, PostgreSQL and the evaluator"

start_database "$scratch" && start_replicas "$scratch" "$provider" 3 --log-level error \
  --address-rate 0 --wallet-rate 0 --registration-rate 0 --attempt-rounds 4 --attempts-per-round 10 --failures-per-month 1000000 --challenge-seconds 300 &&
  start_proxy "$scratch" || { not_ok "$name: the cluster starts" && exit; }
cluster_configuration "$proxy_url" >"$scratch/configuration.json"
urls=(--url "$proxy_url")
for replica in "${replica_urls[@]}"; do urls+=(--url "$replica"); done
SECONDS=0
"$load" live --configuration "$scratch/configuration.json" --seconds "$seconds" --seed "$seed" "${urls[@]}" \
  >"$scratch/lives" 2>&1 </dev/null &
lives=$!

# No kills in the last seconds: wallets must recover without help.
replica_kills=0 database_kills=0 evaluator_kills=0
while ((SECONDS < seconds - 3 || replica_kills == 0 || evaluator_kills == 0)) && kill -0 "$lives" 2>/dev/null; do
  sleep "0.$((RANDOM % 8 + 2))"
  turn=$(((replica_kills + database_kills + evaluator_kills) % 5))
  if ((turn == 0)); then
    kill_evaluator
    ((evaluator_kills++))
    sleep "0.$((RANDOM % 9))"
    revive_evaluator || break
  elif ((turn == 4)); then
    kill_database
    ((database_kills++))
    sleep "0.$((RANDOM % 9))"
    revive_database || break
  else
    victim=$((RANDOM % 3))
    kill_replica "$victim"
    ((replica_kills++))
    sleep "0.$((RANDOM % 9))"
    # A replica that finds no database at its start is restarted, as by a supervisor.
    for ((tries = 0; tries < 20; tries++)); do revive_replica "$victim" 2>/dev/null && break; done
  fi
done
if wait "$lives"; then
  ok "$name"
  echo "# $replica_kills kills of replicas, $database_kills of PostgreSQL, $evaluator_kills of the evaluator in $seconds s: $(cat "$scratch/lives")"
else
  not_ok "$name" "$(cat "$scratch/lives")"
fi
holds "replicas and the evaluator were killed meanwhile" test "$replica_kills" -gt 0 -a "$evaluator_kills" -gt 0
# Replicas end only by these kills.
if grep -hE 'Fatal error|panicked|Crash' "$scratch"/replica-*.log "$scratch/evaluator.log" >"$scratch/crashes"; then
  not_ok "no replica ended by itself" "$(cat "$scratch/crashes")"
else
  ok "no replica ended by itself"
fi
