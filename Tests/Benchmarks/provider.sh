#!/usr/bin/env bash
# Compares the provider with the least that its work could cost, and prints Markdown tables.
#
#   Tests/Benchmarks/provider.sh WALLET_PROVIDER PROVIDER_LOAD
#
# Nothing is asserted: read the ratios, measured on an idle machine. Clients and PostgreSQL share the machine
# with the provider. Each figure is the median of BENCH_PROVIDER_RUNS runs (3) of
# BENCH_PROVIDER_SECONDS (5); the databases grow to BENCH_PROVIDER_WALLETS.
set -euo pipefail
cd "$(dirname "$0")/../.."
source Tests/Cluster/cluster.sh
[[ -z ${WALLET_CORE_COMPILE_ONLY:-} ]] || exit 0 # there is nothing to compile here
provider=$1 load=$2
runs=${BENCH_PROVIDER_RUNS:-3} seconds=${BENCH_PROVIDER_SECONDS:-5}
read -ra sizes <<<"${BENCH_PROVIDER_WALLETS:-1000 10000 100000 1000000}"
scratch=$(mktemp -d)
chmod 711 "$scratch"
trap 'end_cluster; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

row() {
  local cells
  printf -v cells ' %s |' "$@"
  echo "|$cells"
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
    --registration-rate 0
  cluster_configuration "${replica_urls[0]}" >"$scratch/configuration.json"
}

# populate COUNT: adds copies of the first wallet until there are COUNT.
populate() {
  if [[ -n $database_url ]]; then
    "$(postgresql psql)" --quiet --no-psqlrc "$database_url" -c "
      DO \$\$ DECLARE columns text; BEGIN
        SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) INTO columns
          FROM information_schema.columns WHERE table_name = 'wallet'
          AND column_name NOT IN ('id', 'registration', 'hardware_key_hash');
        EXECUTE format('INSERT INTO wallet (id, registration, hardware_key_hash, %s)
          SELECT md5(n::text), md5(n::text), sha256(n::text::bytea), %s
          FROM (SELECT * FROM wallet LIMIT 1) AS first,
            generate_series((SELECT count(*) + 1 FROM wallet), $1) AS n', columns, columns);
      END \$\$" -c 'ANALYZE wallet'
  else
    python3 - "$scratch/SQLite/replica-0/wallet-provider.sqlite" "$1" <<'END'
import hashlib, sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.row_factory = sqlite3.Row
first = dict(database.execute("SELECT * FROM wallet LIMIT 1").fetchone())
count = database.execute("SELECT count(*) FROM wallet").fetchone()[0]
def wallet(n):
    text = hashlib.md5(str(n).encode()).hexdigest()
    return {**first, "id": text, "registration": text,
            "hardware_key_hash": hashlib.sha256(text.encode()).digest()}
names = ", ".join(first)
places = ", ".join(":" + name for name in first)
with database:
    database.executemany(f"INSERT INTO wallet ({names}) VALUES ({places})",
                         (wallet(n) for n in range(count, int(sys.argv[2]))))
database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
END
  fi
}

read -r checks multiplications commits < <(
  for ((run = 0; run < 5; run++)); do "$load" baseline --directory "$scratch"; done | medians
)
least=$(awk -v a="$checks" -v b="$multiplications" -v c="$commits" 'BEGIN { print a + b + c }')
echo "One validation of a PIN is two requests. At the least it costs provider and evaluator five signature"
echo "checks, $checks ms of CPU, the multiplications of two evaluations with their proofs, $multiplications ms,"
echo "and four durable commits, $commits ms in a bare SQLite file."
echo
row store connections 'validations/s' 'p50 ms' 'p99 ms' 'CPU ms' 'of the least' 'memory MiB'
row --- --: --: --: --: --: --: --:
growth=
for name in SQLite PostgreSQL; do
  store "$name"
  for connections in 1 8 64; do
    read -r rate p50 p99 cpu memory < <(steady "$connections")
    row "$name" "$connections" "$rate" "$p50" "$p99" "$cpu" \
      "$(awk -v a="$cpu" -v b="$least" 'BEGIN { printf "%.2f", a / b }')" "$memory"
  done
  # Each is served once, and what is remembered of it is in memory.
  before=$memory
  for ((wallets = 0; wallets < 10000; wallets += 2500)); do
    read -r _ _ _ _ after < <(runs=1 steady 8 --wallets 2500)
  done
  growth+=$(printf '\n%s: %s MiB before 10,000 wallets, %s MiB after.' "$name" "$before" "$after")
  for size in "${sizes[@]}"; do
    populate "$size"
    read -r rate p50 p99 cpu memory < <(steady 8)
    growth+=$'\n'$(row "$name" "$size" "$rate" "$p50" "$p99" "$cpu" "$memory")
  done
  end_cluster
done
echo
row store wallets 'validations/s' 'p50 ms' 'p99 ms' 'CPU ms' 'memory MiB'
row --- --: --: --: --: --: --:
grep '^|' <<<"$growth"
echo
grep -v '^|' <<<"$growth"
