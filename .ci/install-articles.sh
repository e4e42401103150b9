#!/usr/bin/env bash
# Installs articles of the documentation, as plain Markdown.
#
#   .ci/install-articles.sh DIRECTORY ARTICLE...      ARTICLE: for example operations.md
#
# A link to a file that is not installed with them becomes its text.
set -euo pipefail
sources=$(dirname "$0")/../Sources/wallet_core/wallet_core.docc
directory=$1
shift
kept=()
for article in "$@"; do kept+=(-e "s/\]\($article/](\x01$article/g"); done
for article in "$@"; do
  sed -z -E "${kept[@]}" -e 's/!?\[([^][]*)\]\([^)\x01#:][^):]*\)/\1/g' -e 's/\x01//g' "$sources/$article" \
    >"$directory/$article"
  chmod 644 "$directory/$article"
done
