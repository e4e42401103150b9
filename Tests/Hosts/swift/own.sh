#!/usr/bin/env bash
# What the Swift host promises besides what all hosts do.
#
#   Tests/Hosts/swift/own.sh BUILD_DIRECTORY CONFIGURATION_FILE STATE_DIRECTORY
set -uo pipefail
timeout --kill-after=5 60 "$1/hosts/swift/promises" "$2" "$3"
status=$?
((status <= 1)) || echo "not ok - the promises are kept: ended with status $status"
exit $status
