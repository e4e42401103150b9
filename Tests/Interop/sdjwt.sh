#!/usr/bin/env bash
# PIDs and presentations against the PyPI package sd-jwt.
#
#   Tests/Interop/sdjwt.sh BUILD_DIRECTORY [FILE...]
#
# FILEs hold exchanges as sdjwt_test.py says; without any, the known answers that our own code is held
# against, so that what a wallet makes is judged by a verifier that was judged itself.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
(($#)) || set -- "$here/../Vectors/sdjwt.json"
"$here/python.sh" "$build" "$here/sdjwt_test.py" "$@"
