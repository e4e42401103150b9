#!/usr/bin/env bash
# Counts the instructions of start-up, of a choice, of an unlock, of a presentation, and of a validation at the
# provider, and compares them with instructions.txt: more than 10 % above it fails.
#
#   PROVIDERS=DIRECTORY BUILD=DIRECTORY Tests/Benchmarks/instructions.sh
#
# wallet_core is found by pkg-config. PROVIDERS has the release builds of the provider and of provider-load. With
# WALLET_CORE_WRITE_INSTRUCTIONS=1 the counts become the new baseline. They include the program that is counted and
# everything it calls, without Argon2id. Of a repeated part the lowest count is used, because the number of wake-ups
# varies.
set -uo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/report.sh
source Tests/Support/patience.sh
source Examples/C/provider.sh
source Tests/Benchmarks/applicants.sh
source Tests/Benchmarks/validation.sh
baseline=Tests/Benchmarks/instructions.txt
tolerance=10 # percent

scratch=$(mktemp -d)
trap 'end_provider; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
# What the counts depend on besides the project's code.
system="$(. /etc/os-release && echo "$ID ${VERSION_ID:-}") $(uname -m)"

library=$(pkg-config --variable=libdir wallet_core)/libwallet_core.so
read -ra flags < <(pkg-config --cflags --libs wallet_core libsodium libcrypto)
mkdir -p "$BUILD/abi"
program=$BUILD/abi/instructions
# -rdynamic: the program's crypto_pwhash replaces libsodium's.
if ! reason=$("${CC:-cc}" -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -rdynamic -ITests/ABI -IExamples/C -o "$program" \
  Tests/Benchmarks/{instructions,enrolment}.c Tests/ABI/{host,process}.c Examples/C/software_keys.c -pthread \
  "${flags[@]}" -Wl,-rpath,"$(dirname "$library")" 2>&1); then
  not_ok "the program that is counted compiles" "$reason"
  exit 1
fi

# Otherwise Swift's hash tables have a different order in each process.
count() {
  SWIFT_DETERMINISTIC_HASHING=1 timeout "$PROGRAM_PATIENCE" valgrind --tool=callgrind --callgrind-out-file="$scratch/$1" \
    "$program" "$1" "$provider_configuration" "$scratch/host" >"$scratch/$1.log" 2>&1 || {
    not_ok "start-up, choices, unlocks and presentations under callgrind" "$(tail -n 20 "$scratch/$1.log")"
    exit 1
  }
}
provider=${PROVIDER:-$PROVIDERS/wallet-provider}
export WALLET_PROVIDER_REGISTRATION_RATE=0 WALLET_PROVIDER_WALLET_RATE=0
start_provider "$scratch" "$provider" || exit 1
# With a policy in it, an app's start does not depend on the provider's answer.
"$provider" client-configuration --data "$scratch/provider" --url "$provider_url" --with-update-policy \
  --out "$provider_configuration"
mkdir "$scratch/host"
count first
count again
# The card is obtained without callgrind, in which nothing of it would be counted.
{
  make_applicant "$provider" "$scratch/provider" "$scratch/applicant" &&
    timeout "$PROGRAM_PATIENCE" "$program" enrol "$provider_configuration" "$scratch/host" \
      "$scratch/applicant"/{code,licence}
} >"$scratch/enrol.log" 2>&1 || {
  not_ok "a card that is presented" "$(cat "$scratch/enrol.log")"
  exit 1
}
count present

end_provider
validation=$(count_validation "$scratch" "$PROVIDERS/wallet-provider" "$PROVIDERS/provider-load") || {
  not_ok "validations at the provider under callgrind"
  exit 1
}

# Each dump names its part and its total.
{
  echo "$validation"
  awk '
    /^desc: Trigger: Client Request: / { part = $NF }
    /^totals: / { if (part != "" && (!(part in least) || $2 < least[part])) least[part] = $2; part = "" }
    END { for (part in least) print part, least[part] }
  ' "$scratch"/{first,again,present}.[0-9]*
} | sort >"$scratch/counts"

if [[ ${WALLET_CORE_WRITE_INSTRUCTIONS:-} == 1 ]]; then
  {
    echo "# Instructions, see instructions.sh. Written by make instructions-baseline."
    echo "system $system"
    cat "$scratch/counts"
  } >"$baseline"
fi

if [[ $(sed -n 's/^system //p' "$baseline") != "$system" ]]; then
  echo "# counted on $system, but the baseline is of another system:"
  sed 's/^/#   /' "$scratch/counts"
  exit 0
fi
while read -r part wanted; do
  found=$(awk -v part="$part" '$1 == part { print $2 }' "$scratch/counts")
  name="instructions of $part: within $tolerance % of the baseline"
  change=$(awk -v a="${found:-0}" -v b="$wanted" 'BEGIN { printf "%+.1f %%", 100 * (a - b) / b }')
  echo "# $part: ${found:-none} instructions, $change"
  if [[ -z $found ]]; then
    not_ok "$name" "not counted"
  elif ((found * 100 > wanted * (100 + tolerance))); then
    not_ok "$name" "$found instead of $wanted ($change); if that is right: make instructions-baseline"
  else
    ok "$name"
  fi
done < <(grep -vE '^(#|system )' "$baseline")
