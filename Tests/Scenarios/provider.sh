#!/usr/bin/env bash
# Controls the provider for scenarios: `provider WORDS...` runs this script with these arguments.
#
#   start [SETTING...]    starts it on its former port, with settings such as licence-kinds=DL,EN
#   restart [SETTING...]  kills it and starts it again; `reset` starts it without settings
#   stop                  kills it
#   clock MILLISECONDS    moves its clock
#   policy JSON           sets the PIN attempts; without JSON the standard ones
#   update-policy JSON    sets the rules for app versions; without JSON none
#   fault JSON            sets a fault for the next requests; without JSON ends faults and releases held requests
#   held                  waits until a request is held
#   answered              waits until every request is answered
#   vetting VERDICT       sets the verdict for all evidence: pending, declined or unavailable; without VERDICT
#                         the real one
#   source KIND           sets an issuing source of Virginia's licences: listed (it knows the applicant's),
#                         missing (it does not), silent, answering again. Settings as for start may follow
#   reset                 resets all of this
#   enrol [OPTION...]     opens an account of Imogen Rowan and writes its code as enrolment-code.txt (for
#                         scanning) and .png, enrolment-link.txt (for this device), and a licence with a new
#                         number as applicant.aamva and .png. Options are those of licence.py; "same"
#                         instead keeps the existing licence
#   code                  makes a new code for that account, in the same files
#   close                 closes that account
#   replacement           adds another wallet that waits to take the place of the one proofed for that account
#   account TEXT          succeeds if the control's answer for that account contains TEXT, e.g. "proofed":true
#   licence NAME [OPTION...]  makes a licence of Imogen Rowan as NAME.aamva and .png, with options of licence.py
#   change NAME SCRIPT NEW    changes NAME.aamva with sed and writes it as NEW.aamva
#   damage PATH HOW       damages the wallet's storage: `storage damaged NAME`, grown, failing
#
# The JSON is that of the control of wallet-provider-testing, written without spaces. SCENARIO_SCRATCH is a
# directory of the run, PROVIDERS that of the provider. The port is reserved until SCENARIO_SCRATCH is removed.
# The provider has the authorities of the relying parties whose certificates are in SCENARIO_SCRATCH/party.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
samples=$here/../../Examples/samples
party=$SCENARIO_SCRATCH/party
# shellcheck source=Examples/C/provider.sh
source "$here/../../Examples/C/provider.sh"
source "$here/../Support/held_port.sh"

# Prints the answer of the control; fails if that is a problem document.
ask() {
  local url answer
  url=$(<"$SCENARIO_SCRATCH/control")
  answer=$(curl --silent --show-error --fail-early --max-time "$PATIENCE" "${@:2}" "$url/$1")
  [[ $answer != *'"type"'* ]] || { echo "provider: $answer" >&2 && return 1; }
  echo "$answer"
}

