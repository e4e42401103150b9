#!/usr/bin/env bash
# A newcomer's start with the examples: a missing package or file is named at once, and the terminal phone's own
# instructions lead to a digital ID.
#
# phone_web.sh tests the phone in the browser; here only its start is tested.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
source Tests/ABI/report.sh
source Tests/Support/patience.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
none=$scratch/none
provider=$PROVIDERS/wallet-provider
phone_web=Examples/python/phone_web/run.sh

# names NAME WORDS COMMAND...: the command fails, with these words in its last output and nothing on standard output.
names() {
  local name=$1 words=$2 status
  shift 2
  timeout --kill-after=5 "${TIMEOUT:-$PROGRAM_PATIENCE}" "$@" >"$scratch/out" 2>"$scratch/errors" </dev/null
  status=$?
  if ((status != 0 && status < 124)) && [[ ! -s $scratch/out && $(tail -n 1 "$scratch/errors") == *"$words"* ]]; then
    ok "$name"
  else
    not_ok "$name" "status $status: $(cat "$scratch/out" "$scratch/errors")"
  fi
}

# --- words are missing ---------------------------------------------------------------------------------
names "demo.sh with half of its words says how it is called" "usage: Examples/C/demo.sh [WALLET_PROVIDER" \
  Examples/C/demo.sh "$provider"
names "and with an unknown one" "usage: Examples/C/demo.sh [WALLET_PROVIDER" \
  Examples/C/demo.sh "$provider" "$scratch/build" --verify
names "so does phone.sh" "usage: Examples/C/phone.sh [WALLET_PROVIDER" Examples/C/phone.sh "$provider" --applicant
names "and make-applicant.sh" "usage: Examples/samples/make-applicant.sh WALLET_PROVIDER" \
  Examples/samples/make-applicant.sh "$provider"

# --- a package is missing ------------------------------------------------------------------------------
# packages_without NAME: a directory with all of the machine's pkg-config files except that one.
packages_without() {
  local directory=$scratch/without-$1 path file
  mkdir "$directory"
  IFS=: read -ra paths <<<"$(pkg-config --variable=pc_path pkg-config)"
  for path in "${paths[@]}"; do
    for file in "$path"/*.pc; do
      [[ ! -e $file || $file == */"$1.pc" ]] || ln -sf "$file" "$directory"
    done
  done
  echo "$directory"
}

for missing in zxing libsodium libcrypto; do
  without=$(packages_without "$missing")
  for script in demo phone; do
    names "without $missing $script.sh ends with that reason" "'$missing'" \
      env PKG_CONFIG_LIBDIR="$without" "Examples/C/$script.sh" "$provider" "$scratch/build"
    same "and has started no provider" "" "$(grep 'starting' "$scratch/errors")"
  done
done
names "without zxing the phone in the browser ends with that reason" "'zxing'" \
  env PKG_CONFIG_LIBDIR="$scratch/without-zxing" "$phone_web" "$PROVIDERS" "$BUILD"
same "what a script is doing goes to standard error" "phone-web: compiling the camera's scanner" \
  "$(head -n 1 "$scratch/errors")"

printf '#!/bin/sh\necho "scan.cpp: this compiler is broken" >&2\nexit 1\n' >"$scratch/broken"
chmod +x "$scratch/broken"
names "where the compiler fails demo.sh ends with its message" "this compiler is broken" \
  env CXX="$scratch/broken" Examples/C/demo.sh "$provider" "$scratch/build"

# --- the phone in the terminal, which compiles it -------------------------------------------------------
Tests/Scenarios/newcomer.py Examples/C/phone.sh "$provider" "$scratch/build" ||
  not_ok "the phone in the terminal was tried to the end" "status $?"

# --- a file is missing ---------------------------------------------------------------------------------
configuration=$scratch/configuration.json
holds "a provider prints its configuration" "$provider" client-configuration --data "$scratch/provider" \
  --out "$configuration"
phone=$scratch/build/phone
names "a missing provider is named by demo.sh" "$none/wallet-provider: No such file" \
  Examples/C/demo.sh "$none/wallet-provider" "$scratch/build"
names "also where a verifier comes first" "$none/wallet-provider: No such file" \
  Examples/C/demo.sh "$none/wallet-provider" "$scratch/build" --verifier
names "a missing configuration by startup" "startup: $none.json: No such file" \
  "$scratch/build/startup" "$none.json" "$scratch/state"
names "a missing configuration by proofing" "proofing: $none.json: No such file" \
  "$scratch/build/proofing" "$none.json" "$scratch/state" "$none.png" "$none.png" "$none.pem"
names "a missing configuration by sharing" "sharing: $none.json: No such file" \
  "$scratch/build/sharing" "$none.json" "$scratch/state" "openid4vp://"
names "a missing configuration by the phone" "phone: $none.json: No such file" \
  "$phone" "$none.json" "$scratch/state"
names "one that is none by the phone" "phone: $scratch: Is a directory" "$phone" "$scratch" "$scratch/state"
names "a directory without a place by the phone" "phone: $none/state: No such file" \
  "$phone" "$configuration" "$none/state"
names "a missing directory of pictures by the phone" "phone: $none: No such file" \
  "$phone" --pictures "$none" "$configuration" "$scratch/state"
play=(Tests/Hosts/play.py --player "$BUILD/hosts/c/player")
names "a missing scenario by play.py" "play: [Errno 2] No such file or directory: '$none.txt'" \
  "${play[@]}" "$none.txt" "$configuration" "$scratch/state"
echo 'open launch @none.txt' >"$scratch/scenario"
names "a missing content by a scenario" "No such file or directory: '$scratch/none.txt'" \
  env PHONE_PICTURES="$scratch" bash -c '"$@" >/dev/null' - \
  "${play[@]}" "$scratch/scenario" "$configuration" "$scratch/state"
names "a missing library by the phone in the browser" "$scratch/lib/libwallet_core_testing.so: No such file" \
  "$phone_web" "$PROVIDERS" "$scratch"
