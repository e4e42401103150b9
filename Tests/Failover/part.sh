#!/usr/bin/env bash
# One part of the failover tests: three database machines, an evaluator, two providers, wallets that live on, and ROUNDS
# faults of one kind.
#
#   Tests/Failover/part.sh PROVIDER_DIRECTORY KIND ROUNDS
#
# KIND is kill, pause, cut or switchover. Needs the root user: the machines are network namespaces. Prints a line per
# check, and the times without a validation as comments.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
providers=$(cd "$1" && pwd) kind=$2 rounds=$3
if [[ -z ${FAILOVER_SCRATCH:-} ]]; then
  ((EUID == 0)) || { echo "not ok - failover: the machines are network namespaces, which the root user makes" && exit 1; }
  FAILOVER_SCRATCH=$(mktemp -d)
  export FAILOVER_SCRATCH
  chmod 711 "$FAILOVER_SCRATCH"
  trap '[[ -n ${FAILOVER_KEEP:-} ]] || rm -rf "$FAILOVER_SCRATCH"' EXIT
  # All processes end with this one, and with them the namespaces.
  unshare --net --mount --pid --fork --kill-child --mount-proc "$0" "$@" &
  inside=$!
  trap 'kill -KILL "$inside" 2>/dev/null; wait "$inside"; exit 130' INT TERM
  wait "$inside"
  exit
fi
scratch=$FAILOVER_SCRATCH
source "$here/../ABI/report.sh"
source "$here/../Cluster/cluster.sh"
source "$here/machines.sh"
source "$here/faults.sh"
seed=${WALLET_CORE_STRESS_SEED:-17}
name="$kind, $rounds times"

give_up() {
  not_ok "$name: $1" "$(tail -n 15 "$scratch"/db*/{patroni,etcd}.log "$scratch"/*.log 2>/dev/null | cut -c 1-240)"
  exit 1
}

# --- the database, as the article says ------------------------------------------------------------------------
postgresql_programs=$(dirname "$(readlink -f "$(postgresql postgres)")")
make_machines "$scratch" || give_up "the machines are made"
for number in "${machine_numbers[@]}"; do start_machine "$number"; done
eventually has_recovered || give_up "a leader and two standbys"
primary=$(leader)
# Not for the machines, which have passwords of their own.
as_superuser() { PGPASSWORD=SUPERUSER_PASSWORD "$@" --username postgres; }
at_primary() { as_superuser psql --quiet --no-align --tuples-only --set ON_ERROR_STOP=1 "$@" --host "db$(leader).example"; }
at_primary >/dev/null <<'SQL' || give_up "the role and the database"
CREATE ROLE wallet LOGIN PASSWORD 'PASSWORD';
CREATE DATABASE wallet OWNER wallet ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0;
CREATE TABLE written_by (machine text, number bigint);
SQL
eval "$(block "$article" sh 3 "$heading")"
database_url=$WALLET_PROVIDER_DATABASE

# --- providers and wallets ------------------------------------------------------------------------------------
start_replicas "$scratch" "$providers/wallet-provider" 2 --log-level error --address-rate 0 --wallet-rate 0 \
  --registration-rate 0 --attempt-rounds 4 --attempts-per-round 10 --failures-per-month 1000000 \
  --challenge-seconds 300 || give_up "the providers start"
cluster_configuration "${replica_urls[0]}" >"$scratch/configuration.json"
urls=()
for replica in "${replica_urls[@]}"; do urls+=(--url "$replica"); done
answers=$scratch/answers
"$providers/provider-load" live --configuration "$scratch/configuration.json" --seconds 100000 --until "$scratch/end" \
  --pause 400 --connections 12 --seed "$seed" --answers "$answers" "${urls[@]}" >"$scratch/lives" 2>&1 </dev/null &
lives=$!
was_answered_since() { "$here/answers.py" since "$1" "$answers" || ! kill -0 "$lives" 2>/dev/null; }

# --- the faults -----------------------------------------------------------------------------------------------
done_rounds=0 acknowledged=0 writers=()
for ((round = 1; round <= rounds; round++)); do
  eventually has_recovered || { not_ok "$name: the three machines are together again before round $round" && break; }
  primary=$(leader) || { not_ok "$name: there is a leader before round $round" && break; }
  eventually was_answered_since "$(now)" || { not_ok "$name: wallets are answered before round $round" && break; }
  began=$(now)
  if ! "fault_$kind" "$round" "$primary"; then
    not_ok "$name: round $round, $fault" "$(cat "$scratch"/members-*.json)"
    break
  fi
  successor=$(leader "$primary")
  # An answer of the new primary, to a question that was asked when it was there.
  new_since=$(now)
  eventually was_answered_since "$new_since" || { not_ok "$name: wallets are answered after round $round" && break; }
  { "after_$kind" "$round" "$primary" && eventually has_recovered && count_acknowledged; } || { not_ok "$name: after round $round, $fault" && break; }
  kill -0 "$lives" 2>/dev/null || break
  done_rounds=$round
  echo "# round $round: $fault, from db$primary to db$successor after $("$here/answers.py" gap "$began" "$new_since" "$answers") s without a validation"
done
same "$name: every fault was made, and another machine took over" "$rounds" "$done_rounds"

# --- what remains ---------------------------------------------------------------------------------------------
eventually has_recovered || not_ok "$name: the three machines are together in the end"
touch "$scratch/end"
if wait "$lives"; then
  ok "$name: no attempt was forgotten or counted twice: each answer follows from those before it"
else
  not_ok "$name: no attempt was forgotten or counted twice: each answer follows from those before it" "$(cat "$scratch/lives")"
fi
echo "# $(cat "$scratch/lives")"
# The comma, because `deleted wallets` has the word too.
counted() { sed 's/^/, /' "$scratch/lives" | grep -oE ", $1 [0-9]+" | grep -oE '[0-9]+$'; }
registered=$(counted wallets) deleted=$(counted 'deleted wallets')
same "$name: every wallet that was registered and not deleted is in the database" "$((${registered:-0} - ${deleted:-0}))" \
  "$(at_primary -d wallet -c 'SELECT count(*) FROM wallet WHERE confirmed')"
same "$name: no machine that was not the primary any more acknowledged a commit" 0 "$acknowledged"
if grep -hE 'Fatal error|panicked|Crash' "$scratch"/replica-*.log "$scratch/evaluator.log" >"$scratch/crashes" ||
  ! kill -0 "${replica_pids[@]}"; then
  not_ok "$name: no provider ended" "$(cat "$scratch/crashes")"
else
  ok "$name: no provider ended"
fi