# control NAME JSON [NAME JSON]...: sends commands over one connection.
control() {
  local url requests=()
  url=$(<"$SCENARIO_SCRATCH/control")
  while (($# > 2)); do
    requests+=(--data "$2" "$url/$1" --next --silent --show-error --max-time "$PATIENCE")
    shift 2
  done
  ask "$1" "${requests[@]}" --data "$2" >/dev/null
}

# Prints members of the JSON on standard input, one per line.
members() { python3 -c 'import json, sys; j = json.load(sys.stdin); print(*map(j.__getitem__, sys.argv[1:]), sep="\n")' "$@"; }

start() {
  local setting name port
  export WALLET_PROVIDER_PROOFING_HOSTS=wallet.example WALLET_PROVIDER_REGISTRATION_RATE=0 \
    WALLET_PROVIDER_WALLET_RATE=0
  for setting in "$@"; do
    [[ $setting =~ ^[a-z-]+= ]] || { echo "provider: '$setting' is no SETTING=VALUE" >&2 && return 2; }
    name=${setting%%=*}
    export "WALLET_PROVIDER_$(tr a-z- A-Z_ <<<"$name")=${setting#*=}"
  done
  [[ -e $party/anchors.json ]] || make_certificates
  export WALLET_PROVIDER_TRUST_ANCHORS=$party/anchors.json
  port=$(held_port "$SCENARIO_SCRATCH/port")
  start_provider "$SCENARIO_SCRATCH" "$PROVIDERS/wallet-provider-testing" --port "$port" --control-tcp 0
  sed -n 's/^control listens on //p' "$SCENARIO_SCRATCH/provider.out" >"$SCENARIO_SCRATCH/control"
  echo "$provider_pid" >"$SCENARIO_SCRATCH/pid"
  echo "$*" >"$SCENARIO_SCRATCH/settings"
}

# Makes the certificates that every relying party of this run has.
make_certificates() {
  mkdir -p "$party"
  "$here/../Support/relying_party.py" "$party" --host localhost </dev/null >/dev/null
}

# Returns when nothing listens on its port any more.
stop() {
  kill -KILL "$(<"$SCENARIO_SCRATCH/pid")" 2>/dev/null || true
  rm -f "$SCENARIO_SCRATCH/pid"
  [[ ! -e $SCENARIO_SCRATCH/port ]] || eventually is_quiet "$(<"$SCENARIO_SCRATCH/port")"
}

is_quiet() { ! { : <"/dev/tcp/127.0.0.1/$1"; } 2>/dev/null; }

# Sets the provider's clock to the machine's time.
set_clock() {
  local theirs before after
  before=$(date +%s%3N)
  theirs=$(ask clock)
  [[ $theirs =~ \"now_ms\":([0-9]+) ]] || { echo "provider: no time in $theirs" >&2 && return 1; }
  theirs=${BASH_REMATCH[1]}
  after=$(date +%s%3N)
  # The answer was made somewhere between these times, which may be seconds on a busy machine.
  if ((theirs < before || theirs > after)); then control clock "{\"advance_ms\":$((before - theirs))}"; fi
}

requests_are() { [[ $(ask requests) =~ $1 ]]; }

simulate_verdict() {
  local json={}
  [[ -z $1 ]] || json="{\"verdict\":\"$1\"}"
  control vetting "$json"
}

licence() {
  local name=$1
  shift
  "$samples/licence.py" --family-name ROWAN --given-names 'IMOGEN ELSPETH' --birth-date 1988-03-14 \
    "$@" >"$PHONE_PICTURES/$name.aamva"
  zint --barcode=PDF417 --binary --secure=5 --cols=13 --scale=3 --quietzones \
    -i "$PHONE_PICTURES/$name.aamva" -o "$PHONE_PICTURES/$name.png"
}

# Writes the code that the control has answered.
leave_code() {
  local qr link account
  { read -r qr && read -r link && read -r account; } < <(members qr link account <<<"$1")
  printf %s "$qr" >"$PHONE_PICTURES/enrolment-code.txt"
  printf %s "$link" >"$PHONE_PICTURES/enrolment-link.txt"
  printf %s "$account" >"$SCENARIO_SCRATCH/account"
  qrencode --level=M --8bit --size=8 --margin=4 -o "$PHONE_PICTURES/enrolment-code.png" "$qr"
}

enrol() {
  # A licence can prove only one account; "same" keeps the licence of the former account.
  [[ ${1:-} == same ]] || licence applicant --number "T$(date +%s%N | tail -c 13)" "$@"
  leave_code "$(ask accounts --data '{"label":"imogen@rowan.example","family_name":"Rowan",
    "given_name":"Imogen Elspeth","birth_date":"1988-03-14"}')"
}

# The source is a file of the provider; only its silence is set with the control.
name_source() {
  local file=$SCENARIO_SCRATCH/source.json number expiry documents=''
  case $1 in
    silent | answering)
      control source "{\"answers\":$([[ $1 == answering ]] && echo true || echo false)}"
      return
      ;;
    listed)
      number=$(LC_ALL=C sed -n 's/.*DLDAQ//p' "$PHONE_PICTURES/applicant.aamva")
      expiry=$(LC_ALL=C sed -nE 's/^DBA(..)(..)(....)$/\3-\1-\2/p' "$PHONE_PICTURES/applicant.aamva")
      documents="{\"issuer\":636000,\"number\":\"$number\",\"family_name\":\"Rowan\",
        \"given_name\":\"Imogen\",\"birth_date\":\"1988-03-14\",\"expiry_date\":\"$expiry\"}"
      ;;
  esac
  (umask 077 && echo "{\"issuers\":[{\"number\":636000,\"answers\":true}],
    \"documents\":[$documents]}" >"$file")
  stop
  start "authoritative-source=$file" "${@:2}"
}

account() { cat "$SCENARIO_SCRATCH/account"; }

close_account() {
  export WALLET_PROVIDER_PROOFING_HOSTS=wallet.example
  "$PROVIDERS/wallet-provider" account close --data "$SCENARIO_SCRATCH/provider" "$(account)"
}

standard_policy='{"rounds":4,"attempts_per_round":4,"block_ms":[60000,300000,3600000]}'

case $1 in
  start) start "${@:2}" ;;
  restart)
    stop
    start "${@:2}"
    ;;
  stop) stop ;;
  clock) control clock "{\"advance_ms\":$2}" ;;
  policy) control policy "${2:-$standard_policy}" ;;
  update-policy) control update-policy "${2:-"{\"rules\":[]}"}" ;;
  fault) control faults "${2:-"{}"}" ;;
  held) eventually requests_are '"held":[1-9]' ;;
  answered) eventually requests_are '"all":0' ;;
  vetting) simulate_verdict "${2:-}" ;;
  source) name_source "${@:2}" ;;
  enrol) enrol "${@:2}" ;;
  code) leave_code "$(ask "accounts/$(account)/codes" --data '')" ;;
  close) close_account ;;
  replacement) ask "accounts/$(account)/replacements" --data '' >/dev/null ;;
  account) [[ $(ask "accounts/$(account)") == *"$2"* ]] ;;
  licence) licence "${@:2}" ;;
  change) LC_ALL=C sed "$3" "$PHONE_PICTURES/$2.aamva" >"$PHONE_PICTURES/$4.aamva" ;;
  damage) "$here/damage.py" "$2" "$3" ;;
  reset)
    if [[ -e $SCENARIO_SCRATCH/pid && -n $(<"$SCENARIO_SCRATCH/settings") ]]; then stop; fi
    [[ -e $SCENARIO_SCRATCH/pid ]] || start
    set_clock
    control policy "$standard_policy" update-policy '{"rules":[]}' faults '{}' vetting '{}'
    ;;
  *)
    echo "provider: no such command: $*" >&2
    exit 2
    ;;
esac
