#!/usr/bin/env bash
# Compares the provider with the least that its work could cost, and prints Markdown tables.
#
#   Tests/Benchmarks/provider.sh WALLET_PROVIDER PROVIDER_LOAD PROVIDER_BARE
#
# Nothing is asserted: read the ratios. They are of processor time, so that what else runs on the machine matters
# less. Clients and PostgreSQL share the machine with the provider. Each figure is the median of
# BENCH_PROVIDER_RUNS runs (3) of BENCH_PROVIDER_SECONDS (5); the databases grow to BENCH_PROVIDER_WALLETS.
# BENCH_PROVIDER_STORES and BENCH_PROVIDER_CONNECTIONS choose less than all. pgbench, too, runs the statements of a
# validation: with as many clients, but no more than the provider has connections to the database.
set -euo pipefail
cd "$(dirname "$0")/../.."
source Tests/Cluster/cluster.sh
source Tests/Cluster/populate.sh
[[ -z ${WALLET_CORE_COMPILE_ONLY:-} ]] || exit 0 # there is nothing to compile here
provider=$1 load=$2 bare=$3
runs=${BENCH_PROVIDER_RUNS:-3} seconds=${BENCH_PROVIDER_SECONDS:-5}
read -ra sizes <<<"${BENCH_PROVIDER_WALLETS:-1000 10000 100000 1000000}"
read -ra widths <<<"${BENCH_PROVIDER_CONNECTIONS:-1 8 64 256}"
read -ra stores <<<"${BENCH_PROVIDER_STORES:-SQLite PostgreSQL}"
scratch=$(mktemp -d)
chmod 711 "$scratch"
bare_pid=
end() {
  [[ -z $bare_pid ]] || kill "$bare_pid" 2>/dev/null || true
  end_cluster
  rm -rf "$scratch"
}
trap end EXIT
trap 'exit 130' INT TERM

row() {
  local cells
  printf -v cells ' %s |' "$@"
  echo "|$cells"
}

# ratio A B: empty if there is no B.
ratio() {
  [[ -z $2 ]] || awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'
}

# The median of each column.
medians() {
  awk '{ for (i = 1; i <= NF; i++) values[i, NR] = $i; fields = NF }
    END {
      for (i = 1; i <= fields; i++) {
        for (a = 1; a <= NR; a++) sorted[a] = values[i, a]
        for (a = 1; a < NR; a++) for (b = a + 1; b <= NR; b++)
          if (sorted[b] + 0 < sorted[a] + 0) { t = sorted[a]; sorted[a] = sorted[b]; sorted[b] = t }
        printf "%s%s", sorted[int((NR + 1) / 2)], i < fields ? " " : "\n"
      }
    }'
}

# steady CONNECTIONS [OPTION...]: rate, p50, p99, CPU per validation, memory.
steady() {
  local connections=$1
  shift
  for ((run = 0; run < runs; run++)); do
    "$load" steady --configuration "$scratch/configuration.json" --connections "$connections" \
      --wallets "$connections" --seconds "$seconds" --process "${replica_pids[0]}" "$@"
  done | medians
}

# store NAME: starts a provider on that store.
store() {
  local directory=$scratch/$1
  mkdir -p "$directory"
  chmod 711 "$directory"
  if [[ $1 == PostgreSQL ]]; then start_database "$directory"; fi
  start_replicas "$directory" "$provider" 1 --log-level error --address-rate 0 --wallet-rate 0 \
    --registration-rate 0 --connections-per-address 0
  cluster_configuration "${replica_urls[0]}" >"$scratch/configuration.json"
}

# bare_requests CONNECTIONS: the CPU of two requests at a route that answers a constant.
bare_requests() {
  for ((run = 0; run < runs; run++)); do
    "$load" requests --url "$bare_url" --process "$bare_pid" --connections "$1" --seconds "$seconds"
  done | medians
}

sql() { "$(postgresql psql)" --quiet --no-psqlrc --output=/dev/null "$database_url" "$@"; }

# log_statements DIRECTORY: has the statements of a validation in the database's log, DIRECTORY/database.log.
log_statements() {
  coproc client { "$load" validations --configuration "$scratch/configuration.json" --count 3; }
  # shellcheck disable=SC2154 # made by coproc
  read -r -u "${client[0]}" -t "$PROGRAM_PATIENCE"
  sql -c "ALTER SYSTEM SET log_statement = 'all'" -c 'SELECT pg_reload_conf()'
  eventually sees_statements "$1/database.log"
  echo go >&"${client[1]}"
  read -r -u "${client[0]}" -t "$PROGRAM_PATIENCE"
  exec {client[1]}>&-
  # shellcheck disable=SC2154 # made by coproc
  wait "$client_PID"
  sql -c 'ALTER SYSTEM RESET log_statement' -c 'SELECT pg_reload_conf()'
}

