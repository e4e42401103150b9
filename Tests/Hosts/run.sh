#!/usr/bin/env bash
# Compares hosts that use the bindings with the player in C: scenarios, traces, a stress run, and mistakes.
#
#   Tests/Hosts/run.sh PROVIDER_DIRECTORY BUILD_DIRECTORY [HOST...]
#
# HOST: python kotlin swift. Each plays SCENARIOS (files; a selection by default, "all" for all) and must get
# the events that the player in C gets; then it makes ROUNDS of rebinds and its mistakes. The hosts run in parallel,
# each with its own provider. Prints a line per check.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
PROVIDERS=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
shift 2
source Tests/ABI/report.sh
source Tests/Support/patience.sh
hosts=("$@")
((${#hosts[@]})) || hosts=(python kotlin swift)

# These cover what a host must be able to do: register, wrong and right PINs, locks, a finger, kill and rebind,
# a PID from pictures, presenting it, sharing, errors, links, a wipe.
chosen=(chain uc1.2-kill uc2.3-finger uc2.3-cancelled uc2.3-ios-second-failure uc3.1-picture-to-card uc7.1-card
  uc5.1-other-device uc5.1-choice uc5.1-act-fails uc5.1-link-while-locked uc5.2-same-device uc6.1-history
  uc9.7-background rules-take-over rules-take-over-with-licence rules-kill-at-registration pf2.7-links-while-open
  pf2.8-first-round pf2.8-no-internet pf1.4-update-needed uc9.4-deletion-fails uc2.1-no-key-store rules-wipe-forgets)
read -ra files <<<"${SCENARIOS:-$(printf 'Tests/Scenarios/%s.txt ' "${chosen[@]}")}"
if [[ ${SCENARIOS:-} == all ]]; then
  files=()
  for file in Tests/Scenarios/*.txt; do [[ $file == */rows.txt ]] || files+=("$file"); done
fi

scratch=$(mktemp -d)
export PROVIDERS PHONE_PROVIDER=$PWD/Tests/Scenarios/provider.sh PHONE_SCANNER=$build/examples/scan
clean_up() {
  local pid
  for pid in "$scratch"/*/pid; do [[ ! -e $pid ]] || SCENARIO_SCRATCH=${pid%/pid} "$PHONE_PROVIDER" stop; done
  rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

play() {
  timeout --kill-after=5 "${TIMEOUT:-$PROGRAM_PATIENCE}" Tests/Hosts/play.py --player "$player" --trace "$2" \
    "$1" "$configuration" "$SCENARIO_SCRATCH/state"
}

# Plays each scenario with a reset provider and a new wallet: writes NAME.trace, or NAME.failure with the reason.
play_all() {
  local file name
  for file in "${files[@]}"; do
    name=$(basename "$file" .txt)
    if ! "$PHONE_PROVIDER" reset >"$SCENARIO_SCRATCH/output" 2>&1 </dev/null ||
      ! play "$file" "$SCENARIO_SCRATCH/$name.trace" >"$SCENARIO_SCRATCH/output" 2>&1 </dev/null; then
      tail -n 30 "$SCENARIO_SCRATCH/output" >"$SCENARIO_SCRATCH/$name.failure"
    fi
    rm -rf "${SCENARIO_SCRATCH:?}/state"
  done
}

# The checks of a host besides the scenarios; their lines go to SCENARIO_SCRATCH/lines.
try() {
  local host=$1
  "$PHONE_PROVIDER" reset
  Tests/Hosts/mistakes.py --player "$player" "$configuration" "$SCENARIO_SCRATCH/mistakes" ||
    not_ok "every mistake was made" "status $?"
  "$PHONE_PROVIDER" reset
  Tests/Hosts/stress.py --player "$player" --rounds "${ROUNDS:-50}" "$configuration" "$SCENARIO_SCRATCH/stress" ||
    not_ok "the stress run ended" "status $?"
  [[ ! -x Tests/Hosts/$host/own.sh ]] ||
    "Tests/Hosts/$host/own.sh" "$build" "$configuration" "$SCENARIO_SCRATCH/own" ||
    not_ok "the host's own tests were run" "status $?"
}

# test_host HOST: all tests of one host, with its own directory and provider.
test_host() (
  host=$1 player=$build/hosts/$1/player
  export SCENARIO_SCRATCH=$scratch/$host PHONE_PICTURES=$scratch/$host/pictures PHONE_PARTY=$scratch/$host/party
  configuration=$SCENARIO_SCRATCH/configuration.json
  mkdir "$SCENARIO_SCRATCH"
  cp -r "$scratch/pictures" "$PHONE_PICTURES"
  "$PHONE_PROVIDER" start || exit
  play_all
  # Tests/ABI has the mistakes and the stress runs of C programs.
  if [[ $host != c ]]; then
    try "$host" >"$SCENARIO_SCRATCH/lines" 2>&1 </dev/null
    echo "ok - all tests of the host were run" >>"$SCENARIO_SCRATCH/lines"
  fi
)

players=()
for host in "${hosts[@]}"; do
  if output=$("Tests/Hosts/$host/build.sh" "$build" 2>&1); then
    players+=("$host")
  else
    not_ok "the host in $host is built" "$output"
  fi
done
code='https://wallet.example/b#v=1&m=qr&n=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA&x=4102444800'
holds "the pictures are made" Examples/samples/make-samples.sh "$scratch/pictures" "$code"

for host in c "${players[@]}"; do test_host "$host" & done
wait

for host in "${players[@]}"; do
  for file in "${files[@]}"; do
    title=$(sed -n '1s/^# //p' "$file")
    name=$(basename "$file" .txt)
    found=$scratch/$host/$name wanted=$scratch/c/$name
    if [[ -s $wanted.failure ]]; then
      not_ok "$host: $title" "the player in C: $(<"$wanted.failure")"
    elif [[ -s $found.failure || ! -s $found.trace ]]; then
      not_ok "$host: $title" "$(cat "$found.failure" 2>&1)"
    else
      same "$host: $title" "$(<"$wanted.trace")" "$(Tests/Hosts/trace.py "$wanted.trace" "$found.trace")"
    fi
  done
  tail -n 1 "$scratch/$host/lines" | grep -q 'all tests of the host' || not_ok "$host: all tests of the host were run"
  sed "s/^\(not \)\?ok - /&$host: /" "$scratch/$host/lines"
done
