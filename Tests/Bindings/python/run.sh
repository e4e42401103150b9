#!/usr/bin/env bash
# What only a binding for Python can get wrong: its types, its promises, and the end of the interpreter.
#
#   Tests/Bindings/python/run.sh BUILD_DIRECTORY CONFIGURATION_FILE DIRECTORY
set -uo pipefail
cd "$(dirname "$0")/../../.." || exit
source Tests/ABI/report.sh
build=$1 configuration=$2 directory=$3
binding=Sources/Bindings/python

holds "the package is typed" Tests/Interop/python.sh "$build" -m mypy --strict --ignore-missing-imports \
  --cache-dir "$build/mypy-binding" "$binding/wallet_core"
export PYTHONPATH=$PWD/$binding PYTHONDONTWRITEBYTECODE=1 WALLET_CORE_LIBRARY=$build/lib/libwallet_core.so.1
Tests/Bindings/python/ends.py "$configuration" "$directory/ends" || not_ok "its ends were tried" "status $?"
Tests/Bindings/python/promises.py "$configuration" "$directory/promises" || not_ok "its promises were tried" "status $?"
