# Builds Swift packages with the library for tests. To be sourced by a bash script that has set `root`, the directory
# of the sources, and `build`, the build directory.

# compile PROGRAM...: builds programs of the package `player`, and of those that it depends on, and links them in
# $build/hosts/swift. They use the library for tests as wallet_core. All are built in one place, so that the binding
# is compiled once.
compile() {
  local prefix=$build/hosts/swift/prefix header command program
  mkdir -p "$prefix/include" "$prefix/lib/pkgconfig"
  # Several parts of a run compile at the same time.
  exec 9>"$prefix.lock"
  flock 9
  # Changes only what has to be changed: nothing is compiled again because of a new date, and another part's build
  # may be reading it.
  for header in wallet_core.h wallet_core_testing.h; do
    cmp --silent "$root/Include/$header" "$prefix/include/$header" ||
      cp "$root/Include/$header" "$prefix/include/"
  done
  cat >"$prefix/wallet_core.pc" <<END
Name: wallet_core
Description: wallet_core for tests
Version: 0
Libs: -L$build/lib -lwallet_core_testing
Cflags: -I$prefix/include
END
  cmp --silent "$prefix/wallet_core.pc" "$prefix/lib/pkgconfig/wallet_core.pc" ||
    mv "$prefix/wallet_core.pc" "$prefix/lib/pkgconfig/"
  exec 9>&-

  # In a random order of traits SwiftPM would compile packages again.
  command=(env "PKG_CONFIG_PATH=$prefix/lib/pkgconfig" SWIFT_DETERMINISTIC_HASHING=1 "${SWIFT:-swift}" build --package-path "$root/Tests/Hosts/swift/player"
    --scratch-path "$build/hosts/swift-build"
    -Xlinker -rpath -Xlinker "$build/lib")
  for program in "$@"; do
    "${command[@]}" --product "$program" || return
    ln -sf "$build/hosts/swift-build/debug/$program" "$build/hosts/swift/"
  done
}
