#!/usr/bin/env bash
# PIDs and presentations against the PyPI package sd-jwt.
#
#   Tests/Interop/sdjwt.sh BUILD_DIRECTORY [FILE...]
#
# FILEs hold exchanges as sdjwt_test.py says. Without any these are the known answers that our own code is
# held against, and what SDJWTExchangeTests wrote to BUILD_DIRECTORY/exchanges.json.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
if (($# == 0)); then
  set -- "$here/../Vectors/sdjwt.json"
  [[ ! -e $build/exchanges.json ]] || set -- "$@" "$build/exchanges.json"
fi
"$here/python.sh" "$build" "$here/sdjwt_test.py" "$@"
