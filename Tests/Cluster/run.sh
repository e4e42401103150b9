#!/usr/bin/env bash
# The provider as an operator runs it: replicas, PostgreSQL, nginx; attacked, killed, flooded.
#
#   Tests/Cluster/run.sh PROVIDER_DIRECTORY BUILD_DIRECTORY
#
# PROVIDER_DIRECTORY holds wallet-provider and provider-load. Kills last WALLET_CORE_KILL_SECONDS (6), floods
# WALLET_CORE_FLOOD_SECONDS (3) each; WALLET_CORE_GUESSES (500) guesses are made at a PIN.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
provider=$1/wallet-provider load=$1/provider-load

"$here/openapi.sh" "$provider" "$2"
"$here/guesses.sh" "$provider" "$load" "${WALLET_CORE_GUESSES:-500}"
"$here/kills.sh" "$provider" "$load" "${WALLET_CORE_KILL_SECONDS:-6}"
"$here/overload.sh" "$provider" "$load" "${WALLET_CORE_FLOOD_SECONDS:-3}"
