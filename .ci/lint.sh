#!/usr/bin/env bash
# Checks the formatting of Swift and C, and scripts as far as possible without running them.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0
mapfile -t swift_files < <(.ci/files.sh Package.swift Sources Tests Examples | grep '\.swift$')
mapfile -t c_files < <(.ci/c-files.sh)
"${SWIFT:-swift}" format lint --strict --parallel "${swift_files[@]}" || failed=1
clang-format --dry-run --Werror "${c_files[@]}" || failed=1
while read -r script; do
  bash -n "$script" || failed=1
  if [[ $(head -c 2 "$script") == '#!' && ! -x $script ]]; then
    echo "$script is not executable"
    failed=1
  fi
done < <(.ci/files.sh .ci Examples Sources/Bindings Tests | grep -E '\.sh$|^\.ci/run$')
# Trailing white space.
if .ci/files.sh Makefile .ci Examples Include Sources Tests README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE | grep -v '/Corpus/' | tr '\n' '\0' |
  xargs -0 grep -nIE '[[:space:]]+$'; then failed=1; fi
((failed == 0)) && echo "lint: clean"
exit $failed
