# Ports that stay with a script. To be sourced by a bash script.

source "${BASH_SOURCE[0]%/*}/patience.sh"

# held_port FILE: prints a port for the servers of a script, which nobody else is given until FILE is removed, be it
# with its directory. Asked again it prints the same one.
held_port() {
  if [[ ! -e $1 ]]; then
    "${BASH_SOURCE[0]%/*}/hold_port.py" "$1" </dev/null >/dev/null 2>"$1.log" &
    is_held_or_failed() { [[ -e $1 ]] || ! kill -0 $! 2>/dev/null; }
    eventually is_held_or_failed "$1"
    [[ -e $1 ]] || { cat "$1.log" >&2 && return 1; }
  fi
  cat "$1"
}
