#!/usr/bin/env bash
# Tests what only a Python host can get wrong: its types, and the end of the interpreter.
#
#   Tests/Hosts/python/own.sh BUILD_DIRECTORY CONFIGURATION_FILE DIRECTORY
set -uo pipefail
cd "$(dirname "$0")/../../.." || exit
source Tests/ABI/report.sh
build=$1 configuration=$2 directory=$3

holds "the package is typed" Tests/Interop/python.sh "$build" -m mypy --strict --ignore-missing-imports \
  --cache-dir "$build/hosts/mypy" Examples/python/wallet_core Examples/python/first.py Examples/python/first_wallet.py
export PYTHONPATH=$PWD/Examples/python PYTHONDONTWRITEBYTECODE=1 WALLET_CORE_LIBRARY=$build/lib/libwallet_core.so.1
Tests/Hosts/python/ends.py "$configuration" "$directory/ends" || not_ok "ends.py made all its checks" "status $?"
Tests/Hosts/python/promises.py "$configuration" "$directory/promises" || not_ok "promises.py made all its checks" "status $?"
