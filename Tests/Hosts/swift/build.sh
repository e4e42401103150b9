#!/usr/bin/env bash
# Builds BUILD_DIRECTORY/hosts/swift/player, a host that uses the Swift binding with the library for tests; and the
# first host, `first`.
#
#   Tests/Hosts/swift/build.sh BUILD_DIRECTORY
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$(cd "$1" && pwd)
source "$root/Tests/Support/swift_packages.sh"

compile player first
