#!/usr/bin/env bash
# Tests the first host in Swift.
#
#   Tests/Hosts/swift/own.sh BUILD_DIRECTORY CONFIGURATION_FILE STATE_DIRECTORY
set -uo pipefail
cd "$(dirname "$0")/../../.." || exit
source Tests/ABI/report.sh
source Tests/Support/patience.sh
programs=$1/hosts/swift
configuration=$2
directory=$3

first() { timeout --kill-after=5 "$PROGRAM_PATIENCE" "$programs/first" "$@" 2>&1; }
found=$(first "$configuration")
same "the first host succeeds" "status 0" "status $?"
same "the first host prints the configuration, the lock and the version" \
  $'configuration N\n  locks after N s without activity\nlocked\nthis version is ok' \
  "$(sed -E 's/[0-9]+/N/' <<<"$found")"
found=$(first "$directory/missing.json")
same "the first host fails if its configuration is missing" "status 1" "status $?"
same "the first host names the missing file" "said" "${found/first: *missing.json*/said}"
