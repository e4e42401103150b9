#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the verifier: BUILD_DIRECTORY/verify, the tool, and verifier.o for C programs. Prints the arguments with
# which a C program links it.
#
#   Examples/C/compile-verifier.sh BUILD_DIRECTORY
#
# CFLAGS, e.g. for a sanitizer, are added to every compilation.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
mkdir -p "$build"
# Separate assignments, so that a failure of pkg-config ends the script with its message.
cflags=$(pkg-config --cflags jansson libcrypto libcurl zlib)
libs=$(pkg-config --libs jansson libcrypto libcurl zlib)
read -ra flags <<<"$cflags"
read -ra more <<<"${CFLAGS:-}"
read -ra libraries <<<"$libs"
strict=(-std=c11 -O2 -Wall -Wextra -pedantic -Werror "${more[@]}" "${flags[@]}")

# Built in another directory and then moved, so that a running verifier is not overwritten.
new=$(mktemp -d "$build/verifier.XXXXXX")
trap 'rm -rf "$new"' EXIT
objects=()
for source in "$here"/verifier*.c; do
  name=$(basename "$source" .c)
  "${CC:-cc}" "${strict[@]}" -c -o "$new/$name.o" "$source"
  [[ $name == verifier_tool ]] || objects+=("$new/$name.o")
done
"${CC:-cc}" -r -o "$new/all.o" "${objects[@]}"
mv "$new/all.o" "$new/verifier.o"
"${CC:-cc}" "${strict[@]}" -o "$new/verify" "$new"/verifier{_tool,}.o "${libraries[@]}"
mv "$new"/{verifier.o,verify} "$build"
echo "$build/verifier.o ${libraries[*]}"
