#!/usr/bin/env bash
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

"${CXX:-c++}" -std=c++17 "${strict[@]}" "${preprocessor[@]}" "${flags[@]}" -r \
  -o "$build/scanner.o" "$here"/scan*.cpp
"${CC:-cc}" -std=c11 "${strict[@]}" "${preprocessor[@]}" -o "$build/scan" "$here/scan_tool.c" \
  "$build/scanner.o" "${libraries[@]}" -lstdc++ -lm
echo "$build/scanner.o ${libraries[*]} -lstdc++ -lm"
