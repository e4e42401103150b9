#!/usr/bin/env bash
# PIDs of the provider, as issued and as a wallet presents them, before polaris-oid4vp, openvc-core and sd-jwt.
#
#   Tests/Interop/pids.sh BUILD_DIRECTORY
#
# BUILD_DIRECTORY has pid_requests.json of judges.sh, and pids_presented.json and pids_issued.json, in which Swift tests
# answer those requests and keep batches of the provider.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
export REQUIREMENTS=$here/judges.txt PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$here/../Support:$here/../Hosts
for file in pid_requests pids_presented pids_issued; do
  if [[ ! -s $build/$file.json ]]; then
    echo "not ok - the tests wrote $file.json"
    exit 1
  fi
done
"$here/python.sh" "$build" "$here/pid_judges.py" "$build"/{pid_requests,pids_presented,pids_issued}.json
