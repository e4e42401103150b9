#!/usr/bin/env bash
# Tests the articles Messages and Message examples, and a running provider, with a client in Python that was written from
# the articles alone and shares no code with the wallet or the provider.
#
#   Tests/Interop/protocol.sh WALLET_PROVIDER BUILD_DIRECTORY
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
program=$(realpath "$1") build=$2
source Tests/ABI/report.sh
source Tests/Support/patience.sh

scratch=$(mktemp -d)
server=
end_server() { [[ -z $server ]] || { kill "$server" && wait "$server"; } 2>/dev/null; }
trap 'end_server; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

: >"$scratch/output" # read below, perhaps before the provider has opened it
"$program" serve --data "$scratch/data" --port 0 --demonstration >"$scratch/output" 2>"$scratch/log" &
server=$!
is_up_or_gone() { (($(wc -l <"$scratch/output") >= 1)) || ! kill -0 "$server" 2>/dev/null; }
eventually is_up_or_gone
url=$(sed -n 's/^wallet-provider listens on //p' "$scratch/output")
[[ -n $url ]] || {
  not_ok "protocol: the provider starts" "$(cat "$scratch/log")"
  exit 1
}
"$program" client-configuration --data "$scratch/data" --url "$url" --out "$scratch/client.json" || exit

export PYTHONDONTWRITEBYTECODE=1
Tests/Interop/python.sh "$build" Tests/Interop/protocol/protocol_test.py \
  Sources/wallet_core/wallet_core.docc/message-examples.md "$scratch/client.json" "$url" "$program" "$scratch/data"
ended=$?
holds "protocol: nothing failed inside" bash -c '! grep --quiet "a request failed inside" "$1"' - "$scratch/log"
exit "$ended"
