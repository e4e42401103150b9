#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the binding, the software keys, the HTTP stack, the first hosts and the first wallet.
#
#   Examples/kotlin/build.sh OUT_DIRECTORY
#
# Writes what the binding's build.sh writes, software-keys.jar (SoftwarePlatform.kt, KeyFile.kt) and first.jar
# (First.kt, FirstWallet.kt, First.java). If okhttp.jar and okio.jar are in OKHTTP_DIRECTORY, by default that of
# Debian's libokhttp-java, also okhttp-stack.jar (OkHttpStack.kt, PublicAddress.kt), and copies of the two in lib/.
# wallet_core is found by pkg-config, or by WALLET_CORE_FLAGS if that is set. kotlinc.sh installs the compiler in
# KOTLINC_DIRECTORY, or else in OUT_DIRECTORY.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
binding=$here/../../Sources/Bindings/kotlin
mkdir -p "$1"
out=$(cd "$1" && pwd)
export KOTLINC_DIRECTORY=${KOTLINC_DIRECTORY:-$out}
okhttp=${OKHTTP_DIRECTORY:-/usr/share/java}

"$binding/build.sh" "$out"

libraries=$out/wallet-core.jar
for name in kotlin-stdlib kotlinx-coroutines-core kotlinx-serialization-core kotlinx-serialization-json; do
  libraries+=:$out/lib/$name.jar
done
sources=("$here"/{First,FirstWallet,KeyFile,SoftwarePlatform}.kt)
rm -f "$out/okhttp-stack.jar"
has_okhttp=
if [[ -e $okhttp/okhttp.jar && -e $okhttp/okio.jar ]]; then
  has_okhttp=1
  install -m 644 -t "$out/lib" "$okhttp"/{okhttp,okio}.jar
  libraries+=:$out/lib/okhttp.jar:$out/lib/okio.jar
  sources+=("$here"/{OkHttpStack,PublicAddress}.kt)
fi
classes=$out/classes
rm -rf "$classes"
mkdir -p "$classes"
"$binding/kotlinc.sh" "$KOTLINC_DIRECTORY" -Werror -cp "$libraries" -d "$classes" "${sources[@]}"
javac --release 17 -Xlint:all,-serial -Werror -cp "$out/wallet-core.jar" -d "$classes" "$here/First.java"
jar --create --file "$out/software-keys.jar" -C "$classes" org/example/softwarekeys
[[ -z $has_okhttp ]] || jar --create --file "$out/okhttp-stack.jar" -C "$classes" org/example/okhttpstack
rm -r "$classes/org"
jar --create --file "$out/first.jar" -C "$classes" .
rm -r "$classes"
