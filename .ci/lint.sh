#!/usr/bin/env bash
# Formatting of Swift and C, and what can be said of scripts without running them.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0
"${SWIFT:-swift}" format lint --strict --recursive --parallel Package.swift Sources Tests Examples/swift || failed=1
# shellcheck disable=SC2046 # the names hold no spaces
clang-format --dry-run --Werror $(.ci/c-files.sh) || failed=1
while read -r script; do
  bash -n "$script" || failed=1
  if [[ $(head -c 2 "$script") == '#!' && ! -x $script ]]; then
    echo "$script is not executable"
    failed=1
  fi
done < <(find .ci Examples Tests -type f \( -name '*.sh' -o -path .ci/run \))
# Lines that an editor cannot show at once, and space that nobody sees.
if grep -rnIE --exclude-dir=Corpus --exclude-dir=.build '[[:space:]]+$' Makefile .ci Examples Include Sources Tests README.md; then failed=1; fi
((failed == 0)) && echo "lint: clean"
exit $failed
