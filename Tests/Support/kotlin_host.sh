# Sourced, in the root of the sources: builds hosts in Kotlin with the library for tests.

# build_kotlin_host OUT BUILD_DIRECTORY LIBRARY_DIRECTORY SOURCE.c...: OUT/host has the binding and what the example
# builds; OUT has the JNI library again, with the functions for tests in these sources.
build_kotlin_host() {
  local out=$1 build=$2 library=$3 binding=Sources/Bindings/kotlin javac jdk
  shift 3
  export KOTLINC_DIRECTORY=$build KOTLIN_CACHE=$build/kotlin-cache PATH=$PWD/Tests/Support/kotlin_cache:$PATH
  export WALLET_CORE_FLAGS="-IInclude -L$library -lwallet_core_testing -Wl,-rpath,$library"
  Examples/kotlin/build.sh "$out/host"
  javac=$(readlink -f "$(command -v javac)")
  jdk=${JAVA_HOME:-${javac%/bin/javac}}
  # shellcheck disable=SC2086 # the flags are words
  "${CC:-cc}" -std=gnu11 -O1 -g -Wall -Wextra -Werror -fPIC -shared -o "$out/libwallet_core_jni.so" \
    "$binding"/src/main/c/*.c "$@" -I"$binding/src/main/c" -I"$jdk/include" -I"$jdk/include/linux" \
    $WALLET_CORE_FLAGS
}
