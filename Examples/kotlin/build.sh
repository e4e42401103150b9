#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the JNI library, the binding, the first hosts and the first wallet.
#
#   Examples/kotlin/build.sh OUT_DIRECTORY
#
# Writes wallet-core.jar (binding), first.jar (First.kt, FirstWallet.kt, First.java), libwallet_core_jni.so
# and lib/ with what Kotlin needs to run. wallet_core is found by pkg-config, or by WALLET_CORE_FLAGS if that
# is set. kotlinc.sh installs the compiler in KOTLINC_DIRECTORY, or else in OUT_DIRECTORY.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
compiler=${KOTLINC_DIRECTORY:-$out}
kotlinc=("$here/kotlinc.sh" "$compiler")
javac=$(readlink -f "$(command -v javac)")
jdk=${JAVA_HOME:-${javac%/bin/javac}}

if [[ -z ${WALLET_CORE_FLAGS:-} ]]; then
  WALLET_CORE_FLAGS=$(pkg-config --cflags --libs wallet_core)
  WALLET_CORE_FLAGS+=" -Wl,-rpath,$(pkg-config --variable=libdir wallet_core)"
fi
# shellcheck disable=SC2086 # the flags are words
"${CC:-cc}" -std=gnu11 -O2 -Wall -Wextra -Werror -fPIC -shared -o "$out/libwallet_core_jni.so" \
  "$here"/src/main/c/*.c -I"$jdk/include" -I"$jdk/include/linux" $WALLET_CORE_FLAGS

# These exist once the compiler has been called.
lib=$compiler/kotlinc/lib
libraries=$lib/kotlin-stdlib.jar:$lib/kotlinx-coroutines-core.jar
json=$lib/kotlinx-serialization-core.jar:$lib/kotlinx-serialization-json.jar

# Kotlin first: its compiler reads Java sources, but javac does not read Kotlin.
classes=$out/classes
rm -rf "$classes"
mkdir -p "$classes"/{binding,first}
sources=$here/src/main
java_sources=("$sources"/java/org/example/walletcore/*.java)
"${kotlinc[@]}" -Werror -cp "$libraries" -d "$classes/binding" "${java_sources[@]}" \
  "$sources"/kotlin/org/example/walletcore/*.kt
javac --release 17 -Xlint:all,-serial -Werror -d "$classes/binding" "${java_sources[@]}"
"${kotlinc[@]}" -Werror -cp "$classes/binding:$libraries:$json" -d "$classes/first" \
  "$here/First.kt" "$here/FirstWallet.kt"
javac --release 17 -Xlint:all,-serial -Werror -cp "$classes/binding" -d "$classes/first" "$here/First.java"
jar --create --file "$out/wallet-core.jar" -C "$classes/binding" .
jar --create --file "$out/first.jar" -C "$classes/first" .
install -D -m 644 -t "$out/lib" "$lib"/*.jar
rm -rf "$classes"
