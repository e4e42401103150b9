#!/usr/bin/env bash
# Tests the types of the example; there is nothing to build.
set -euo pipefail
cd "$(dirname "$0")/../../.."
MYPYPATH=Sources/Bindings/python:Examples/python Tests/Interop/python.sh "$BUILD" -m mypy --strict --cache-dir "$BUILD/mypy-http" \
  Examples/python/http_stack.py Examples/python/http_address.py
