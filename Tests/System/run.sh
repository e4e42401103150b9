#!/usr/bin/env bash
# The C headers that all calls to the operating system go through: each alone, and a program that uses all.
#
#   Tests/System/run.sh BUILD_DIRECTORY [TARGET...]
#
# Compiled by the compiler of this machine, and run. With TARGETs, e.g. aarch64-macos, only compiled for these,
# by `zig cc`, which has the headers of those systems; ziglang comes from PyPI.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
source Tests/ABI/report.sh
build=$1
shift

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Swift compiles them in GNU's dialect; this is C11 with what POSIX adds.
flags=(-std=c11 -D_DEFAULT_SOURCE -Wall -Wextra -Werror -pedantic -ISources/CPosix)

# alone HEADER COMPILER...: the header needs no other before it.
alone() {
  local header=$1
  shift
  printf '#include "%s"\nint wallet_header_is_compiled;\n' "${header##*/}" >"$scratch/header.c"
  "$@" "${flags[@]}" -c -o "$scratch/header.o" "$scratch/header.c"
}

# headers WORDS COMPILER...
headers() {
  local words=$1 header
  shift
  for header in Sources/CPosix/*.h; do holds "${header##*/} $words" alone "$header" "$@"; done
}

if (($# == 0)); then
  headers "compiles" "${CC:-cc}"
  # Assertions stay in whatever the flags of the environment are.
  holds "a program that uses them compiles" \
    "${CC:-cc}" "${flags[@]}" -UNDEBUG -g -O1 -o "$scratch/system" Tests/System/system.c -pthread -ldl
  holds "and does what they say" "$scratch/system" "$scratch"
  exit
fi
export ZIG_GLOBAL_CACHE_DIR=$scratch/zig ZIG_LOCAL_CACHE_DIR=$scratch/zig
zig=(env REQUIREMENTS=Tests/System/requirements.txt Tests/Interop/python.sh "$build" -m ziglang cc)
for target in "$@"; do
  headers "compiles for $target" "${zig[@]}" -target "$target"
  holds "the program that uses them compiles for $target" \
    "${zig[@]}" -target "$target" "${flags[@]}" -c -o "$scratch/system.o" Tests/System/system.c
done
