#!/usr/bin/env bash
# `make install-provider`, and the systemd units that it installs: systemd reports no error in them, their command
# lines serve, and the program needs nothing that they forbid.
#
#   Tests/Install/service.sh WALLET_PROVIDER
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit
source Tests/ABI/report.sh
source Tests/Install/unprivileged.sh
provider=$(realpath "$1")

scratch=$(mktemp -d)
server=
# shellcheck disable=SC2317 # called by the trap
clean_up() {
  [[ -z $server ]] || kill -KILL "$server" 2>/dev/null
  rm -rf "$scratch"
}
trap clean_up EXIT
chmod 711 "$scratch"

# Without Swift, and without the settings of the user who runs the tests.
install_provider() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin make --no-print-directory install-provider "release_provider=$provider" \
    "provider_licences=$scratch/licences" "$@"
}
objects=$(dirname "$provider")/wallet-provider.product/Objects.LinkFileList
[[ -e $objects ]] || objects=.build/shipped/release/wallet-provider.product/Objects.LinkFileList
holds "there are the licences of all that is linked in" .ci/licences.sh provider "$objects" "$scratch/licences"

# --- what is installed ------------------------------------------------------------------------------------
root=$scratch/root
holds "it is installed without Swift" install_provider PREFIX=/usr "DESTDIR=$root"
same "program, units, users, settings and documentation" "\
755 etc/wallet-provider
644 etc/wallet-provider/wallet-provider.yaml
755 usr/bin/wallet-provider
644 usr/lib/systemd/system/wallet-evaluator.service
644 usr/lib/systemd/system/wallet-provider.service
644 usr/lib/sysusers.d/wallet-provider.conf
644 usr/share/doc/wallet-provider/evaluator.md
644 usr/share/doc/wallet-provider/operations.md
644 usr/share/doc/wallet-provider/wallet-provider.yaml" \
  "$(cd "$root" && find usr/bin/wallet-provider usr/lib/*/* etc/* usr/share/doc/wallet-provider \
    \( -type f -o -path etc/wallet-provider \) -printf '%m %p\n' | sort -k 2 |
    grep -vE '/((settings|administration|backup|keys|limits|replicas)\.md|licences/.*)$')"
same "with their licences" "$(cd "$scratch/licences" && find . -type f | sort)" \
  "$(cd "$root/usr/share/doc/wallet-provider/licences" && find . -type f | sort)"
same "no link of the articles is dead" "" "$(Tests/ABI/links.py "$root"/usr/share/doc/wallet-provider/*.md)"
same "without a program it says what to do" "install-provider: there is no $scratch/none; run make provider first" \
  "$(make --no-print-directory install-provider "release_provider=$scratch/none" 2>&1 | head -n 1)"
settings=$root/etc/wallet-provider/wallet-provider.yaml
same "the settings say where the data is, and nothing else" "data: /var/lib/wallet-provider" \
  "$(grep -v -e '^#' -e '^$' "$settings")"
same "and name every setting" "$("$provider" config sample | grep -c '^#[a-z-]*: ')" \
  "$(grep -cE '^#?[a-z-]+: ' "$settings")"
echo 'port: 8741' >>"$settings"
holds "it is installed again" install_provider PREFIX=/usr "DESTDIR=$root"
same "settings that are there stay" "port: 8741" "$(tail -1 "$settings")"
mkdir "$scratch/users"
same "the users are made" "\
Creating user 'wallet-evaluator' (Evaluator of a wallet provider)
Creating user 'wallet-provider' (Wallet provider)" \
  "$(systemd-sysusers --dry-run "--root=$scratch/users" "$root/usr/lib/sysusers.d/wallet-provider.conf" 2>&1 |
    grep -oE "Creating user '[a-z-]+' \([^)]*\)" | sort)"

# --- the units --------------------------------------------------------------------------------------------
units=$root/usr/lib/systemd/system
# Units and programs that they name: the system's own targets, and kill.
cp -an /usr/lib/systemd/system/*.target "$units/"
cp /bin/kill "$root/usr/bin/"
ln -s usr/bin "$root/bin"
for unit in wallet-provider wallet-evaluator; do
  holds "systemd finds nothing wrong with $unit" systemd-analyze verify --man=no "--root=$root" "$unit.service"
  # From 0, where nothing is exposed, to 100.
  holds "systemd finds it little exposed" \
    systemd-analyze security --no-pager --offline=true --threshold=20 "$units/$unit.service"
  same "and fit for Debian 12" "" "$(grep -E '^(Type=notify-reload|ImportCredential=)' "$units/$unit.service")"
done

# --- their command lines ----------------------------------------------------------------------------------
# Installed where this user may write, so that every path in the units is real.
prefix=$scratch/prefix
holds "it is installed under another prefix" install_provider "PREFIX=$prefix" "SYSCONFDIR=$scratch/etc"
setting() { sed -n "s/^$1=//p" "$unit"; }
# wait_for COMMAND...: waits until it succeeds while the server runs, with the tests' deadline.
wait_for() {
  local deadline=$((SECONDS + PATIENCE))
  until "$@"; do
    ((SECONDS < deadline)) && { [[ -z $server ]] || kill -0 "$server" 2>/dev/null; } || return
    sleep 0.1
  done
}
# The system calls of a filter, and of the filters that it includes.
calls_of() {
  systemd-analyze syscall-filter --no-pager "$1" | sed -e 1d -e 's/#.*//' | while read -r call; do
    if [[ $call == @* ]]; then calls_of "$call"; elif [[ -n $call ]]; then echo "$call"; fi
  done
}
allowed=$(comm -23 <(calls_of @system-service | sort -u) <(calls_of @privileged | sort -u))

