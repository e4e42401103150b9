#!/usr/bin/env bash
# Tests the types of the first hosts in Python.
#
#   Tests/Hosts/python/own.sh BUILD_DIRECTORY CONFIGURATION_FILE DIRECTORY
set -uo pipefail
cd "$(dirname "$0")/../../.." || exit
source Tests/ABI/report.sh

export MYPYPATH=Sources/Bindings/python
holds "the first hosts are typed" Tests/Interop/python.sh "$1" -m mypy --strict --ignore-missing-imports \
  --cache-dir "$1/mypy-hosts" Examples/python/first.py Examples/python/first_wallet.py
