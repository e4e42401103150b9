#!/usr/bin/env bash
# Plays the scenarios with the player in C and says which cases of the flows they take.
#
#   Tests/Scenarios/run.sh PROVIDER_DIRECTORY BUILD_DIRECTORY [FILE...]
#
# BUILD_DIRECTORY/lib has libwallet_core_testing.so. Prints a line per scenario and, unless FILEs are given,
# the checks of the phone in a terminal, the coverage, and whether it is complete. The steps of a failed
# scenario follow its line. PARALLEL (2) is the number of scenarios that are played in parallel, each with its
# own provider.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
PROVIDERS=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
shift 2
source Tests/ABI/report.sh
source Tests/Support/patience.sh
files=("$@")
is_whole=$(($# == 0))
if ((is_whole)); then
  for file in Tests/Scenarios/*.txt; do [[ $file == */rows.txt ]] || files+=("$file"); done
fi

scratch=$(mktemp -d)
PHONE_PROVIDER=$PWD/Tests/Scenarios/provider.sh
PHONE_SCANNER=$build/examples/scan
export PROVIDERS PHONE_PROVIDER PHONE_SCANNER
parallel=${PARALLEL:-2}
stop_providers() {
  local number
  for ((number = 0; number < parallel; number++)); do
    [[ ! -e $scratch/$number/pid ]] || SCENARIO_SCRATCH=$scratch/$number "$PHONE_PROVIDER" stop
  done
}
trap 'stop_providers; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
traces=$scratch/traces
mkdir "$traces" "$scratch/lines"

phone=$build/examples/phone-testing
player=$build/hosts/c/player

# Prints the cases that a title names, which its scenario must take.
named_cases() { grep -oE '(UC|PF|EF)[0-9.]* [0-9]+(\.[0-9]+)?[a-z]?[a-z]\b' <<<"$1"; }

play() {
  local file=$1 name title output missing
  name=$(basename "$file" .txt)
  title=$(sed -n '1s/^# //p' "$file")
  "$PHONE_PROVIDER" reset || { not_ok "$title" "the provider does not answer" && return; }
  if output=$(WALLET_CORE_TESTING_TRACE=$traces/$name timeout --kill-after=5 "${TIMEOUT:-$PROGRAM_PATIENCE}" \
    Tests/Hosts/play.py --player "$player" --events "$events" "$file" "$SCENARIO_SCRATCH/configuration.json" \
    "$SCENARIO_SCRATCH/$name" 2>&1 </dev/null); then
    missing=$(comm -23 <(named_cases "$title" | sort -u) <(sort -u "$traces/$name"))
    if [[ -z $missing ]]; then ok "$title"; else not_ok "$title" "not taken: $missing"; fi
  else
    not_ok "$title" "$(tail -n 38 <<<"$output")"
  fi
  [[ -z ${VERBOSE:-} ]] || echo "$output"
  rm -rf "${SCENARIO_SCRATCH:?}/$name"
}

# Prints row by row how many scenarios took each case.
coverage() {
  local trace
  for trace in "$traces"/*; do sort -u "$trace"; done | sort | uniq -c |
    awk '
      NR == FNR { taken[$2 " " $3] = $1; next }
      {
        row = $1 " " substr($2, 1, length($2) - 1)
        if (row != last) { if (last) print line; line = sprintf("# %-10s", row); last = row }
        line = line sprintf("  %s %-3d", substr($2, length($2)), taken[$1 " " $2])
      }
      END { print line }' - Tests/Scenarios/rows.txt
}

Tests/Scenarios/phone.sh "$build" || exit
# The pictures that scenarios show to the camera.
code='https://wallet.example/b#v=1&m=qr&n=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA&x=4102444800'
if ! output=$(Examples/samples/make-samples.sh "$scratch/pictures" "$code" 2>&1); then
  not_ok "the pictures are made" "$output"
fi

# play_share NUMBER: plays one of the shares of the scenarios, with its own provider. Share 0 has the terminal too.
play_share() (
  export SCENARIO_SCRATCH=$scratch/$1 PHONE_PICTURES=$scratch/$1/pictures PHONE_PARTY=$scratch/$1/party
  events=$scratch/events.$1 # all that the player got
  mkdir "$SCENARIO_SCRATCH"
  cp -r "$scratch/pictures" "$PHONE_PICTURES"
  "$PHONE_PROVIDER" start || { not_ok "provider $1 starts" && exit; }
  for ((number = $1; number < ${#files[@]}; number += parallel)); do play "${files[number]}"; done
  if ((is_whole && $1 == 0)); then
    Tests/Scenarios/terminal.py "$phone" "$SCENARIO_SCRATCH/configuration.json" "$SCENARIO_SCRATCH/terminal" ||
      not_ok "the phone in a terminal: all checks were made" "status $?"
  fi
  : >"$SCENARIO_SCRATCH/ended"
)
for ((number = 0; number < parallel; number++)); do
  play_share "$number" >"$scratch/lines/$number" 2>&1 &
done
wait
cat "$scratch"/lines/*
for ((number = 0; number < parallel; number++)); do
  [[ -e $scratch/$number/ended ]] || not_ok "share $number of the scenarios was played to its end"
done

((is_whole)) || exit 0
echo "# case and number of scenarios that take it"
coverage
# No host can take PF2.4 1.3b on purpose: it is for a wallet that is gone when the answer to its PIN was right. A wipe
# locks first, which ends the flow. A registration lapses by the answer to a later job, and the thread of the PIN's
# job walks from the right answer through this row before it begins another. WalletUseCasesTests.UC5_1SharingTests
# takes the case.
same "every case of every row but one is taken by a scenario" 'PF2.4 1.3b' \
  "$(comm -13 <(sort -u "$traces"/*) <(sort -u Tests/Scenarios/rows.txt))"
names() { cat "$scratch"/events.* | Tests/Scenarios/names.py Sources/wallet_core/wallet_core.docc/names.md; }
holds "every step, action, notice and argument is in the article on the names" names
