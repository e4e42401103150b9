#!/usr/bin/env bash
# Tests the article's instructions for PostgreSQL, and the messages for an operator whose database cannot be used.
#
#   Tests/Install/database.sh WALLET_PROVIDER
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit
source Tests/ABI/report.sh
source Tests/ABI/readme_blocks.sh
source Tests/Cluster/cluster.sh
source Tests/Install/unprivileged.sh
provider=$(realpath "$1")

scratch=$(mktemp -d)
# shellcheck disable=SC2317 # called by the trap
clean_up() {
  end_cluster
  rm -rf "$scratch"
}
trap clean_up EXIT
chmod 711 "$scratch"

# --- messages ---------------------------------------------------------------------------------------------
start_database "$scratch" || exit
sql() { "$(postgresql psql)" --quiet --no-psqlrc --set ON_ERROR_STOP=1 --command "$1" "$database_url"; }
sql "CREATE ROLE wallet LOGIN PASSWORD 'right'"
hba=$database_scratch/data/pg_hba.conf
{
  echo 'host all wallet 127.0.0.1/32 scram-sha-256'
  echo 'host all stranger 127.0.0.1/32 reject'
  cat "$hba"
} >"$scratch/hba"
cat "$scratch/hba" >"$hba"
sql 'SELECT pg_reload_conf()' >"$scratch/reloaded"
judges_passwords() { while "$(postgresql psql)" "$asked" -c 'SELECT 1' >"$scratch/asked" 2>&1; do sleep 0.1; done; }
asked=postgresql://wallet:hunter2@127.0.0.1:$database_port/postgres
export -f judges_passwords postgresql
export asked scratch
holds "the server judges passwords" timeout "$PATIENCE" bash -c judges_passwords
mkdir "$scratch/place"
belong "$scratch/place"
# libpq looks for the user's certificates there.
export HOME=$scratch/place
data=$scratch/place/data
"${unprivileged[@]}" "$provider" client-configuration --data "$data" >"$scratch/client.json"

server="connection to server at \"127.0.0.1\", port $database_port failed:"
# refused NAME WORDS URL: one line of `serve` after the same beginning, and the same in a line of `check`.
refused() {
  local name=$1 words="cannot connect to PostgreSQL: $2"
  export WALLET_PROVIDER_DATABASE=$3
  same "$name: one line" "Error: $words" "$(said 1 "$provider" serve --port 0 --data "$data")"
  same "$name: check says the same" "wrong database: $words" \
    "$("${unprivileged[@]}" "$provider" check --port 0 --data "$data" 2>&1 | grep '^wrong')"
  unset WALLET_PROVIDER_DATABASE
}
at=127.0.0.1:$database_port
refused "a wrong password" "$server FATAL:  password authentication failed for user \"wallet\"" \
  "postgresql://wallet:hunter2@$at/wallet_provider"
refused "no password" "$server fe_sendauth: no password supplied" "postgresql://wallet@$at/wallet_provider"
refused "an unknown database" "$server FATAL:  database \"nowhere\" does not exist" \
  "postgresql://postgres@$at/nowhere"
refused "an unknown role" "$server FATAL:  role \"nobody-here\" does not exist" \
  "postgresql://nobody-here@$at/wallet_provider"
refused "no server" 'connection to server at "127.0.0.1", port 1 failed: Connection refused' \
  "postgresql://wallet:hunter2@127.0.0.1:1/wallet_provider"
refused "a server without TLS" "$server server does not support SSL, but SSL was required" \
  "postgresql://wallet:hunter2@$at/wallet_provider?sslmode=require"

# From now on with TLS, which libpq tries first, and then without.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -days 2 \
  -keyout "$database_scratch/data/server.key" -out "$database_scratch/data/server.crt" 2>"$scratch/openssl"
((EUID != 0)) || chown postgres "$database_scratch/data"/server.{key,crt}
sql 'ALTER SYSTEM SET ssl = on' && sql 'SELECT pg_reload_conf()' >"$scratch/reloaded"
has_tls() { until "$(postgresql psql)" "$database_url?sslmode=require" -c 'SELECT 1' >"$scratch/tls" 2>&1; do sleep 0.1; done; }
export -f has_tls postgresql
export database_url scratch
holds "the server speaks TLS" timeout "$PATIENCE" bash -c has_tls
refused "a wrong password with TLS" "$server FATAL:  password authentication failed for user \"wallet\"" \
  "postgresql://wallet:hunter2@$at/wallet_provider"
