#!/usr/bin/env bash
# The files of the project in files and directories: what git tracks or would add, so nothing that was built.
#
#   .ci/files.sh PATH...
#
# Without git, as in a tarball of the sources, all that is there.
set -euo pipefail
cd "$(dirname "$0")/.."

{ git -c core.quotePath=off ls-files --cached --others --exclude-standard -- "$@" 2>/dev/null || find "$@" -type f; } |
  sort -u | while read -r file; do
  # One that was deleted is tracked until that is committed.
  if [[ -f $file ]]; then echo "$file"; fi
done
