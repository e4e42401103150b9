# Runs programs that must not run as root, and reads their messages. To be sourced by a bash script.

source "${BASH_SOURCE[0]%/*}/../Support/patience.sh"

# Prefix of a command that would behave differently as root.
unprivileged=()
((EUID != 0)) || unprivileged=(setpriv --reuid=nobody --regid=nogroup --clear-groups --inh-caps=-all)

# belong PATH...: gives the paths to the user of such a command.
belong() { ((EUID != 0)) || chown -R nobody:nogroup "$@"; }

# said STATUS COMMAND...: runs a command that must end with the status and one line on standard error, and
# prints that line.
said() {
  local wanted=$1 status=0 errors
  shift
  # If a server unexpectedly starts, the tests continue.
  errors=$(timeout "$PATIENCE" "${unprivileged[@]}" "$@" 2>&1 >/dev/null </dev/null) || status=$?
  ((status == wanted)) || echo "status $status instead of $wanted"
  (($(wc -l <<<"$errors") == 1)) || echo "not one line:"
  echo "$errors"
}
