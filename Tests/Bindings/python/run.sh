#!/usr/bin/env bash
# Tests what only the Python binding can get wrong: its types, what it documents, and the end of the interpreter.
#
#   Tests/Bindings/python/run.sh BUILD_DIRECTORY CONFIGURATION_FILE DIRECTORY
set -uo pipefail
cd "$(dirname "$0")/../../.." || exit
source Tests/ABI/report.sh
build=$1 configuration=$2 directory=$3
binding=Sources/Bindings/python

holds "the package is typed" Tests/Interop/python.sh "$build" -m mypy --strict --ignore-missing-imports \
  --cache-dir "$build/mypy-binding" "$binding/wallet_core"
export PYTHONPATH=$PWD/$binding PYTHONDONTWRITEBYTECODE=1 WALLET_CORE_LIBRARY=$build/lib/libwallet_core.so.2
Tests/Bindings/python/ends.py "$configuration" "$directory/ends" || not_ok "ends.py made all its checks" "status $?"
Tests/Bindings/python/promises.py "$configuration" "$directory/promises" || not_ok "promises.py made all its checks" "status $?"
