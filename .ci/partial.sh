#!/usr/bin/env bash
# Runs SwiftPM on the part of the package that WALLET_CORE_ONLY or WALLET_CORE_READERS chooses.
#
#   .ci/partial.sh build|test --scratch-path DIRECTORY [OPTION...] [--filter TESTS]
#
# A part has fewer dependencies than the package. By itself SwiftPM would store their versions alone in Package.resolved,
# or delete it, while other builds read it. So a part takes the versions of the package and stores none.
#
# Builds in one directory wait for each other. SwiftPM itself lets them wait only if they have the same TMPDIR, which
# parts of the tests do not. A build and tests in one directory do not wait, and must not run at the same time.
set -euo pipefail
cd "$(dirname "$0")/.."
action=$1
shift
options=() filter=() scratch=
while (($# > 0)); do
  case $1 in
    --filter) filter=("$1" "$2") && shift ;;
    --scratch-path) scratch=$2 && options+=("$1" "$2") && shift ;;
    *) options+=("$1") ;;
  esac
  shift
done
: "${scratch:?--scratch-path is missing}"
[[ $action != test ]] || options+=(--build-tests)
mkdir -p build "$(dirname "$scratch")"
(
  flock 9
  [[ -e Package.resolved ]] ||
    env -u WALLET_CORE_ONLY -u WALLET_CORE_READERS "${SWIFT:-swift}" package resolve >build/resolved.log 2>&1 ||
    { cat build/resolved.log >&2 && exit 1; }
) 9>build/resolved.lock
# In a random order of traits SwiftPM would compile packages again. `swift test` would give tests that order too.
SWIFT_DETERMINISTIC_HASHING=1 flock --close "$scratch.lock" \
  "${SWIFT:-swift}" build --disable-automatic-resolution "${options[@]}"
[[ $action != build ]] || exit 0
unset 'options[-1]'
exec "${SWIFT:-swift}" test --skip-build --disable-automatic-resolution "${options[@]}" "${filter[@]}"
