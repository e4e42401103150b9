# Three database machines for tests: a network namespace each, with etcd, Patroni and PostgreSQL, configured by the
# files in the article replicas.md. To be sourced by a bash script that is root in namespaces of its own (network,
# mounts, processes): whatever happens, nothing is left when its first process ends.
#
#   make_machines SCRATCH          the network, the files; sets machine_holders
#   start_machine N                N is 1, 2 or 3
#   kill_machine N                 all of it at once
#   signal_machine SIGNAL N [PATTERN]   the programs whose name matches
#   cut_from_others N, cut_off N, mend N
#   leader, has_recovered          what Patroni says

article=${BASH_SOURCE[0]%/*}/../../Sources/wallet_core/wallet_core.docc/replicas.md
heading='Three database machines'
source "${BASH_SOURCE[0]%/*}/../ABI/readme_blocks.sh"
machine_holders=()
machine_numbers=(1 2 3)

machine_address() { echo "10.77.0.1$1"; }

make_machines() {
  machines_scratch=$1
  local number
  ip link set lo up
  ip link add machines type bridge
  ip address add 10.77.0.1/24 dev machines
  ip link set machines up
  cp /etc/hosts "$1/hosts"
  for number in "${machine_numbers[@]}"; do
    echo "$(machine_address "$number") db$number.example" >>"$1/hosts"
  done
  mount --bind "$1/hosts" /etc/hosts
  for number in "${machine_numbers[@]}"; do make_machine "$number" || return; done
}

make_machine() {
  local number=$1 directory=$machines_scratch/db$1
  mkdir -p "$directory"/{postgresql,run,etcd}
  chmod 755 "$directory"
  chown -R postgres "$directory"
  unshare --net --mount --propagation private sleep infinity &
  machine_holders[number]=$!
  eventually has_own_network "$number" || return
  ip link add "db$number" type veth peer name eth0 netns "${machine_holders[number]}"
  ip link set "db$number" master machines up
  in_machine "$number" bash -e <<MACHINE
ip link set lo up
ip address add $(machine_address "$number")/24 dev eth0
ip link set eth0 up
mount --bind "$directory/postgresql" /var/lib/postgresql
mkdir -p /var/run/postgresql
mount --bind "$directory/run" /var/run/postgresql
MACHINE
  # What the article says of the other machines: the lines of their own names.
  block "$article" sh 2 "$heading" | sed "/ADVERTISE\|_NAME/s/db1/db$number/g" >"$directory/etcd.env"
  block "$article" yaml 1 "$heading" | sed "/^name:\|connect_address:/s/db1/db$number/" >"$directory/config.yml"
  # The version of PostgreSQL that is installed.
  sed -i "s,^  bin_dir: .*,  bin_dir: ${postgresql_programs:?}," "$directory/config.yml"
}

has_own_network() {
  [[ $(readlink "/proc/${machine_holders[$1]}/ns/net") != "$(readlink /proc/self/ns/net)" ]]
}

# in_machine N COMMAND...
in_machine() {
  local holder=${machine_holders[$1]}
  shift
  nsenter --target "$holder" --net --mount --wd=/ "$@"
}

start_machine() {
  local number=$1 directory=$machines_scratch/db$1
  start_etcd "$number"
  in_machine "$number" setpriv --reuid=postgres --regid=postgres --clear-groups \
    env HOME=/var/lib/postgresql /usr/bin/patroni "$directory/config.yml" >>"$directory/patroni.log" 2>&1 </dev/null &
  # The shell says nothing when it is killed.
  disown
}

start_etcd() {
  local number=$1 directory=$machines_scratch/db$1
  (
    set -a
    source "$directory/etcd.env"
    exec nsenter --target "${machine_holders[number]}" --net --mount --wd=/ \
      /usr/bin/etcd --data-dir "$directory/etcd" --logger zap
  ) >>"$directory/etcd.log" 2>&1 </dev/null &
  disown
}

# All of a machine but its holder; with PATTERN those whose command name matches.
processes_of() {
  local holder=${machine_holders[$1]} network file process name
  network=$(readlink "/proc/$holder/ns/net")
  # Without a program for each: they would take longer than the fault that they are listed for.
  for file in $(find /proc/[0-9]*/ns/net -maxdepth 0 -lname "${network/\[/\\[}" 2>/dev/null); do
    process=${file#/proc/}
    process=${process%%/*}
    [[ $process != "$holder" ]] && read -r name <"/proc/$process/comm" && [[ $name =~ ${2:-.} ]] && echo "$process"
  done 2>/dev/null
}

# signal_machine SIGNAL N [PATTERN]
signal_machine() {
  local pids
  mapfile -t pids < <(processes_of "$2" "${3:-}")
  ((${#pids[@]} == 0)) || kill -s "$1" "${pids[@]}" 2>/dev/null || true
}

# Again and again, because processes that are not killed yet start others.
kill_machine() {
  until [[ -z $(processes_of "$1") ]]; do signal_machine KILL "$1"; done
}

# Frames to the others go to a station that does not exist, and theirs too; the providers still reach the machine.
cut_from_others() {
  local other
  for other in "${machine_numbers[@]}"; do
    [[ $other != "$1" ]] || continue
    in_machine "$1" ip neigh replace "$(machine_address "$other")" lladdr 02:00:00:00:00:99 dev eth0 nud permanent
    in_machine "$other" ip neigh replace "$(machine_address "$1")" lladdr 02:00:00:00:00:99 dev eth0 nud permanent
  done
}

# As if the cable was pulled at the switch: everything to and from the machine is lost.
cut_off() { ip link set "db$1" nomaster; }

mend() {
  local other
  ip link set "db$1" master machines
  for other in "${machine_numbers[@]}"; do
    [[ $other != "$1" ]] || continue
    in_machine "$1" ip neigh del "$(machine_address "$other")" dev eth0
    in_machine "$other" ip neigh del "$(machine_address "$1")" dev eth0
  done 2>/dev/null
  true
}

# patroni_says WORD [N]: what all machines say that answer, other than N; of `whole` all must answer. See members.py.
patroni_says() {
  local number views=()
  for number in "${machine_numbers[@]}"; do
    [[ $number != "${2:-}" ]] || continue
    if curl --silent --fail --connect-timeout 1 --max-time "$PATIENCE" "http://$(machine_address "$number"):8008/cluster" \
      >"$machines_scratch/members-$number.json"; then
      views+=("$machines_scratch/members-$number.json")
    fi
  done
  [[ $1 != whole || ${#views[@]} == "${#machine_numbers[@]}" ]] || return 1
  ((${#views[@]} > 0)) && "${BASH_SOURCE[0]%/*}/members.py" "$1" "${views[@]}"
}

# leader [N]: the number of the machine whose PostgreSQL is the primary; not asking machine N.
leader() { patroni_says leader "${1:-}"; }
# Whether there are a leader, a synchronous standby and a replica, and both stream from it.
has_recovered() { patroni_says whole; }
# The leader is another than machine $1, which is not asked.
has_new_leader() {
  local found
  found=$(leader "$1") && [[ $found != "$1" ]]
}
