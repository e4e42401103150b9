#!/usr/bin/env bash
# Builds BUILD_DIRECTORY/hosts/swift/player, the host of Examples/swift with the library for tests; `promises`,
# which tests what the host's comments promise; and `first`, the first host.
#
#   Tests/Hosts/swift/build.sh BUILD_DIRECTORY
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$(cd "$1" && pwd)

# A prefix in which wallet_core is the library for tests.
prefix=$build/hosts/swift/prefix
mkdir -p "$prefix/include" "$prefix/lib/pkgconfig"
# Copies only what changed, so that nothing is compiled again because of a new date.
for header in wallet_core.h wallet_core_testing.h; do
  cmp --silent "$root/Include/$header" "$prefix/include/$header" ||
    cp "$root/Include/$header" "$prefix/include/"
done
cat >"$prefix/lib/pkgconfig/wallet_core.pc" <<END
Name: wallet_core
Description: wallet_core for tests
Version: 0
Libs: -L$build/lib -lwallet_core_testing
Cflags: -I$prefix/include
END

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig

# compile PACKAGE SCRATCH_DIRECTORY PROGRAM...: builds the programs and links them in BUILD_DIRECTORY/hosts/swift.
compile() {
  local command programs program
  command=("${SWIFT:-swift}" build --package-path "$1" --scratch-path "$2"
    -Xlinker -rpath -Xlinker "$build/lib")
  programs=$("${command[@]}" --show-bin-path)
  for program in "${@:3}"; do
    "${command[@]}" --product "$program"
    ln -sf "$programs/$program" "$build/hosts/swift/"
  done
}
compile "$here/player" "$build/hosts/swift-build" player promises
compile "$root/Examples/swift" "$build/hosts/swift-first" first
