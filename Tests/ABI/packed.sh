#!/usr/bin/env bash
# Packs what users download, once for all sections that need it: BUILD/packed has the tarball and the other files
# of a release page.
#
#   Tests/ABI/packed.sh
#
# Its times are fixed, so that a commit between two packings changes nothing.
set -uo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/report.sh

export SOURCE_DATE_EPOCH=1767225600
umask 022
rm -rf "$BUILD/packed"
holds "the tarball is packed" .ci/dist.sh "$PROVIDERS/wallet-provider" "$BUILD/packed" --fast
