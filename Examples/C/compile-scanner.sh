#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the scanner: BUILD_DIRECTORY/scan, the tool, and scanner.o for C programs. Prints the arguments
# with which a C program links it.
#
#   Examples/C/compile-scanner.sh BUILD_DIRECTORY
#
# wallet_core.h is found by pkg-config, or in the include directories of CPPFLAGS. CXXFLAGS, e.g. for a
# sanitizer, are added to every compilation.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
mkdir -p "$build"
# Separate assignments, so that a failure of pkg-config ends the script with its message.
CPPFLAGS=${CPPFLAGS:-$(pkg-config --cflags wallet_core)}
cflags=$(pkg-config --cflags zxing libpng)
libs=$(pkg-config --libs zxing libpng)
read -ra preprocessor <<<"$CPPFLAGS"
read -ra more <<<"${CXXFLAGS:-}"
read -ra flags <<<"$cflags"
read -ra libraries <<<"$libs"
strict=(-O2 -Wall -Wextra -pedantic -Werror "${more[@]}")

# Built in another directory and then moved, so that a running scanner is not overwritten.
new=$(mktemp -d "$build/scanner.XXXXXX")
trap 'rm -rf "$new"' EXIT
"${CXX:-c++}" -std=c++17 "${strict[@]}" "${preprocessor[@]}" "${flags[@]}" -r \
  -o "$new/scanner.o" "$here"/scan*.cpp
"${CC:-cc}" -std=c11 "${strict[@]}" "${preprocessor[@]}" -o "$new/scan" "$here/scan_tool.c" \
  "$new/scanner.o" "${libraries[@]}" -lstdc++ -lm
mv "$new"/{scanner.o,scan} "$build"
echo "$build/scanner.o ${libraries[*]} -lstdc++ -lm"
