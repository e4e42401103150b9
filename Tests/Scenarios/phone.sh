#!/usr/bin/env bash
# Builds what the C side of the scenarios needs, with the library for tests: the phone for terminals,
# BUILD_DIRECTORY/examples/phone-testing, its scanner, and the player of the scenarios, BUILD_DIRECTORY/hosts/c/player.
#
#   Tests/Scenarios/phone.sh BUILD_DIRECTORY
#
# BUILD_DIRECTORY/lib has libwallet_core_testing.so. Prints a line. Does nothing if these are newer than
# everything that they are made of.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
build=$(cd "$1" && pwd)
source Tests/ABI/report.sh
mkdir -p "$build/examples"
phone=$build/examples/phone-testing
newer() { [[ -n $(find Examples/C Tests/Hosts/c Include "$build/lib/libwallet_core_testing.so" -newer "$phone" -print -quit) ]]; }
if [[ -x $phone && -x $build/examples/scan && -x $build/hosts/c/player ]] && ! newer; then
  ok "the phone and the player in C are built"
  exit
fi

compile_phone() {
  local scanner
  scanner=$(CPPFLAGS=-IInclude Examples/C/compile-scanner.sh "$build/examples") || return
  Tests/Hosts/c/build.sh "$build" || return
  # shellcheck disable=SC2046,SC2086 # the flags are several words
  "${CC:-cc}" -std=c11 -O1 -g -Wall -Wextra -pedantic -Werror -DPHONE_TESTING -IInclude -o "$phone.new" \
    Examples/C/phone*.c Examples/C/software_keys.c $scanner -pthread -L"$build/lib" -lwallet_core_testing \
    $(pkg-config --cflags --libs libsodium libcrypto) -Wl,-rpath,"$build/lib" && mv "$phone.new" "$phone"
}
holds "the phone and the player in C compile" compile_phone
[[ -x $phone ]]
