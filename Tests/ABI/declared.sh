#!/usr/bin/env bash
# The names of the functions that headers declare, sorted.
set -euo pipefail
for header in "$@"; do
  "${CC:-cc}" -E -P -x c "$header"
done | grep -oE '\bwallet_core_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u
