#!/usr/bin/env bash
# Builds the host with the HTTP stack of the Swift example. It is a program of the package `player`, so that the binding
# is compiled once for all tests.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
build=$(cd "$BUILD" && pwd)
source "$root/Tests/Support/swift_packages.sh"

compile http_check
