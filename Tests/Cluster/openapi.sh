#!/usr/bin/env bash
# The OpenAPI description again, of a provider on PostgreSQL.
#
#   Tests/Cluster/openapi.sh WALLET_PROVIDER BUILD_DIRECTORY
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../ABI/report.sh"
source "$here/cluster.sh"
scratch=$(mktemp -d)
chmod 711 "$scratch"
trap 'end_cluster; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

if start_database "$scratch"; then
  "$here/../Interop/openapi.sh" "$1" "$2" "$database_url" | sed 's/ok - openapi/&, PostgreSQL/'
else
  not_ok "openapi: PostgreSQL starts"
fi
