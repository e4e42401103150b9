#!/usr/bin/env bash
# Copies a built library to the directory that it is installed from: stripped, under its soname, with its link.
#
#   .ci/place-library.sh BUILT_LIBRARY DIRECTORY ABI_VERSION
#
# The unstripped library, for debuggers, is in DIRECTORY/unstripped. An unchanged file keeps its time.
set -euo pipefail

built=$1 directory=$2 name=$(basename "$1")
soname=$name.$3
mkdir -p "$directory/unstripped"
if ! cmp -s "$built" "$directory/unstripped/$soname" || [[ ! -e $directory/$soname ]]; then
  cp "$built" "$directory/unstripped/$soname"
  strip --strip-all -o "$directory/$soname.new" "$built"
  mv "$directory/$soname.new" "$directory/$soname"
fi
ln -sf "$soname" "$directory/$name"
