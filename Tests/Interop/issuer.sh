#!/usr/bin/env bash
# The command openssl and openvc-core judge the certificates of a provider, with the anchor alone.
#
#   Tests/Interop/issuer.sh WALLET_PROVIDER BUILD_DIRECTORY
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export REQUIREMENTS=$here/judges.txt PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$here/../Hosts
"$here/python.sh" "$2" "$here/issuer_chains.py" "$1"
