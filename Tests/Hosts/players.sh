#!/usr/bin/env bash
# Builds the players of the bindings and the bindings' own tests, which takes longer than running them. They need no
# provider, so a run of all tests does this while the provider is still being built.
#
#   Tests/Hosts/players.sh BUILD_DIRECTORY
#
# BUILD_DIRECTORY/lib has libwallet_core_testing.so. Prints a line per language.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
root=$PWD build=$(cd "$1" && pwd)
source Tests/ABI/report.sh
source Tests/Support/swift_packages.sh

for host in python kotlin swift; do
  holds "the player in $host is built" "Tests/Hosts/$host/build.sh" "$build"
done
holds "the tests of the Swift binding are built" compile promises
