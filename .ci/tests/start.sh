#!/usr/bin/env bash
# Builds what the tests run, and runs them. Two builds run at the same time, because each one alone often keeps only one
# core busy. The provider is built last, and tests that do not need it begin before it is.
#
#   MAKE=make .ci/tests/start.sh [OPTION...] PROVIDER_DIRECTORY BUILD_DIRECTORY [PART...]
#
# The arguments are those of .ci/tests/run.py. wallet_core is found by pkg-config.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
make() { command "${MAKE:-make}" --no-print-directory "$@"; }
builds=()
trap 'kill "${builds[@]}" 2>/dev/null' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

make debug-tests &
builds+=($!)
make stage library-testing || exit
make release-testing release-load &
builds+=($!)
wait "${builds[0]}" || exit
trap - EXIT INT TERM
# It takes the place of this process, and waits for the build of the provider as for a child of its own.
exec .ci/tests/run.py --building "${builds[1]}" "$@"
