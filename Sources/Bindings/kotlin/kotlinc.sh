#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the Kotlin compiler, which it installs once.
#
#   kotlinc.sh BUILD_DIRECTORY [ARGUMENT...]
#
# Needs Java, python3-venv, and PyPI the first time: 81 MB, the version in requirements.txt. It is installed
# in BUILD_DIRECTORY/kotlinc; programs need only its lib/ to run: kotlin-stdlib.jar,
# kotlinx-coroutines-core.jar, and to read JSON kotlinx-serialization-core.jar and
# kotlinx-serialization-json.jar. The first compilation also writes an archive of the loaded classes there
# (100 MB), with which later ones take half as long.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
compiler=$(cd "$1" && pwd)/kotlinc
shift

install() {
  local python=/usr/bin/python3 jars # the one that Debian's python3-venv belongs to
  [[ -x $python ]] || python=python3
  "$python" -m venv --clear "$compiler"
  # Without dependencies: the compiler is one jar, and the wheel's dependencies are for its notebook.
  "$compiler/bin/pip" install --quiet --disable-pip-version-check --no-deps --require-hashes \
    --requirement "$here/requirements.txt"
  jars=$(echo "$compiler"/lib/python3*/site-packages/run_kotlin_kernel/jars)
  ln -sr "$jars"/kotlin-jupyter-kernel-*-all.jar "$compiler/compiler.jar"
  cp "$jars"/kotlin-stdlib-*.jar "$compiler/lib/kotlin-stdlib.jar"
  cp "$jars"/kotlinx-serialization-core-jvm-*.jar "$compiler/lib/kotlinx-serialization-core.jar"
  cp "$jars"/kotlinx-serialization-json-jvm-*.jar "$compiler/lib/kotlinx-serialization-json.jar"
  "$compiler/bin/python" - "$compiler/compiler.jar" "$compiler/lib/kotlinx-coroutines-core.jar" <<'PYTHON'
import sys, zipfile
parts = ("kotlinx/coroutines/", "_COROUTINE/", "META-INF/kotlinx-coroutines-core.",
         "META-INF/kotlinx_coroutines_core.")
with zipfile.ZipFile(sys.argv[1]) as compiler, zipfile.ZipFile(sys.argv[2], "w") as coroutines:
    for name in compiler.namelist():
        if name.startswith(parts):
            coroutines.writestr(name, compiler.read(name))
PYTHON
  recipe >"$compiler/installed.txt"
}

# What was installed is made anew where this file changes too, so the packed one is the same.
recipe() { cat "$here/requirements.txt" "$here/kotlinc.sh"; }

# Several builds may run this at once.
exec 9>"$compiler.lock"
flock 9
recipe | cmp --silent - "$compiler/installed.txt" || install >&2
exec 9>&-

compile() {
  java -Xshare:auto -XX:TieredStopAtLevel=1 -Xmx1g -Xlog:disable "${loaded[@]}" -cp "$compiler/compiler.jar" \
    org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib -no-reflect -jvm-target 17 \
    -language-version 2.3 -api-version 2.3 "$@"
}

# Java ignores an archive of another Java version. A compilation that runs meanwhile ignores a missing one.
classes=$compiler/classes.jsa
loaded=(-XX:SharedArchiveFile="$classes")
if [[ ! -e $classes ]]; then
  own=$(mktemp "$compiler/classes.XXXXXX")
  trap 'rm -f "$own"' EXIT
  loaded=(-XX:ArchiveClassesAtExit="$own")
  compile "$@"
  mv "$own" "$classes"
else
  compile "$@"
fi
