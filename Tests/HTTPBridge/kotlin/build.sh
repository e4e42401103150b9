#!/usr/bin/env bash
# Builds the host with the HTTP stack of the Kotlin example. Does nothing if no source is newer and the library is in
# the same directory as before.
set -euo pipefail
cd "$(dirname "$0")/../../.."
here=Tests/HTTPBridge/kotlin
host=Examples/kotlin
binding=Sources/Bindings/kotlin
build=$(cd "$BUILD" && pwd)
library=$(cd "$(dirname "$WALLET_CORE_TESTING_LIBRARY")" && pwd)
out=$build/http-bridge/kotlin
mkdir -p "$out"
if [[ -x $out/check && $(cat "$out/library.txt" 2>/dev/null) == "$library" &&
  -z $(find Include "$binding" "$host" "$here" -newer "$out/check") ]]; then exit; fi
rm -f "$out/check"

export KOTLINC_DIRECTORY=$build KOTLIN_CACHE=$build/kotlin-cache PATH=$PWD/Tests/Support/kotlin_cache:$PATH
export WALLET_CORE_FLAGS="-IInclude -L$library -lwallet_core_testing -Wl,-rpath,$library"
"$host/build.sh" "$out/host"

# The JNI library again, with the functions for tests.
javac=$(readlink -f "$(command -v javac)")
jdk=${JAVA_HOME:-${javac%/bin/javac}}
# shellcheck disable=SC2086 # the flags are words
"${CC:-cc}" -std=gnu11 -O1 -g -Wall -Wextra -Werror -fPIC -shared -o "$out/libwallet_core_jni.so" \
  "$binding"/src/main/c/*.c "$here"/*.c -I"$binding/src/main/c" -I"$jdk/include" -I"$jdk/include/linux" \
  $WALLET_CORE_FLAGS
classpath=$out/host/wallet-core.jar:$out/host/okhttp-stack.jar
for name in kotlin-stdlib okhttp okio; do
  classpath+=:$out/host/lib/$name.jar
done
"$binding/kotlinc.sh" "$build" -Werror -cp "$classpath" -d "$out/check.jar" "$here"/*.kt

echo "$library" >"$out/library.txt"
cat >"$out/check" <<END
#!/bin/sh
exec java -Xshare:auto -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xcheck:jni -Djava.library.path='$out' \\
  -cp '$out/check.jar:$classpath' CheckKt
END
chmod +x "$out/check"
