#!/usr/bin/env bash
# Compiles BUILD_DIRECTORY/hosts/c/player with the library for tests and the device of the phone in Examples/C.
#
#   Tests/Hosts/c/build.sh BUILD_DIRECTORY
set -euo pipefail
cd "$(dirname "$0")/../../.."
build=$(cd "$1" && pwd)
mkdir -p "$build/hosts/c"
read -ra libraries < <(pkg-config --cflags --libs libsodium libcrypto)
"${CC:-cc}" -std=c11 -O1 -g -Wall -Wextra -pedantic -Werror -DPHONE_TESTING -IInclude -IExamples/C \
  -o "$build/hosts/c/player.new" Tests/Hosts/c/player.c Examples/C/{phone_device,phone_world,software_keys}.c \
  -pthread -L"$build/lib" -lwallet_core_testing "${libraries[@]}" -Wl,-rpath,"$build/lib"
mv "$build/hosts/c/player.new" "$build/hosts/c/player"
