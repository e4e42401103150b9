#!/usr/bin/env bash
# PIDs and presentations against the PyPI package sd-jwt.
#
#   Tests/Interop/sdjwt.sh BUILD_DIRECTORY [FILE...]
#
# FILEs hold exchanges in the form of sdjwt_test.py. By default these are the test vectors of the project's own code,
# and the files that SDJWTExchangeTests, IssuedExchangeTests and PresentationExchangeTests wrote to BUILD_DIRECTORY:
# exchanges.json, issued.json and presented.json. If WALLET_CORE_EXCHANGES is set, those tests were run before, and
# each of these files is required. .ci/tests/run.py sets it, and removes older files.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
missing=0
if (($# == 0)); then
  set -- "$here/../Vectors/sdjwt.json"
  for made in exchanges issued presented; do
    file=$build/$made.json
    if [[ -n ${WALLET_CORE_EXCHANGES:-} ]]; then
      if [[ -s $file ]]; then
        echo "ok - the tests wrote $made.json"
      else
        echo "not ok - the tests wrote $made.json"
        missing=1
        continue
      fi
    elif [[ ! -e $file ]]; then
      echo "# no $made.json: the Swift tests were not run with WALLET_CORE_EXCHANGES"
      continue
    fi
    set -- "$@" "$file"
  done
fi
"$here/python.sh" "$build" "$here/sdjwt_test.py" "$@"
exit $missing
