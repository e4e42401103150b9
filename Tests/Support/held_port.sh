# Ports that stay with a script. To be sourced by a bash script.

source "${BASH_SOURCE[0]%/*}/patience.sh"

# held_port FILE: prints a port for its servers, which nobody else is given until FILE is removed. Asked again
# it prints the same one. Where a script ends without removing FILE, its directory's removal does that.
held_port() {
  if [[ ! -e $1 ]]; then
    "${BASH_SOURCE[0]%/*}/hold_port.py" "$1" </dev/null >/dev/null 2>&1 &
    eventually test -e "$1" || return
  fi
  cat "$1"
}
