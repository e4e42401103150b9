#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the binding and its JNI library.
#
#   Sources/Bindings/kotlin/build.sh OUT_DIRECTORY
#
# Writes wallet-core.jar, libwallet_core_jni.so and lib/ with what Kotlin needs to run. wallet_core is found by
# pkg-config, or by WALLET_CORE_FLAGS if that is set. kotlinc.sh installs the compiler in KOTLINC_DIRECTORY, or
# else in OUT_DIRECTORY.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
compiler=${KOTLINC_DIRECTORY:-$out}
javac=$(readlink -f "$(command -v javac)")
jdk=${JAVA_HOME:-${javac%/bin/javac}}
sources=$here/src/main

if [[ -z ${WALLET_CORE_FLAGS:-} ]]; then
  WALLET_CORE_FLAGS=$(pkg-config --cflags --libs wallet_core)
  WALLET_CORE_FLAGS+=" -Wl,-rpath,$(pkg-config --variable=libdir wallet_core)"
fi
# shellcheck disable=SC2086 # the flags are words
"${CC:-cc}" -std=gnu11 -O2 -Wall -Wextra -Werror -fPIC -shared -o "$out/libwallet_core_jni.so" \
  "$sources"/c/*.c -I"$jdk/include" -I"$jdk/include/linux" $WALLET_CORE_FLAGS

# These exist once the compiler has been called.
lib=$compiler/kotlinc/lib

# Kotlin first: its compiler reads Java sources, but javac does not read Kotlin.
classes=$out/classes
rm -rf "$classes"
mkdir -p "$classes"
java_sources=("$sources"/java/org/example/walletcore/*.java)
"$here/kotlinc.sh" "$compiler" -Werror -cp "$lib/kotlin-stdlib.jar:$lib/kotlinx-coroutines-core.jar" -d "$classes" \
  "${java_sources[@]}" "$sources"/kotlin/org/example/walletcore/*.kt
javac --release 17 -Xlint:all,-serial -Werror -d "$classes" "${java_sources[@]}"
jar --create --file "$out/wallet-core.jar" -C "$classes" .
install -D -m 644 -t "$out/lib" "$lib"/*.jar
rm -rf "$classes"
