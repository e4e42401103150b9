#!/usr/bin/env bash
# The first ten minutes: from the tarball to a running first host, by the commands of the README as they
# stand, in an empty directory and an environment that knows nothing of this one.
set -uo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/report.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
holds "the tarball is packed" .ci/dist.sh "$PROVIDERS/wallet-provider" "$scratch/dist"

# The Nth block of commands under the heading, made for this machine's tarball.
commands() {
  awk -v wanted="$1" '
    /^## / { here = /^## First hosts/ }
    here && $0 == "```sh" { inside = (++seen == wanted); next }
    /^```$/ { inside = 0 }
    inside' README.md | sed "s/x86_64/$(uname -m)/g"
}

# first_host NAME NUMBER
first_host() {
  local name=$1 directory=$scratch/$1 event missing=()
  mkdir "$directory"
  cp "$scratch/dist"/*.tar.gz "$directory"
  commands "$2" >"$scratch/$name.sh"
  holds "$name: at most five commands" test "$(grep -c . "$scratch/$name.sh")" -le 5
  # HOME for the caches of pip. No Swift is on this PATH.
  (cd "$directory" && env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$HOME" LANG=C.UTF-8 \
    timeout 300 bash -e "$scratch/$name.sh") >"$scratch/$name.out" 2>"$scratch/$name.err" </dev/null
  holds "$name: every command of the README works" test $? = 0
  for event in configuration lock version; do
    # As JSON, or as words.
    grep -qE "\"kind\":\"$event|^$event" "$scratch/$name.out" || missing+=("$event")
  done
  if ((${#missing[@]})); then
    not_ok "$name: the first host shows configuration, lock and version" "$(cat "$scratch/$name".{out,err})"
  else
    ok "$name: the first host shows configuration, lock and version"
  fi
  rm -r "$directory"
}
first_host C 1
first_host Python 2
first_host Kotlin 3
same "the README has no other first host" "" "$(commands 4)"
