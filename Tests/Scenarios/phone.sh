#!/usr/bin/env bash
# Builds the C phone that plays scenarios, with the library for tests: BUILD_DIRECTORY/examples/phone-testing
# and its scanner.
#
#   Tests/Scenarios/phone.sh BUILD_DIRECTORY
#
# BUILD_DIRECTORY/lib has libwallet_core_testing.so. Prints a line. Does nothing if the phone is newer than
# everything that it is made of.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
build=$(cd "$1" && pwd)
source Tests/ABI/report.sh
mkdir -p "$build/examples"
phone=$build/examples/phone-testing
newer() { [[ -n $(find Examples/C Include "$build/lib/libwallet_core_testing.so" -newer "$phone" -print -quit) ]]; }
if [[ -x $phone && -x $build/examples/scan ]] && ! newer; then
  ok "the testing phone is built"
  exit
fi

compile_phone() {
  local scanner
  scanner=$(CPPFLAGS=-IInclude Examples/C/compile-scanner.sh "$build/examples") || return
  # shellcheck disable=SC2046,SC2086 # the flags are several words
  "${CC:-cc}" -std=c11 -O1 -g -Wall -Wextra -pedantic -Werror -DPHONE_TESTING -IInclude -o "$phone.new" \
    Examples/C/phone*.c Examples/C/software_keys.c $scanner -pthread -L"$build/lib" -lwallet_core_testing \
    $(pkg-config --cflags --libs libsodium) -Wl,-rpath,"$build/lib" && mv "$phone.new" "$phone"
}
holds "the testing phone compiles" compile_phone
[[ -x $phone ]]
