#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the binding, the software keys, the first hosts and the first wallet.
#
#   Examples/kotlin/build.sh OUT_DIRECTORY
#
# Writes what the binding's build.sh writes, software-keys.jar (SoftwarePlatform.kt, KeyFile.kt) and first.jar
# (First.kt, FirstWallet.kt, First.java). wallet_core is found by pkg-config, or by WALLET_CORE_FLAGS if that is
# set. kotlinc.sh installs the compiler in KOTLINC_DIRECTORY, or else in OUT_DIRECTORY.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
binding=$here/../../Sources/Bindings/kotlin
mkdir -p "$1"
out=$(cd "$1" && pwd)
export KOTLINC_DIRECTORY=${KOTLINC_DIRECTORY:-$out}

"$binding/build.sh" "$out"

libraries=$out/wallet-core.jar
for name in kotlin-stdlib kotlinx-coroutines-core kotlinx-serialization-core kotlinx-serialization-json; do
  libraries+=:$out/lib/$name.jar
done
classes=$out/classes
rm -rf "$classes"
mkdir -p "$classes"
"$binding/kotlinc.sh" "$KOTLINC_DIRECTORY" -Werror -cp "$libraries" -d "$classes" "$here"/*.kt
javac --release 17 -Xlint:all,-serial -Werror -cp "$out/wallet-core.jar" -d "$classes" "$here/First.java"
jar --create --file "$out/software-keys.jar" -C "$classes" org
rm -r "$classes/org"
jar --create --file "$out/first.jar" -C "$classes" .
rm -r "$classes"
