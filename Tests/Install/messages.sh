#!/usr/bin/env bash
# The messages for an operator when something is wrong: `serve` prints one line, and `check` prints the same.
#
#   Tests/Install/messages.sh WALLET_PROVIDER
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../ABI/report.sh"
source "$here/unprivileged.sh"
provider=$(realpath "$1")

scratch=$(mktemp -d)
trap 'chmod -R u+rwX "$scratch"; rm -rf "$scratch"' EXIT
chmod 711 "$scratch"
cd "$scratch" || exit
mkdir place
belong place
cd place || exit
as() { "${unprivileged[@]}" "$@"; }
as "$provider" client-configuration --data good >/dev/null

# listens PROCESS: waits until it says so, or has ended.
listens() {
  local end=$((SECONDS + PATIENCE))
  until grep -q '^wallet-provider listens on ' out; do
    kill -0 "$1" && ((SECONDS < end)) || return
    sleep 0.1
  done
}

# refused NAME STATUS WORDS OPTION...: `serve` ends with the status and one line of these words, and `check`
# has them in a line that begins with wrong.
refused() {
  local name=$1 status=$2 words=$3 check checked
  shift 3
  as "$provider" check --port 0 "$@" >checked &
  check=$!
  same "$name: one line" "Error: $words" "$(said "$status" "$provider" serve --port 0 "$@")"
  wait "$check"
  same "$name: check ends with 1" 1 $?
  checked=$(sed -n "s/^wrong [a-zA-Z ]*: //p" checked)
  same "$name: check says the same" "$words" "$(grep -xF -e "$words" <<<"$checked")"
}

# accepted NAME WORDS OPTION...: `serve` starts and warns with the words, and `check` succeeds with them in a note. No
# words mean no warning and no note about links.
accepted() {
  local name=$1 words=$2 server checked
  shift 2
  rm -f out && touch out # read below, perhaps before the provider has opened it
  "${unprivileged[@]}" "$provider" serve --port 0 "$@" >out 2>err </dev/null &
  server=$!
  holds "$name: serve starts" listens "$server"
  kill "$server"
  wait "$server"
  same "$name: and ends well" 0 $?
  checked=$(as "$provider" check --port 0 "$@")
  same "$name: check ends with 0" 0 $?
  same "$name: serve warns" "$words" \
    "$(sed -n 's/.* warning .*reason=\(.*\) \[.*\] no host for links$/\1/p' err)"
  same "$name: check notes" "$words" "$(sed -n 's/^note enrolment links: //p' <<<"$checked")"
}

# --- the data directory -----------------------------------------------------------------------------------
for mode in 750 701; do
  as mkdir -m "$mode" "open$mode"
  refused "a data directory of mode $mode" 1 "others may open open$mode. Run: chmod 700 open$mode" --data "open$mode"
done
as mkdir -m 700 closed
as "$provider" client-configuration --data closed >/dev/null
as chmod 500 closed
refused "a data directory that cannot be written to" 1 "cannot write to closed: Permission denied" --data closed
as touch file
as sh -c 'umask 077; echo "log-level: info" >settings.yaml'
refused "a file in place of the data directory" 1 "file is not a directory" --data file --config settings.yaml
refused "a data directory in none" 1 "there is no directory none/at to make none/at/all in" --data none/at/all
same "nothing was made" "" "$(ls none 2>/dev/null)"
as mkdir -m 500 sealed
refused "a data directory that cannot be made" 1 "cannot write to sealed: Permission denied" --data sealed/data
as chmod 644 good/keys/result.key
refused "a key that others may read" 1 \
  "good/keys/result.key is secret, but users other than its owner may open it. If nobody has, run: chmod 600 good/keys/result.key" \
  --data good
as chmod 600 good/keys/result.key
as chmod 777 good/keys
refused "a directory of keys that others may change" 1 "others may change good/keys. Run: chmod go-w good/keys" \
  --data good
as chmod 700 good/keys
as sh -c 'echo "{\"rules\":[]}" >good/update-policy.json; chmod 666 good/update-policy.json'
refused "an update policy that others may change" 1 \
  "others may change good/update-policy.json. Run: chmod go-w good/update-policy.json" --data good
as rm good/update-policy.json
as "$provider" wallet list --data good
as chmod 640 good/wallet-provider.sqlite
refused "a database that others may read" 1 \
  "good/wallet-provider.sqlite is secret, but users other than its owner may open it. If nobody has, run: chmod 600 good/wallet-provider.sqlite" \
  --data good
as chmod 600 good/wallet-provider.sqlite
accepted "a data directory in order" "" --data good

# --- a proxy in front -------------------------------------------------------------------------------------
hostless="no account can be made: proofing-hosts names no host by which apps know this server"
accepted "behind a proxy without proofing hosts" "$hostless" --data good --behind-proxy
accepted "the same on every address" "$hostless" --data good --behind-proxy --host 0.0.0.0
accepted "behind a proxy with one" "" --data good --behind-proxy --proofing-hosts wallet.example
refused "enrolment pages behind a proxy without proofing hosts" 64 \
  "--enrol-page needs --proofing-hosts: links must name a host; see --enrol-page (WALLET_PROVIDER_ENROL_PAGE)" \
  --data good --behind-proxy --enrol-page

