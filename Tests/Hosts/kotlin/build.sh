#!/usr/bin/env bash
# Builds BUILD_DIRECTORY/hosts/kotlin/player, which loads the library for tests.
#
#   Tests/Hosts/kotlin/build.sh BUILD_DIRECTORY
#
# Does nothing if no source is newer. The player runs with -Xcheck:jni if PLAYER_CHECK_JNI is set; its
# findings go to standard output and are not JSON, so they fail the test.
set -euo pipefail
cd "$(dirname "$0")/../../.."
here=Tests/Hosts/kotlin
host=Examples/kotlin
build=$(cd "$1" && pwd)
out=$build/hosts/kotlin
if [[ -x $out/player && -z $(find Include "$host" "$here" -type f -newer "$out/player") ]]; then exit; fi
mkdir -p "$out"

export KOTLINC_DIRECTORY=$build
export WALLET_CORE_FLAGS="-IInclude -L$build/lib -lwallet_core_testing -Wl,-rpath,$build/lib"
"$host/build.sh" "$out/host"

# The JNI library again, with the functions for tests.
javac=$(readlink -f "$(command -v javac)")
jdk=${JAVA_HOME:-${javac%/bin/javac}}
# shellcheck disable=SC2086 # the flags are words
"${CC:-cc}" -std=gnu11 -O1 -g -Wall -Wextra -Werror -fPIC -shared -o "$out/libwallet_core_jni.so" \
  "$host"/src/main/c/*.c "$here"/*.c -I"$host/src/main/c" -I"$jdk/include" -I"$jdk/include/linux" \
  $WALLET_CORE_FLAGS
classpath=$out/host/wallet-core.jar:$out/host/lib/kotlin-stdlib.jar:$out/host/lib/kotlinx-coroutines-core.jar
"$host/kotlinc.sh" "$build" -Werror -cp "$classpath" -d "$out/player.jar" "$here"/*.kt

cat >"$out/player" <<END
#!/bin/sh
exec java -Xshare:auto -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \${PLAYER_CHECK_JNI:+-Xcheck:jni} \\
  -Djava.library.path='$out' -cp '$out/player.jar:$classpath' PlayerKt "\$@"
END
chmod +x "$out/player"
