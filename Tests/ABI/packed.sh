#!/usr/bin/env bash
# Packs what users download, once for the sections that begin with it: BUILD/packed holds the tarball and what
# a release page has beside it.
#
#   Tests/ABI/packed.sh
#
# The provider in it is the tests' own, a debug build. The times in it are fixed, so that nobody's commit comes
# between two packings.
set -uo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/report.sh

export SOURCE_DATE_EPOCH=1767225600
umask 022
rm -rf "$BUILD/packed"
holds "the tarball is packed" .ci/dist.sh "$PROVIDERS/wallet-provider" "$BUILD/packed" --debug-provider
