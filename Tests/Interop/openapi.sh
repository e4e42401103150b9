#!/usr/bin/env bash
# Tests with openapi-spec-validator and schemathesis from PyPI that the OpenAPI description of a running provider is
# valid and matches its answers.
#
#   Tests/Interop/openapi.sh WALLET_PROVIDER BUILD_DIRECTORY [DATABASE_URL]
#
# With DATABASE_URL the provider keeps its rows there instead of in SQLite.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
program=$1 build=$2 database=${3:-}
source Tests/ABI/report.sh
source Tests/Support/patience.sh

scratch=$(mktemp -d)
server=
end_server() { [[ -z $server ]] || { kill "$server" && wait "$server"; } 2>/dev/null; }
trap 'end_server; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

options=(--data "$scratch/data" --port 0 --metrics-port 0 --enrol-page --proofing-hosts wallet.example
  --address-rate 0 --enrol-rate 0 --registration-rate 0)
[[ -z $database ]] || options+=(--database "$database")
: >"$scratch/output" # read below, perhaps before the provider has opened it
"$program" serve "${options[@]}" >"$scratch/output" 2>"$scratch/log" &
server=$!
is_up_or_gone() { (($(wc -l <"$scratch/output") >= 2)) || ! kill -0 "$server" 2>/dev/null; }
eventually is_up_or_gone
url=$(sed -n 's/^wallet-provider listens on //p' "$scratch/output")
metrics=$(sed -n 's/^metrics are at //p' "$scratch/output")
[[ -n $url && -n $metrics ]] || {
  not_ok "openapi: the provider starts" "$(cat "$scratch/log")"
  exit 1
}

curl --silent "$url/openapi.yaml" >"$scratch/openapi.yaml"
python=("$PWD/Tests/Interop/python.sh" "$build")
holds "openapi: the description is valid OpenAPI 3.1" \
  "${python[@]}" -m openapi_spec_validator "$scratch/openapi.yaml"

export PYTHONPATH=$PWD/Tests/Interop SCHEMATHESIS_HOOKS=openapi_hooks PYTHONDONTWRITEBYTECODE=1
# Valid messages are signed and random ones are not, so no success is expected. One worker: where two threads parse
# sources at once, Python 3.11 fails with "AST constructor recursion depth mismatch".
fuzz=("${python[@]}" -m schemathesis.cli run --seed 1 --no-color --warnings off
  --exclude-checks positive_data_acceptance,use_after_free,ensure_resource_availability
  --phases examples,coverage,fuzzing --continue-on-failure --max-examples 15 --workers 1
  --suppress-health-check all --request-timeout "$PATIENCE")
cd "$scratch" || exit
holds "openapi: schemathesis finds no undocumented answer" \
  "${fuzz[@]}" "$scratch/openapi.yaml" --url "$url" --exclude-path /metrics
holds "openapi: schemathesis finds none of the metrics either" \
  "${fuzz[@]}" "$scratch/openapi.yaml" --url "${metrics%/metrics}" --include-path /metrics
holds "openapi: nothing failed inside" bash -c '! grep --quiet "a request failed inside" "$1"' - "$scratch/log"
kill "$server"
wait "$server"
same "openapi: the provider ends in good order" 0 $?
server=
