# The faults, each made and undone. To be sourced by part.sh.
#
#   fault_KIND ROUND PRIMARY    makes the fault and waits until another machine is the leader; sets `fault`, its name
#   after_KIND ROUND PRIMARY    undoes it
#   count_acknowledged          adds to `acknowledged` the commits that a machine acknowledged although it was no longer
#                               the primary; when the machines are together again
#
# The rounds differ.

now() { date +%s.%N; }

fault_kill() {
  if (($1 % 2)); then
    fault="the whole machine killed"
    kill_machine "$2"
  else
    fault="PostgreSQL killed"
    signal_machine KILL "$2" '^postgres$'
  fi
  eventually has_new_leader "$2"
}

after_kill() { (($1 % 2 == 0)) || start_machine "$2"; }

fault_pause() {
  case $(($1 % 3)) in
    0) fault="Patroni paused" paused='^patroni$' ;;
    1) fault="the whole machine paused" paused= ;;
    2) fault="PostgreSQL paused" paused='^postgres$' ;;
  esac
  signal_machine STOP "$2" "$paused"
  # A PostgreSQL that goes on is the primary until another machine has taken over.
  [[ $paused == '^patroni$' ]] || write_at "$2"
  eventually has_new_leader "$2" || return
  [[ $paused != '^patroni$' ]] || write_at "$2"
}

# It wakes as the primary that it was.
after_pause() { signal_machine CONT "$2" "$paused"; }

fault_cut() {
  if (($1 % 2)); then
    fault="cut off from the other two"
    cut_from_others "$2"
  else
    fault="cut off from everything"
    cut_off "$2"
  fi
  write_at "$2"
  eventually has_new_leader "$2"
}

after_cut() { mend "$2"; }

fault_switchover() {
  fault="switched over by hand"
  patronictl -c "$scratch/db$2/config.yml" switchover --master "db$2" --force wallet >"$scratch/switchover.log" 2>&1
  eventually has_new_leader "$2"
}

after_switchover() { true; }

# Begins to write to one machine alone, at the machine itself.
write_at() {
  local number
  for number in 1 2 3 4 5; do
    as_superuser in_machine "$1" psql --quiet --host "$(machine_address "$1")" \
      --command "INSERT INTO written_by VALUES ('db$1', $number)" >>"$scratch/writes.log" 2>&1 </dev/null &
    writers+=($!)
  done
}

# A writer ends when its server does, which is no later than it becomes a standby.
count_acknowledged() {
  local writer
  for writer in "${writers[@]}"; do
    if wait "$writer"; then acknowledged=$((acknowledged + 1)); fi
  done
  writers=()
}
