#!/usr/bin/env bash
# Lists the C and C++ sources and headers that are formatted by .clang-format.
set -euo pipefail
cd "$(dirname "$0")/.."
.ci/files.sh Include Examples Sources Tests | grep -E '\.(c|cpp|h)$'
