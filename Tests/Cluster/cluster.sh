# A provider with several replicas for tests: PostgreSQL, an evaluator, COUNT processes, nginx in front; all on
# loopback, in a directory of their own. To be sourced by a bash script.
#
#   start_database SCRATCH         sets database_url
#   start_replicas SCRATCH PROGRAM COUNT [OPTION...]   on that database, or on SQLite where there is none;
#                                  sets replica_urls and replica_pids. Several replicas share an evaluator in a
#                                  process of its own; a single one has its own.
#   start_proxy SCRATCH            sets proxy_url
#   kill_replica NUMBER, revive_replica NUMBER, kill_database, revive_database, kill_evaluator, revive_evaluator
#   end_cluster

source "${BASH_SOURCE[0]%/*}/../Support/held_port.sh"

database_url=
database_pid=
evaluator_pid=
proxy_pid=
proxy_url=
replica_urls=()
replica_pids=()

# PostgreSQL's programs are not on Debian's PATH.
postgresql() {
  local program
  program=$(command -v "$1" || find /usr/lib/postgresql/*/bin -name "$1" 2>/dev/null | sort -V | tail -1)
  [[ -n $program ]] || { echo "cluster: $1 is not installed" >&2 && return 1; }
  echo "$program"
}

# PostgreSQL refuses to run as root. The prefix of its programs keeps their process id.
as_postgres=()
((EUID != 0)) || as_postgres=(setpriv --reuid=postgres --regid=postgres --clear-groups)

start_database() {
  database_scratch=$1/database
  mkdir -p "$database_scratch"
  chmod 711 "$1"
  ((EUID != 0)) || chown postgres "$database_scratch"
  database_port=$(held_port "$1/database.port") || return
  "${as_postgres[@]}" "$(postgresql initdb)" --pgdata="$database_scratch/data" --auth=trust --encoding=UTF8 \
    --username=postgres >"$1/initdb.log" 2>&1 || { cat "$1/initdb.log" >&2 && return 1; }
  revive_database
  "${as_postgres[@]}" "$(postgresql createdb)" -h 127.0.0.1 -p "$database_port" -U postgres wallet_provider
  database_url=postgresql://postgres@127.0.0.1:$database_port/wallet_provider
}

# A server that is started right after a kill ends at once if a child of the killed one still has its shared memory.
revive_database() {
  eventually run_database && return
  echo "cluster: PostgreSQL did not start" >&2
  tail -n 20 "$database_scratch/../database.log" >&2
  return 1
}

run_database() {
  "${as_postgres[@]}" "$(postgresql postgres)" -D "$database_scratch/data" -p "$database_port" -h 127.0.0.1 \
    -c unix_socket_directories='' -c max_connections=200 >>"$database_scratch/../database.log" 2>&1 \
    </dev/null &
  database_pid=$!
  eventually is_database_ready_or_gone && kill -0 "$database_pid" 2>/dev/null
}

is_database_ready_or_gone() {
  ! kill -0 "$database_pid" 2>/dev/null || "$(postgresql pg_isready)" -q -h 127.0.0.1 -p "$database_port"
}

# Kills all its processes at once, as a power cut does.
kill_database() {
  local children
  children=$(pgrep -P "$database_pid" || true)
  # shellcheck disable=SC2086 # one word each
  kill -KILL "$database_pid" $children 2>/dev/null || true
  wait "$database_pid" 2>/dev/null || true
}

start_replicas() {
  replica_scratch=$1 replica_program=$2 replica_count=$3
  shift 3
  replica_options=("$@")
  # In a variable, as an operator would set it: everybody can read options.
  export WALLET_PROVIDER_DATABASE=$database_url
  [[ -n $database_url ]] || unset WALLET_PROVIDER_DATABASE
  replica_urls=() replica_pids=() replica_ports=()
  unset "${!WALLET_PROVIDER_EVALUATOR_@}"
  ((replica_count == 1)) || start_evaluator "$replica_scratch/evaluator" || return
  for ((number = 0; number < replica_count; number++)); do
    replica_ports[number]=$(held_port "$replica_scratch/replica-$number.port") || return
    # Keys and id are the same everywhere; everything else is in the database.
    if ((number > 0)); then
      mkdir -p "$replica_scratch/replica-$number"
      chmod 700 "$replica_scratch/replica-$number"
      cp -r "$replica_scratch/replica-0/"{keys,provider-id} "$replica_scratch/replica-$number/"
    fi
    revive_replica "$number" || return 1
    replica_urls[number]=http://127.0.0.1:${replica_ports[number]}
  done
}

# evaluator_certificate NAME USAGE: a key, and a certificate of the authority for NAME in the evaluator's scratch.
evaluator_certificate() {
  local path=$evaluator_scratch/$1
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$1" -keyout "$path.key" \
    -out "$path.csr" &&
    chmod 600 "$path.key" &&
    openssl x509 -req -in "$path.csr" -CA "$evaluator_scratch/$2-authority.pem" \
      -CAkey "$evaluator_scratch/$2-authority.key" -CAcreateserial -days 2 \
      -extfile <(echo "subjectAltName=DNS:localhost"; echo "extendedKeyUsage=$2Auth") -out "$path.pem"
} 2>>"$evaluator_scratch/openssl.log"

# The authorities of the evaluator and of its clients are two: neither is trusted by its own side.
start_evaluator() {
  evaluator_scratch=$1 evaluator_options=()
  mkdir -p "$evaluator_scratch"
  local side
  for side in server client; do
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$side-authority" -days 2 \
      -keyout "$evaluator_scratch/$side-authority.key" -out "$evaluator_scratch/$side-authority.pem" \
      2>>"$evaluator_scratch/openssl.log"
    evaluator_certificate "$side" "$side" || { cat "$evaluator_scratch/openssl.log" >&2 && return 1; }
  done
  # Those of the options that are the evaluator's too.
  local position
  for ((position = 0; position < ${#replica_options[@]}; position++)); do
    case ${replica_options[position]} in
      --attempt-rounds | --attempts-per-round | --block-seconds | --failures-per-month | --log-level)
        evaluator_options+=("${replica_options[@]:position:2}")
        ;;
    esac
  done
  evaluator_port=$(held_port "$evaluator_scratch.port") || return
  revive_evaluator || return
  export WALLET_PROVIDER_EVALUATOR_URL=https://localhost:$evaluator_port
  export WALLET_PROVIDER_EVALUATOR_CERTIFICATE=$evaluator_scratch/client.pem
  export WALLET_PROVIDER_EVALUATOR_KEY=$evaluator_scratch/client.key
  export WALLET_PROVIDER_EVALUATOR_AUTHORITY=$evaluator_scratch/server-authority.pem
}

revive_evaluator() {
  local out=$evaluator_scratch/out
  : >"$out"
  "$replica_program" evaluate --data "$evaluator_scratch/data" --host localhost --port "$evaluator_port" \
    --tls-certificate "$evaluator_scratch/server.pem" --tls-key "$evaluator_scratch/server.key" \
    --client-authority "$evaluator_scratch/client-authority.pem" "${evaluator_options[@]}" \
    >"$out" 2>>"$evaluator_scratch.log" </dev/null &
  evaluator_pid=$!
  eventually is_up_or_gone "$out" "$evaluator_pid" || true
  grep -qE "$listening" "$out" && return
  echo "cluster: the evaluator did not start:" >&2
  tail -n 5 "$evaluator_scratch.log" >&2
  return 1
}

kill_evaluator() {
  kill -KILL "$evaluator_pid" 2>/dev/null || true
  wait "$evaluator_pid" 2>/dev/null || true
}

listening='^(wallet-provider|evaluator [A-Za-z0-9_-]{22}) listens on '
is_up_or_gone() { grep -qE "$listening" "$1" || ! kill -0 "$2" 2>/dev/null; }

revive_replica() {
  local number=$1 out=$replica_scratch/replica-$1.out
  : >"$out"
  "$replica_program" serve --data "$replica_scratch/replica-$number" --port "${replica_ports[number]}" \
    "${replica_options[@]}" >"$out" 2>>"$replica_scratch/replica-$number.log" </dev/null &
  replica_pids[number]=$!
  eventually is_up_or_gone "$out" "${replica_pids[number]}" || true
  grep -qE "$listening" "$out" && return
  echo "cluster: replica $number did not start:" >&2
  tail -n 5 "$replica_scratch/replica-$number.log" >&2
  return 1
}

kill_replica() {
  kill -KILL "${replica_pids[$1]}" 2>/dev/null || true
  wait "${replica_pids[$1]}" 2>/dev/null || true
}

# The document that apps embed, for the first replica or for the proxy.
cluster_configuration() {
  "$replica_program" client-configuration --data "$replica_scratch/replica-0" --url "$1"
}

start_proxy() {
  local scratch=$1 port servers=
  port=$(held_port "$scratch/proxy.port") || return
  for number in "${!replica_ports[@]}"; do
    servers+="    server 127.0.0.1:${replica_ports[number]} max_fails=1 fail_timeout=1s;"$'\n'
  done
  # A wallet handles nginx's own errors as it handles the provider's: it tries again.
  cat >"$scratch/nginx.conf" <<END
worker_processes 1;
daemon off;
pid $scratch/nginx.pid;
error_log $scratch/nginx.log;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path $scratch/nginx-body;
  proxy_temp_path $scratch/nginx-proxy;
  fastcgi_temp_path $scratch/nginx-fastcgi;
  uwsgi_temp_path $scratch/nginx-uwsgi;
  scgi_temp_path $scratch/nginx-scgi;
  upstream replicas {
$servers    keepalive 64;
  }
  server {
    listen 127.0.0.1:$port;
    location / {
      proxy_pass http://replicas;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For \$remote_addr;
      error_page 502 504 = @unavailable;
    }
    location @unavailable {
      internal;
      default_type application/problem+json;
      add_header Retry-After 1 always;
      return 503 '{"type":"urn:wallet-provider:problem:unavailable","title":"Unavailable","status":503}';
    }
  }
}
END
  nginx -p "$scratch" -c "$scratch/nginx.conf" >>"$scratch/nginx.log" 2>&1 </dev/null &
  proxy_pid=$!
  proxy_url=http://127.0.0.1:$port
  eventually curl --silent --output /dev/null "$proxy_url/health/live" && return
  echo "cluster: nginx did not start" >&2
  cat "$scratch/nginx.log" >&2
  return 1
}

end_cluster() {
  local pids=("${replica_pids[@]}")
  [[ -z $proxy_pid ]] || pids+=("$proxy_pid")
  [[ -z $evaluator_pid ]] || pids+=("$evaluator_pid")
  ((${#pids[@]} == 0)) || kill "${pids[@]}" 2>/dev/null || true
  ((${#pids[@]} == 0)) || wait "${pids[@]}" 2>/dev/null || true
  if [[ -n $database_pid ]]; then
    kill -INT "$database_pid" 2>/dev/null || true
    wait "$database_pid" 2>/dev/null || true
  fi
  database_url='' database_pid='' proxy_pid='' evaluator_pid='' replica_pids=() replica_urls=() replica_ports=()
}
