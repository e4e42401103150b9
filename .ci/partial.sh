#!/usr/bin/env bash
# Runs SwiftPM on the part of the package that WALLET_CORE_ONLY or WALLET_CORE_READERS chooses.
#
#   .ci/partial.sh build|test --scratch-path DIRECTORY [OPTION...]
#
# A part has fewer dependencies than the package. By itself SwiftPM would store their versions alone in Package.resolved,
# or delete it, while other builds read it. So a part takes the versions of the package and stores none.
set -euo pipefail
cd "$(dirname "$0")/.."
action=$1
shift
mkdir -p build
(
  flock 9
  [[ -e Package.resolved ]] ||
    env -u WALLET_CORE_ONLY -u WALLET_CORE_READERS "${SWIFT:-swift}" package resolve >build/resolved.log 2>&1 ||
    { cat build/resolved.log >&2 && exit 1; }
) 9>build/resolved.lock
# In a random order of traits SwiftPM would compile packages again. `swift test` would give tests that order too.
[[ $action == test ]] || export SWIFT_DETERMINISTIC_HASHING=1
exec "${SWIFT:-swift}" "$action" --disable-automatic-resolution "$@"
