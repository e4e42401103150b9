#!/usr/bin/env bash
# Holds the hosts of Examples against one another: scenarios, traces, a storm, and mistakes.
#
#   Tests/Hosts/run.sh PROVIDER_DIRECTORY BUILD_DIRECTORY [HOST...]
#
# HOST: python kotlin swift. Each plays SCENARIOS (files; a choice of them unless set, "all" for all), and
# hears of the library what the C phone hears. Prints a line per check.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
PROVIDERS=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
shift 2
source Tests/ABI/report.sh
hosts=("$@")
((${#hosts[@]})) || hosts=(python kotlin swift)

# What a host must be able to do: register, wrong and right PINs, locks, a finger, kill and rebind, a PID
# from pictures, presenting it, errors, links, a wipe.
chosen=(chain uc1.2-kill uc2.3-finger uc2.3-cancelled uc2.3-ios-second-failure uc3.1-picture-to-card uc7.1-card
  uc9.7-background rules-take-over rules-take-over-with-licence rules-kill-at-registration pf2.7-links-while-open
  pf2.8-first-round pf2.8-no-internet pf1.4-update-needed uc9.4-deletion-fails uc2.1-no-key-store rules-wipe-forgets)
read -ra files <<<"${SCENARIOS:-$(printf 'Tests/Scenarios/%s.txt ' "${chosen[@]}")}"
if [[ ${SCENARIOS:-} == all ]]; then
  files=()
  for file in Tests/Scenarios/*.txt; do [[ $file == */rows.txt ]] || files+=("$file"); done
fi

SCENARIO_SCRATCH=$(mktemp -d)
PHONE_PROVIDER=$PWD/Tests/Scenarios/provider.sh
PHONE_PICTURES=$SCENARIO_SCRATCH/pictures
PHONE_SCANNER=$build/examples/scan
export PROVIDERS SCENARIO_SCRATCH PHONE_PROVIDER PHONE_PICTURES PHONE_SCANNER
trap '"$PHONE_PROVIDER" stop; rm -rf "$SCENARIO_SCRATCH"' EXIT
trap 'exit 130' INT TERM
configuration=$SCENARIO_SCRATCH/configuration.json

# The C phone, as Tests/Scenarios/run.sh has built it, says what is to be heard.
play_c() {
  PHONE_JOURNAL=$SCENARIO_SCRATCH/journal timeout --kill-after=5 "${TIMEOUT:-60}" \
    "$build/examples/phone-testing" --script "$1" "$configuration" "$SCENARIO_SCRATCH/c" &&
    Tests/Hosts/trace.py "$SCENARIO_SCRATCH/journal" >"$2"
}

play_other() {
  timeout --kill-after=5 "${TIMEOUT:-60}" Tests/Hosts/play.py --player "$build/hosts/$host/player" --trace "$2" \
    "$1" "$configuration" "$SCENARIO_SCRATCH/$host"
}

# play HOST FILE TRACE: with a provider as at the start and a fresh wallet.
play() {
  local host=$1 file=$2 trace=$3 output
  "$PHONE_PROVIDER" reset || { not_ok "$host: $(basename "$file" .txt)" "the provider does not answer" && return 1; }
  if [[ $host == c ]]; then set -- play_c; else set -- play_other; fi
  if output=$("$1" "$file" "$trace" 2>&1 </dev/null); then
    rm -rf "${SCENARIO_SCRATCH:?}/$host" "$SCENARIO_SCRATCH/journal"
    return
  fi
  not_ok "$host: $(sed -n '1s/^# //p' "$file")" "$(tail -n 30 <<<"$output")"
  rm -rf "${SCENARIO_SCRATCH:?}/$host" "$SCENARIO_SCRATCH/journal"
  return 1
}

players=()
for host in "${hosts[@]}"; do
  if output=$("Tests/Hosts/$host/build.sh" "$build" 2>&1); then
    players+=("$host")
  else
    not_ok "the host in $host is built" "$output"
  fi
done
code='https://wallet.example/b#v=1&m=qr&n=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA&x=4102444800'
holds "the pictures are made" Examples/samples/make-samples.sh "$PHONE_PICTURES" "$code"
"$PHONE_PROVIDER" start || exit 1

for file in "${files[@]}"; do
  title=$(sed -n '1s/^# //p' "$file")
  name=$(basename "$file" .txt)
  play c "$file" "$SCENARIO_SCRATCH/$name.c" || continue
  for host in "${players[@]}"; do
    play "$host" "$file" "$SCENARIO_SCRATCH/$name.$host" || continue
    same "$host: $title" "$(<"$SCENARIO_SCRATCH/$name.c")" "$(<"$SCENARIO_SCRATCH/$name.$host")"
  done
done

for host in "${players[@]}"; do
  "$PHONE_PROVIDER" reset
  Tests/Hosts/mistakes.py --player "$build/hosts/$host/player" "$configuration" "$SCENARIO_SCRATCH/mistakes-$host" |
    sed "s/^\(not \)\?ok - /&$host: /"
  "$PHONE_PROVIDER" reset
  Tests/Hosts/storm.py --player "$build/hosts/$host/player" --rounds "${ROUNDS:-1000}" "$configuration" \
    "$SCENARIO_SCRATCH/storm-$host" | sed "s/^\(not \)\?ok - /&$host: /"
  [[ ! -x Tests/Hosts/$host/own.sh ]] ||
    "Tests/Hosts/$host/own.sh" "$build" "$configuration" "$SCENARIO_SCRATCH/own-$host" | sed "s/^\(not \)\?ok - /&$host: /"
done