# unit_is_right NAME READY RELOADED: runs the command line of the unit as the service manager does, with the
# settings that are installed for it. READY is a command that succeeds once the server answers, RELOADED what it logs
# after a reload.
unit_is_right() {
  local name=$1 state=$scratch/state-$1 heard=$scratch/heard-$1 source manager program made families
  data=$state/data
  unit=$prefix/lib/systemd/system/$name.service
  IFS=: read -r credential source <<<"$(setting LoadCredential)"
  # A copy that appears to belong to the group because of an access control list.
  credentials=$scratch/credentials-$name
  mkdir "$credentials" "$state"
  cp "$source" "$credentials/$credential"
  chmod 440 "$credentials/$credential"
  chmod 550 "$credentials"
  chmod 700 "$state"
  belong "$credentials" "$state"
  read -ra command <<<"$(setting ExecStart | sed "s,%d,$credentials,g")"

  # The messages to the service manager, one per line.
  : >"$heard"
  python3 - "$scratch/notify-$name" "$heard" <<'PYTHON' &
import os, socket, sys
heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
heard.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
with open(sys.argv[2], "a", buffering=1) as lines:
    while True:
        lines.write(heard.recv(4096).decode() + "\n")
PYTHON
  manager=$!
  wait_for test -S "$scratch/notify-$name"

  serving=(env -i "CREDENTIALS_DIRECTORY=$credentials" "NOTIFY_SOCKET=$scratch/notify-$name"
    "WALLET_PROVIDER_DATA=$data")
  (umask "$(setting UMask)" && exec "${unprivileged[@]}" "${serving[@]}" strace --follow-forks --quiet=all \
    --output="$state/calls" "${command[@]}") >"$scratch/out" 2>"$scratch/err" </dev/null &
  server=$!
  holds "$name tells the service manager when it is ready" wait_for grep -qx READY=1 "$heard"
  url=$(sed -n 's/^.* listens on //p' "$scratch/out")
  holds "by then it answers" "$2"
  # The tracer's child.
  program=$(pgrep -P "$server")
  same "it reads again what ExecReload has it read" "/bin/kill -HUP \$MAINPID" "$(setting ExecReload)"
  kill -HUP "$program"
  holds "and says so" wait_for grep -q "$3" "$scratch/err"
  kill -TERM "$program"
  wait "$server"
  same "it ends well when it is told to" 0 $?
  server=
  kill "$manager"

  same "the filter is one that this test knows" "@system-service ~@privileged" \
    "$(setting SystemCallFilter | paste -sd' ')"
  # The first call starts the program and is made by the service manager.
  made=$(sed -nE 's/^[0-9]+ +([a-z0-9_]+)\(.*/\1/p' "$state/calls" | sort -u)
  holds "calls were traced" test "$(wc -l <<<"$made")" -gt 30
  same "the program makes no call that the unit forbids" "" "$(comm -13 <(echo "$allowed") <(echo "$made"))"
  same "nor has it memory to write and execute" "" \
    "$(grep -E '(mmap|mprotect|pkey_mprotect)\(.*PROT_WRITE\|PROT_EXEC' "$state/calls" | head -3)"
  families=$(sed -nE 's/.* socket\((AF_[A-Z0-9]+),.*/\1/p' "$state/calls" | sort -u)
  same "nor a socket of another family" "" \
    "$(comm -13 <(setting RestrictAddressFamilies | tr ' ' '\n' | sort) <(echo "$families"))"
  holds "nor files that others may open" test -z "$(find "$data" -perm /077)"
}

# A certificate for each side of an evaluator, which is its own authority.
tls=$scratch/tls
mkdir "$tls"
for side in server client; do
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$side" \
    -addext subjectAltName=IP:127.0.0.1 -keyout "$tls/$side.key" -out "$tls/$side.pem" 2>/dev/null
done
chmod 600 "$tls"/*.key
belong "$tls"
printf '%s\n' 'port: 0' "tls-certificate: $tls/server.pem" "tls-key: $tls/server.key" \
  "client-authority: $tls/client.pem" >"$scratch/etc/wallet-provider/wallet-evaluator.yaml"
evaluator_answers() {
  curl --silent --fail --cacert "$tls/server.pem" --cert "$tls/client.pem" --key "$tls/client.key" "$url/health/ready"
}
unit_is_right wallet-evaluator evaluator_answers "TLS files taken"
holds "it has its own key and database" test -s "$data/evaluator.key" -a -s "$data/evaluator.sqlite"

echo 'port: 0' >>"$scratch/etc/wallet-provider/wallet-provider.yaml"
provider_answers() { [[ $(curl --silent "$url/health/ready") == '{"status":"ready"}' ]]; }
unit_is_right wallet-provider provider_answers "update policy taken"

# --- credentials ------------------------------------------------------------------------------------------
chmod u+w "$credentials/$credential"
echo 'database: postgresql://wallet:hunter2@127.0.0.1:1/wallet' >>"$credentials/$credential"
chmod 440 "$credentials/$credential"
same "a password may be in a credential" \
  'Error: cannot connect to PostgreSQL: connection to server at "127.0.0.1", port 1 failed: Connection refused' \
  "$(said 1 "${serving[@]}" "${command[@]}")"
same "and not in such a file anywhere else" \
  "Error: $credentials/$credential is secret, but users other than its owner may open it. If nobody has, run: chmod 600 $credentials/$credential, or move database out of it" \
  "$(said 1 env -i "${command[@]}")"
