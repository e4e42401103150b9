#!/usr/bin/env bash
# Lists the project's files in the given files and directories: what git tracks or would add, so no build output.
#
#   .ci/files.sh PATH...
#
# Without git, as in a tarball of the sources, lists all files.
set -euo pipefail
cd "$(dirname "$0")/.."

{ git -c core.quotePath=off ls-files --cached --others --exclude-standard -- "$@" 2>/dev/null || find "$@" -type f; } |
  sort -u | while read -r file; do
  # A deleted file is tracked until the deletion is committed.
  if [[ -f $file ]]; then echo "$file"; fi
done
