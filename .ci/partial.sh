#!/usr/bin/env bash
# Runs SwiftPM on the part of the package that WALLET_CORE_ONLY or WALLET_CORE_READERS chooses.
#
#   .ci/partial.sh build|test --scratch-path DIRECTORY [OPTION...]
#
# A part has fewer dependencies than the package. By itself SwiftPM would store their versions alone in Package.resolved,
# or delete it, while other builds read it. So a part takes the versions of the package and stores none.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
action=$1
shift
[[ ! -e Package.resolved ]] || exec "${SWIFT:-swift}" "$action" --disable-automatic-resolution "$@"
"${SWIFT:-swift}" "$action" "$@"
status=$?
rm -f Package.resolved
exit "$status"
