#!/usr/bin/env bash
# The C and C++ sources and headers that are formatted by .clang-format.
set -euo pipefail
cd "$(dirname "$0")/.."
find Include Examples Sources Tests -type f \( -name '*.c' -o -name '*.cpp' -o -name '*.h' \) | sort