# A server takes over its settings a moment after it was told to.
sees_statements() {
  sql -c 'SELECT 1'
  grep -q 'LOG:  statement: SELECT 1' "$1"
}

"$bare" serve >"$scratch/bare.out" 2>"$scratch/bare.log" </dev/null &
bare_pid=$!
eventually grep -q '^bare ' "$scratch/bare.out"
bare_url=http://127.0.0.1:$(sed -n 's/^bare //p' "$scratch/bare.out")

read -r checks multiplications commit record < <(
  for ((run = 0; run < 5; run++)); do "$load" baseline --directory "$scratch"; done | medians
)
echo "One validation of a PIN is two requests. At the least it costs provider and evaluator five signature checks,"
echo "$checks ms of CPU; the evaluation of the PIN by each half of its key with its proof, twelve multiplications,"
echo "$multiplications ms; four durable commits: the attempt and the right PIN, each at the evaluator and at the"
echo "provider, $commit ms each in a bare SQLite file; and two requests to a bare route of Hummingbird that reads them"
echo "and answers a constant. The record that the evaluator has on disk before each of its commits is not in the least;"
echo "it is written in place, for less than the $record ms of a file that takes the place of another one."
echo
row store connections 'validations/s' 'p50 ms' 'p99 ms' 'p99 / p50 of 1' 'CPU ms' 'bare requests ms' 'bare commits ms' \
  'the least ms' 'of the least' 'memory MiB'
row --- --: --: --: --: --: --: --: --: --: --: --:
growth= statements= rates=()
for name in "${stores[@]}"; do
  store "$name"
  commits=$(awk -v a="$commit" 'BEGIN { printf "%.4f", 4 * a }')
  if [[ $name == PostgreSQL ]]; then
    # Two of the four are the evaluator's, which has a file.
    server=$(for ((run = 0; run < 5; run++)); do "$bare" commit --database "$database_url"; done | medians)
    commits=$(awk -v a="$commit" -v b="$server" 'BEGIN { printf "%.4f", 2 * a + 2 * b }')
  fi
  single=
  if [[ $name == PostgreSQL ]]; then
    log_statements "$scratch/$name"
    populate "$scratch/$name" 16
  fi
  for connections in "${widths[@]}"; do
    requests=$(bare_requests "$connections")
    read -r rate p50 p99 cpu memory < <(steady "$connections")
    least=$(awk -v a="$checks" -v b="$multiplications" -v c="$commits" -v d="$requests" \
      'BEGIN { printf "%.4f", a + b + c + d }')
    ((connections > 1)) || single=$p50
    row "$name" "$connections" "$rate" "$p50" "$p99" "$(ratio "$p99" "$single")" "$cpu" "$requests" "$commits" \
      "$least" "$(ratio "$cpu" "$least")" "$memory"
    rates[connections]=$rate
  done
  # After all widths, because it leaves rows behind.
  if [[ $name == PostgreSQL ]]; then
    for connections in "${widths[@]}"; do
      bench=$(python3 Tests/Benchmarks/statements.py "$scratch/$name/database.log" "$database_url" \
        "$(postgresql pgbench)" "$((connections < 8 ? connections : 8))" "$seconds" "$runs")
      statements+=$(row "$connections" "${rates[connections]}" "$bench" "$(ratio "$bench" "${rates[connections]}")")$'\n'
    done
    sql -c 'DELETE FROM challenge' -c 'VACUUM challenge, wallet'
  fi
  # Each is served once, and what is remembered of it is in memory.
  ((${#sizes[@]})) || { end_cluster && continue; }
  before=$memory
  for ((wallets = 0; wallets < 10000; wallets += 2500)); do
    read -r _ _ _ _ after < <(runs=1 steady 8 --wallets 2500)
  done
  growth+=$(printf '\n%s: %s MiB before 10,000 wallets, %s MiB after.' "$name" "$before" "$after")
  for size in "${sizes[@]}"; do
    populate "$scratch/$name" "$size"
    read -r rate p50 p99 cpu memory < <(steady 8)
    growth+=$'\n'$(row "$name" "$size" "$rate" "$p50" "$p99" "$cpu" "$memory")
  done
  end_cluster
done
if [[ -n $statements ]]; then
  echo
  row connections 'validations/s on PostgreSQL' 'their statements by pgbench/s' 'pgbench / validations'
  row --: --: --: --:
  echo -n "$statements"
fi
((${#sizes[@]})) || exit 0
echo
row store wallets 'validations/s' 'p50 ms' 'p99 ms' 'CPU ms' 'memory MiB'
row --- --: --: --: --: --: --:
grep '^|' <<<"$growth"
echo
grep -v '^|' <<<"$growth"
