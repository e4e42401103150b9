#!/usr/bin/env bash
# PIDs and presentations against the PyPI package sd-jwt.
#
#   Tests/Interop/sdjwt.sh BUILD_DIRECTORY [FILE...]
#
# FILEs hold exchanges as sdjwt_test.py says. Without any these are the known answers that our own code is
# held against, and what SDJWTExchangeTests and PresentationExchangeTests wrote to BUILD_DIRECTORY:
# exchanges.json and presented.json.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
if (($# == 0)); then
  set -- "$here/../Vectors/sdjwt.json"
  for made in exchanges presented; do
    [[ ! -e $build/$made.json ]] || set -- "$@" "$build/$made.json"
  done
fi
"$here/python.sh" "$build" "$here/sdjwt_test.py" "$@"
