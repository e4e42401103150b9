#!/usr/bin/env bash
# What scenarios ask of the provider: `provider WORDS...` runs this with the words.
#
#   start                 starts it, on the port that it had
#   stop                  kills it
#   clock MILLISECONDS    moves its clock
#   policy JSON           the PIN attempts; without JSON the standard ones
#   update-policy JSON    the rules for app versions; without JSON none
#   fault JSON            what the next requests meet; without JSON nothing
#   reset                 all of this as it was
#   enrol [OPTION...]     opens an account (of the person of `applicant.aamva`, unless options of
#                         `account create` say otherwise) and leaves among the pictures its code as
#                         enrolment-code.txt and .png, and the licence, of a number of its own
#   damage PATH NAME      breaks a value of the wallet's storage: `storage damaged NAME`
#
# The JSON is that of the control of wallet-provider-testing, written without spaces. SCENARIO_SCRATCH
# is a directory of the run, PROVIDERS that of the provider.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=Examples/C/provider.sh
source "$here/../../Examples/C/provider.sh"

control() {
  local url answer
  url=$(<"$SCENARIO_SCRATCH/control")
  answer=$(curl --silent --show-error --max-time 10 --data "$2" "$url/$1")
  [[ $answer != *'"type"'* ]] || { echo "provider: $answer" >&2 && return 1; }
}

start() {
  local port=0
  export WALLET_PROVIDER_PROOFING_HOSTS=wallet.example
  [[ ! -e $SCENARIO_SCRATCH/port ]] || port=$(<"$SCENARIO_SCRATCH/port")
  start_provider "$SCENARIO_SCRATCH" "$PROVIDERS/wallet-provider-testing" \
    --port "$port" --control-tcp 0
  sed -n 's/^control listens on //p' "$SCENARIO_SCRATCH/provider.out" >"$SCENARIO_SCRATCH/control"
  echo "${provider_url##*:}" >"$SCENARIO_SCRATCH/port"
  echo "$provider_pid" >"$SCENARIO_SCRATCH/pid"
}

stop() {
  kill -KILL "$(<"$SCENARIO_SCRATCH/pid")" 2>/dev/null || true
  rm -f "$SCENARIO_SCRATCH/pid"
}

enrol() {
  local samples=$here/../../Examples/samples link
  # A licence proofs one account.
  "$samples/licence.py" --family-name ROWAN --given-names 'IMOGEN ELSPETH' --birth-date 1988-03-14 \
    --number "T$(date +%s%N | tail -c 13)" >"$PHONE_PICTURES/applicant.aamva"
  (($# > 0)) || set -- --family-name Rowan --given-name Imogen --birth-date 1988-03-14
  export WALLET_PROVIDER_PROOFING_HOSTS=wallet.example
  link=$("$PROVIDERS/wallet-provider" account create --data "$SCENARIO_SCRATCH/provider" \
    --label imogen@rowan.example "$@" --qr "$PHONE_PICTURES/enrolment-code.png")
  grep -o 'https://.*' <<<"$link" | head -n 1 | tr -d '\n' >"$PHONE_PICTURES/enrolment-code.txt"
}

standard_policy='{"rounds":4,"attempts_per_round":4,"block_ms":[60000,300000,3600000]}'

case $1 in
  start) start ;;
  stop) stop ;;
  clock) control clock "{\"advance_ms\":$2}" ;;
  policy) control policy "${2:-$standard_policy}" ;;
  update-policy) control update-policy "${2:-"{\"rules\":[]}"}" ;;
  fault) control faults "${2:-"{}"}" ;;
  enrol) enrol "${@:2}" ;;
  damage) "$here/damage.py" "$2" "$3" ;;
  reset)
    [[ -e $SCENARIO_SCRATCH/pid ]] || start
    control policy "$standard_policy"
    control update-policy '{"rules":[]}'
    control faults '{}'
    ;;
  *)
    echo "provider: no such command: $*" >&2
    exit 2
    ;;
esac
