#!/usr/bin/env bash
# A status list of the provider against the PyPI package openvc-core.
#
#   Tests/Interop/statuslist.sh BUILD_DIRECTORY
#
# StatusListExchangeTests wrote BUILD_DIRECTORY/status-lists.json. If WALLET_CORE_EXCHANGES is set, that test was run
# before, and the file is required; .ci/tests/run.py sets it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
file=$1/status-lists.json
if [[ -s $file ]]; then
  echo "ok - the tests wrote status-lists.json"
elif [[ -n ${WALLET_CORE_EXCHANGES:-} ]]; then
  echo "not ok - the tests wrote status-lists.json"
  exit 1
else
  echo "# no status-lists.json: the Swift tests were not run with WALLET_CORE_EXCHANGES"
  exit 0
fi
export REQUIREMENTS=$here/judges.txt PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$here/../Hosts
"$here/python.sh" "$1" "$here/statuslist_test.py" "$file"
