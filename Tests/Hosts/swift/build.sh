#!/usr/bin/env bash
# Leaves BUILD_DIRECTORY/hosts/swift/player, the host of Examples/swift with the library for tests, and
# beside it `promises`, which holds the host to its comments.
#
#   Tests/Hosts/swift/build.sh BUILD_DIRECTORY
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$(cd "$1" && pwd)

# A prefix in which wallet_core is the library for tests.
prefix=$build/hosts/swift/prefix
mkdir -p "$prefix/include" "$prefix/lib/pkgconfig"
# Only what changed, so that nothing is compiled again for its date.
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
compile=("${SWIFT:-swift}" build --package-path "$here/player" --scratch-path "$build/hosts/swift-build"
  -Xlinker -rpath -Xlinker "$build/lib")
"${compile[@]}"
programs=$("${compile[@]}" --show-bin-path)
ln -sf "$programs/player" "$programs/promises" "$build/hosts/swift/"