# The server ends without exit handlers. Another process with its store may not: its threads may still connect
# while it exits, and with freed memory of OpenSSL it would end by a signal.
"${CC:-cc}" -std=c11 -O1 -Wall -Wextra -Werror -fPIC -shared -o "$scratch/exit_handlers.so" Tests/Install/exit_handlers.c
registered() {
  WALLET_PROVIDER_DATABASE=postgresql://wallet:hunter2@$at/wallet_provider LD_PRELOAD=$scratch/exit_handlers.so \
    "${unprivileged[@]}" "$provider" serve --port 0 --data "$data" 2>&1 | grep -e OPENSSL_cleanup -e Error
}
same "no exit handler frees the memory of OpenSSL" \
  "Error: cannot connect to PostgreSQL: $server FATAL:  password authentication failed for user \"wallet\"" "$(registered)"
refused "no authority for TLS" "$server root certificate file \"none.pem\" does not exist" \
  "postgresql://wallet:hunter2@$at/wallet_provider?sslmode=verify-full&sslrootcert=none.pem"
refused "a URL that libpq reads otherwise" \
  "its URL is not read as it is meant; percent-encode the password, / and @ above all" \
  "postgresql://wallet:hunter/2@$at/wallet_provider"
refused "an unknown parameter" "its URL cannot be read, or has an unknown parameter" \
  "postgresql://wallet:hunter2@$at/wallet_provider?sslmoed=require"
sql "CREATE DATABASE foreign_tables"
refused_tables() {
  export WALLET_PROVIDER_DATABASE=postgresql://wallet:right@$at/foreign_tables
  said 1 "$provider" serve --port 0 --data "$data"
  unset WALLET_PROVIDER_DATABASE
}
same "a role that may make no tables" \
  'Error: PostgreSQL could not bring its tables up to date: 42501 permission denied for schema public' \
  "$(refused_tables)"
end_cluster

# --- the instructions -------------------------------------------------------------------------------------
if ((EUID != 0)); then
  echo "# the instructions are for root, and are not run"
  exit 0
fi
block Sources/wallet_core/wallet_core.docc/replicas.md sh 1 'The database' >"$scratch/instructions"
mkdir "$scratch/bin"
ln -s "$provider" "$scratch/bin/wallet-provider"

# For the instructions this looks like a machine on which PostgreSQL was just installed, without this machine's own
# database, service manager, network and package lists. No locale is set, as in a minimal system. Processes end with
# the shell.
cat >"$scratch/machine" <<'MACHINE'
set -euo pipefail
scratch=$1
mount --bind "$scratch/etc" /etc
for directory in /run /etc/postgresql /var/lib/postgresql /var/log/postgresql /var/lib/apt/lists; do
  mount -t tmpfs -o mode=755 none "$directory"
done
chown postgres:postgres /etc/postgresql /var/lib/postgresql
for file in /var/lib/dpkg/lock-frontend /var/lib/dpkg/lock /var/cache/apt/archives/lock; do
  touch "$scratch/lock"
  [[ ! -e $file ]] || mount --bind "$scratch/lock" "$file"
done
ip link set lo up
# As at the installation of the package.
pg_createcluster -u postgres "$(ls /usr/lib/postgresql | sort -V | tail -1)" main

bash -e "$scratch/instructions"

wallet-provider serve --config /etc/wallet-provider/wallet-provider.yaml --port 0 >"$scratch/out" 2>"$scratch/err" &
server=$!
until grep -q 'listens on' "$scratch/out"; do
  kill -0 $server
  sleep 0.1
done
curl --silent "$(sed -n 's/^wallet-provider listens on //p' "$scratch/out")/health/ready"
kill $server
wait $server
MACHINE
cp -a /etc "$scratch/etc"
rm -rf "$scratch/etc/wallet-provider"
said=$(env -i PATH="$scratch/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" HOME=/root \
  WALLET_PROVIDER_DATA="$scratch/data" \
  timeout "$PROGRAM_PATIENCE" unshare --mount --net --pid --fork --kill-child --mount-proc bash "$scratch/machine" "$scratch" 2>"$scratch/errors")
status=$?
((status == 0)) || cat "$scratch"/{errors,err} 2>/dev/null
same "the instructions work on a fresh Debian" 0 "$status"
same "the provider runs on the database" '{"status":"ready"}' "$(tail -1 <<<"$said")"
holds "check has found the database" grep -q '^note database: there is none yet; a start makes it$' <<<"$said"
same "and nothing wrong" "" "$(grep '^wrong' <<<"$said")"
