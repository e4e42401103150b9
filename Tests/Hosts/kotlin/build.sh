#!/usr/bin/env bash
# Builds BUILD_DIRECTORY/hosts/kotlin/player, which loads the library for tests, and player.jar, which also contains
# the tests of the binding because they use the player's phone.
#
#   Tests/Hosts/kotlin/build.sh BUILD_DIRECTORY
#
# Does nothing if no source is newer. The player's key file derives its keys with one iteration instead of 10,000,
# which would take most of its time. The player runs with -Xcheck:jni if PLAYER_CHECK_JNI is set; its
# findings go to standard output and are not JSON, so they fail the test.
set -euo pipefail
cd "$(dirname "$0")/../../.."
source Tests/Support/kotlin_host.sh
here=Tests/Hosts/kotlin
tests=Tests/Bindings/kotlin
host=Examples/kotlin
binding=Sources/Bindings/kotlin
build=$(cd "$1" && pwd)
out=$build/hosts/kotlin
mkdir -p "$out"
# The tests of hosts and those of bindings may build it at the same time.
exec 9>"$out.lock"
flock 9
sources=(Include "$binding" "$host" "$tests" "$here" Tests/Support/kotlin_host.sh)
if [[ -x $out/player && -z $(find "${sources[@]}" -type f -newer "$out/player") ]]; then exit; fi

build_kotlin_host "$out" "$build" "$build/lib" "$here"/*.c
classpath=$out/host/wallet-core.jar:$out/host/software-keys.jar
classpath+=:$out/host/lib/kotlin-stdlib.jar:$out/host/lib/kotlinx-coroutines-core.jar
"$binding/kotlinc.sh" "$build" -Werror -cp "$classpath" -d "$out/player.jar" "$here"/*.kt "$tests"/*.kt

cat >"$out/player" <<END
#!/bin/sh
exec java -Xshare:auto -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \${PLAYER_CHECK_JNI:+-Xcheck:jni} \\
  -Dkeystore.pkcs12.keyPbeIterationCount=1 -Dkeystore.pkcs12.macIterationCount=1 \\
  -Djava.library.path='$out' -cp '$out/player.jar:$classpath' PlayerKt "\$@"
END
chmod +x "$out/player"