# --- settings ---------------------------------------------------------------------------------------------
settings() { as sh -c "umask 077; printf '%s\n' '$1' >settings.yaml; chmod ${2:-600} settings.yaml"; }
settings 'hots: x'
refused "an unknown setting" 64 'settings.yaml line 1: "hots" is not a setting' --data good --config settings.yaml
export WALLET_PROVIDER_PROT=1
refused "a variable that is no setting" 64 \
  "the variable WALLET_PROVIDER_PROT is no setting, did you mean WALLET_PROVIDER_PORT?" --data good
unset WALLET_PROVIDER_PROT
settings 'metrics-port: many'
refused "a value that is none" 64 \
  'settings.yaml line 1: metrics-port must be a whole number from 0 to 65535, not "many"' \
  --data good --config settings.yaml
settings 'log-level: info' 200
refused "a settings file that may not be read" 1 "cannot read settings.yaml: Permission denied" \
  --data good --config settings.yaml
settings 'log-level: info' 666
refused "a settings file that others may change" 1 "others may change settings.yaml. Run: chmod go-w settings.yaml" \
  --data good --config settings.yaml
refused "a directory as settings file" 1 "good is a directory and should be a file" --data good --config good
refused "no settings file" 1 "there is no configuration file none.yaml" --data good --config none.yaml
refused "no certificate" 1 "there is no file none.pem" --data good --tls-certificate none.pem --tls-key none.key
same "an unknown option is named, with how to ask for help" \
  "Error: Unknown option '--prot'. Did you mean '--port'?" \
  "$("$provider" serve --prot 1 2>&1 | head -1)"

# --- what belongs to another user -------------------------------------------------------------------------
if ((EUID == 0)); then
  # A server of another user may read what root owns.
  echo 'log-level: info' >roots.yaml
  chmod 644 roots.yaml
  checked=$(as "$provider" check --port 0 --data good --config roots.yaml)
  same "settings that belong to root: check ends with 0" 0 $?
  same "settings that belong to root: check has read them" "ok settings: read from roots.yaml" \
    "$(grep '^ok settings: ' <<<"$checked")"

  # Root may open every file and refuses those that somebody else may change.
  ordinary=("${unprivileged[@]}") unprivileged=()
  mkdir -m 700 "$scratch/root"
  cd "$scratch/root" || exit
  "$provider" client-configuration --data own >/dev/null
  "$provider" wallet list --data own
  echo '{"rules":[]}' >own/update-policy.json
  (umask 077 && echo 'log-level: info' >settings.yaml && echo '{"issuers":[],"documents":[]}' >source.json &&
    echo '{"anchors":[]}' >anchors.json)
  # foreign PATH [OPTION...]
  foreign() {
    local path=$1
    shift
    chown 65534 "$path"
    refused "$path of another user" 1 "$path belongs to the user with id 65534, who may change it, and this runs as 0.\
 Run this as that user or, if the content is right, run: chown 0 $path" --data own "$@"
    chown 0 "$path"
  }
  for path in own own/{keys,keys/encryption.key,provider-id,configuration.jwt,wallet-provider.sqlite,update-policy.json}; do
    foreign "$path"
  done
  foreign settings.yaml --config settings.yaml
  foreign source.json --authoritative-source source.json --issuing-country US
  foreign anchors.json --trust-anchors anchors.json
  accepted "files that belong to root again" "" --data own
  cd ../place || exit
  unprivileged=("${ordinary[@]}")
else
  echo "# files of other users are tested only as root, who alone can make them"
fi

# --- an address that is taken -----------------------------------------------------------------------------
rm -f out && touch out
"${unprivileged[@]}" "$provider" serve --data good --port 0 >out 2>err </dev/null &
server=$!
holds "a server runs" listens "$server"
port=$(sed -n 's/.*:\([0-9]*\)$/\1/p' out)
taken="cannot listen on 127.0.0.1, port $port: Address already in use; is a server running already?"
refused "a port in use" 1 "$taken" --data good --port "$port"
refused "a port in use for the metrics" 1 "$taken" --data good --metrics-port "$port"
refused "the same, with a log of JSON" 1 "$taken" --data good --metrics-port "$port" --log-format json
kill "$server"
wait "$server"

# --- a full disk ------------------------------------------------------------------------------------------
# In a file system of its own, so full that only some of the files fit, or none.
mkdir full
for fill in 102400 204800 266240 299008; do
  # shellcheck disable=SC2016 # for the inner shell
  line=$(unprivileged=() && said 1 unshare --map-root-user --mount sh -ec '
    mount -t tmpfs -o size=300k,mode=0700 none full
    head -c "$2" /dev/zero >full/fill
    "$1" serve --port 0 --data full/data' sh "$provider" "$fill")
  if [[ $line =~ ^Error:\ .*(No space left on device|database or disk is full|is the disk full\?) && $line != *$'\n'* ]]; then
    ok "a full disk, $fill bytes taken"
  else
    not_ok "a full disk, $fill bytes taken" "$line"
  fi
done
