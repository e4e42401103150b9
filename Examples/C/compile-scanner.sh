#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the scanner: BUILD_DIRECTORY/scan, the tool, and scanner.o, to be linked into a C program
# with the words that this prints.
#
#   Examples/C/compile-scanner.sh BUILD_DIRECTORY
#
# wallet_core.h is found by pkg-config, or in the include directories of CPPFLAGS. CXXFLAGS are added to
# all, e.g. a sanitizer.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
mkdir -p "$build"
# Each assigned by itself: a failure of pkg-config is to end this, with the reason that it gives.
CPPFLAGS=${CPPFLAGS:-$(pkg-config --cflags wallet_core)}
cflags=$(pkg-config --cflags zxing libpng)
libs=$(pkg-config --libs zxing libpng)
read -ra preprocessor <<<"$CPPFLAGS"
read -ra more <<<"${CXXFLAGS:-}"
read -ra flags <<<"$cflags"
read -ra libraries <<<"$libs"
strict=(-O2 -Wall -Wextra -pedantic -Werror "${more[@]}")

# Made beside what is there and moved, so that a scanner that runs is not written over.
new=$(mktemp -d "$build/scanner.XXXXXX")
trap 'rm -rf "$new"' EXIT
"${CXX:-c++}" -std=c++17 "${strict[@]}" "${preprocessor[@]}" "${flags[@]}" -r \
  -o "$new/scanner.o" "$here"/scan*.cpp
"${CC:-cc}" -std=c11 "${strict[@]}" "${preprocessor[@]}" -o "$new/scan" "$here/scan_tool.c" \
  "$new/scanner.o" "${libraries[@]}" -lstdc++ -lm
mv "$new"/{scanner.o,scan} "$build"
echo "$build/scanner.o ${libraries[*]} -lstdc++ -lm"
