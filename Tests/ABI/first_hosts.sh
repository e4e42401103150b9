#!/usr/bin/env bash
# The first ten minutes: from the tarball to a running first host with the README's exact commands, in an empty
# directory and a clean environment.
set -uo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/report.sh
source Tests/Support/patience.sh
source Tests/ABI/readme_blocks.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# What other parts have compiled of the same sources is taken from them, except in an exhaustive run: there, and in
# `make fresh`, everything is compiled from nothing.
path=/usr/local/bin:/usr/bin:/bin cache=()
if [[ ${WALLET_CORE_EXHAUSTIVE:-} != 1 ]]; then
  path=$PWD/Tests/Support/kotlin_cache:$path cache=("KOTLIN_CACHE=$BUILD/kotlin-cache")
fi

# The Nth block of commands under a heading, made for this machine's tarball.
commands() { block README.md sh "$2" "$1" | sed "s/x86_64/$(uname -m)/g"; }
# Packages are not installed again here: `make fresh` runs that line too.
unpack() { commands 'Try it' 1 | grep '^tar '; }

# first_host NAME NUMBER
first_host() {
  local name=$1 directory=$scratch/$1 event missing=()
  mkdir "$directory"
  cp "$BUILD/packed"/*.tar.gz "$directory"
  { unpack && commands 'First hosts' "$2"; } >"$scratch/$name.sh"
  holds "$name: at most five commands" test "$(grep -c . "$scratch/$name.sh")" -le 5
  # HOME for the caches of pip. No Swift is on this PATH. The Kotlin compiler is there; `make fresh` installs it too.
  (cd "$directory" && env -i PATH="$path" "${cache[@]}" HOME="$HOME" LANG=C.UTF-8 KOTLINC_DIRECTORY="$BUILD" \
    timeout "$PROGRAM_PATIENCE" bash -e "$scratch/$name.sh") >"$scratch/$name.out" 2>"$scratch/$name.err" </dev/null
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

# Every linked library is in a package that the README names, or that every compiler needs.
unnamed() {
  local linked package
  mkdir "$scratch/packed"
  tar --strip-components 1 -xzf "$BUILD"/packed/*.tar.gz -C "$scratch/packed"
  for linked in $(ldd "$scratch"/packed/bin/* "$scratch"/packed/lib/*.so.2 | awk '/=> \// { print $1 }' | sort -u); do
    readelf --dynamic "$scratch"/packed/bin/* "$scratch"/packed/lib/*.so.2 | grep -qF "[$linked]" || continue
    package=$(dpkg --search "*/$linked" 2>/dev/null | sed 's/:.*//' | sort -u | head -1)
    [[ -n $package ]] || { echo "$linked of no package" && continue; }
    # shellcheck disable=SC2086 # the packages are words
    grep -qwE "libc6|libgcc-s1|libstdc\+\+6" <<<"$package" || grep -qw -e "$package" <<<"$1" ||
      grep -qx " *Depends: $package" < <(apt-cache depends $1) ||
      echo "$linked of $package"
  done
}
named=$(commands 'Try it' 1 | sed -n 's/^.*apt-get install --yes //p')
if command -v dpkg >/dev/null && grep -qx 'VERSION_ID="12"' /etc/os-release; then
  same "the README names the packages with what is linked" "" "$(unnamed "$named")"
  # shellcheck disable=SC2086 # the packages are words
  holds "Debian has all of them" apt-cache show $named
fi

# The demo in the tarball prints what the README shows for the one in the sources.
mkdir "$scratch/demo"
commands 'Try it' 1 | grep -v apt-get >"$scratch/demo.sh"
holds "the demo runs out of the tarball" bash -c 'cd "$1" && timeout "$2" env -i PATH=/usr/local/bin:/usr/bin:/bin \
  HOME="$HOME" LANG=C.UTF-8 RELEASE="file://$3" bash -e ../demo.sh >../demo.out ||
  { tail -n 25 ../demo.out && false; }' - "$scratch/demo" "$PROGRAM_PATIENCE" "$BUILD/packed"
block README.md text | sed '1d; /Verifier/,$d' >"$scratch/transcript"
holds "the README has a transcript of the demo" grep -q '^App startup' "$scratch/transcript"
echo ... >>"$scratch/transcript"
holds "and prints the transcript in the README" as_shown "$scratch/transcript" \
  <(sed '0,/^App startup/{/^App startup/!d}' "$scratch/demo.out")
rm -r "$scratch/demo"

first_host C 1
first_host Python 2
first_host Kotlin 3
same "the README has no other first host" "" "$(commands 'First hosts' 4)"
