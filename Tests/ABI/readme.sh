#!/usr/bin/env bash
# The README is accurate: its transcript is what the demo prints, its first host compiles, its commands exist.
# first_hosts.sh tests that its first hosts run.
set -uo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/report.sh
source Tests/Support/patience.sh
source Tests/ABI/readme_blocks.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

holds "the README has at most 150 lines" test "$(wc -l <README.md)" -le 150

transcript=$(block README.md text | sed '/^\$ make demo$/d')
if printed=$(timeout "$PROGRAM_PATIENCE" Examples/C/demo.sh "$PROVIDERS/wallet-provider" "$BUILD/examples" --verifier 2>"$scratch/errors"); then
  ok "the demo works"
else
  not_ok "the demo works" "$(cat "$scratch/errors")"
fi
# A line of dots means omitted lines.
same "the README's transcript is what the demo prints" "$transcript" "$(awk '
  NR == FNR { shown[++count] = $0; next }
  BEGIN { next_line = 1 }
  shown[next_line] == $0 { print; next_line++; next }
  shown[next_line] == "  ..." && shown[next_line + 1] == $0 { print "  ..."; print; next_line += 2; next }
  shown[next_line] != "  ..." { print }
  END { if (shown[next_line] == "  ...") print "  ..." }' <(echo "$transcript") <(echo "$printed"))"

same "the README's first host is Examples/C/first.c, beneath its licence" \
  "$(grep -v SPDX-License-Identifier Examples/C/first.c)" "$(block README.md c | grep -v SPDX-License-Identifier)"
for first in Examples/C/first.c Examples/python/first.py Examples/kotlin/First.kt; do
  holds "$first has at most 40 lines" test "$(wc -l <"$first")" -le 40
done
# shellcheck disable=SC2046 # the flags are words
holds "the first host compiles" "${CC:-cc}" -std=c11 -Wall -Wextra -pedantic -Werror \
  -o "$scratch/first" Examples/C/first.c $(pkg-config --cflags --libs wallet_core) \
  -Wl,-rpath,"$(pkg-config --variable=libdir wallet_core)"
refused() { ! "$scratch/first" "$1" >"$scratch/out" 2>"$scratch/errors" && grep -q "$2" "$scratch/errors"; }
holds "without a configuration it says so" refused "$scratch/none" 'first: configuration: No such file'
echo '{}' >"$scratch/empty.json"
holds "of a bad one it says what the library says" refused "$scratch/empty.json" 'first: .*configuration'

for target in $(grep -oE '\bmake [a-z-]+' README.md | sed 's/make //' | sort -u); do
  holds "make $target exists" grep -qE "^$target:.*##" Makefile
done
missing=$(grep -oE '\]\(([A-Za-z][^)#]*)' README.md | sed 's/](//' | grep -v '^http' |
  while read -r path; do [[ -e $path ]] || echo "$path"; done)
same "the README's links lead somewhere" "" "$missing"
