#!/usr/bin/env bash
# Builds the host with the HTTP stack of the Kotlin example. Does nothing if no source is newer and the library is in
# the same directory as before.
set -euo pipefail
cd "$(dirname "$0")/../../.."
source Tests/Support/kotlin_host.sh
here=Tests/HTTPBridge/kotlin
host=Examples/kotlin
binding=Sources/Bindings/kotlin
build=$(cd "$BUILD" && pwd)
library=$(cd "$(dirname "$WALLET_CORE_TESTING_LIBRARY")" && pwd)
out=$build/http-bridge/kotlin
mkdir -p "$out"
if [[ -x $out/check && $(cat "$out/library.txt" 2>/dev/null) == "$library" &&
  -z $(find Include "$binding" "$host" "$here" Tests/Support/kotlin_host.sh -newer "$out/check") ]]; then exit; fi
rm -f "$out/check"

build_kotlin_host "$out" "$build" "$library" "$here"/*.c
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
