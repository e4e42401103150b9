# Ports that are reserved for a script. To be sourced by a bash script.

source "${BASH_SOURCE[0]%/*}/patience.sh"

# held_port FILE: prints a port for the servers of a script, which no other process is given until FILE or its
# directory is removed. Called again it prints the same port.
held_port() {
  if [[ ! -e $1 ]]; then
    "${BASH_SOURCE[0]%/*}/hold_port.py" "$1" </dev/null >/dev/null 2>"$1.log" &
    is_held_or_failed() { [[ -e $1 ]] || ! kill -0 $! 2>/dev/null; }
    eventually is_held_or_failed "$1"
    [[ -e $1 ]] || { cat "$1.log" >&2 && return 1; }
  fi
  cat "$1"
}
