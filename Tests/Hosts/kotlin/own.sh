#!/usr/bin/env bash
# Tests the first hosts in Kotlin and Java, and makes a stress run.
#
#   Tests/Hosts/kotlin/own.sh BUILD_DIRECTORY CONFIGURATION_FILE STATE_DIRECTORY
#
# Everything runs under -Xcheck:jni, and any output of it is a failure.
set -uo pipefail
cd "$(dirname "$0")/../../.." || exit
source Tests/ABI/report.sh
source Tests/Support/patience.sh
out=$(cd "$1" && pwd)/hosts/kotlin
configuration=$2
directory=$3
mkdir -p "$directory"
binding=$out/host/wallet-core.jar
libraries=$out/host/lib/kotlin-stdlib.jar:$out/host/lib/kotlinx-coroutines-core.jar

check_jni() { timeout "$PROGRAM_PATIENCE" java -XX:TieredStopAtLevel=1 -Xcheck:jni "$@" 2>&1; }

# The kinds of the events that a first host prints, and its status.
first() { check_jni -Djava.library.path="$out/host" -cp "$out/host/first.jar:$binding:$1" "$2" "$3"; }
kinds=$'configuration\nlock_state\nversion_state\nstatus 0'
for class in FirstKt First; do
  needed=$libraries
  [[ $class == FirstKt ]] || needed=$binding # no Kotlin
  found=$(first "$needed" "$class" "$configuration")
  status=$?
  same "$class prints the first events" "$kinds" \
    "$(sed 's/.*"kind":"\([a-z_]*\)".*/\1/' <<<"$found" && echo "status $status")"
  found=$(first "$needed" "$class" "$directory/missing.json")
  same "$class says what is missing" "1: said" \
    "$?: ${found/*wallet-provider client-configuration*/said}"
done

PLAYER_CHECK_JNI=1 Tests/Hosts/stress.py --player "$out/player" --rounds "${ROUNDS:-1000}" "$configuration" \
  "$directory/stress" | sed 's/ok - /&under -Xcheck:jni: /'
status=${PIPESTATUS[0]}
((status == 0)) || not_ok "under -Xcheck:jni: the stress run ends" "status $status"
