#!/usr/bin/env bash
# Draws where the processor time of validations goes: the provider with its evaluator, on SQLite, at 8 connections.
#
#   Tests/Benchmarks/flames.sh WALLET_PROVIDER PROVIDER_LOAD PICTURE.svg TITLE
#
# With WALLET_CORE_WRITE_PERFORMANCE=1 it is put into the article too. Needs the system's permission to read stacks
# (`kernel.perf_event_paranoid` at most 1, or root).
set -euo pipefail
cd "$(dirname "$0")/../.."
source Tests/Cluster/cluster.sh
[[ -z ${WALLET_CORE_COMPILE_ONLY:-} ]] || exit 0 # there is nothing to compile here
provider=$1 load=$2 picture=$3 title=$4
seconds=${BENCH_PROVIDER_SECONDS:-10}
mkdir -p "$(dirname "$picture")"
scratch=$(mktemp -d)
trap 'end_cluster; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

start_replicas "$scratch" "$provider" 1 --log-level error --address-rate 0 --wallet-rate 0 --registration-rate 0 \
  --connections-per-address 0
cluster_configuration "${replica_urls[0]}" >"$scratch/configuration.json"
perf record --quiet --no-buildid-cache --event=cpu-clock --freq=1999 --call-graph=fp --output="$scratch/data" \
  --pid="${replica_pids[0]}" 2>"$scratch/perf.log" &
recorder=$!
"$load" steady --configuration "$scratch/configuration.json" --connections 8 --wallets 8 --seconds "$seconds" \
  --process "${replica_pids[0]}" >/dev/null
kill -INT "$recorder" 2>/dev/null || { cat "$scratch/perf.log" >&2 && exit 1; }
# perf ends with the status of the signal.
wait "$recorder" || true
perf script --input="$scratch/data" --fields=comm,ip,sym,dso 2>>"$scratch/perf.log" |
  python3 -B Tests/Benchmarks/Report/flames.py "$title" "${SWIFT:-swift}" >"$picture" ||
  { cat "$scratch/perf.log" >&2 && exit 1; }
echo "flames: wrote $picture"
[[ -z ${WALLET_CORE_WRITE_PERFORMANCE:-} ]] ||
  cp "$picture" Sources/wallet_core/wallet_core.docc/Resources/performance-flames.svg
