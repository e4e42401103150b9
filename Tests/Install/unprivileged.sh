# How a program is run that must not be root, and its messages. To be sourced by a bash script.

source "${BASH_SOURCE[0]%/*}/../Support/patience.sh"

# Stands before a command that root's powers would make another one of.
unprivileged=()
((EUID != 0)) || unprivileged=(setpriv --reuid=nobody --regid=nogroup --clear-groups --inh-caps=-all)

# belong PATH...: to the user of such a command.
belong() { ((EUID != 0)) || chown -R nobody:nogroup "$@"; }

# said STATUS COMMAND...: runs a command that must end with the status and one line on standard error, and
# prints that line.
said() {
  local wanted=$1 status=0 errors
  shift
  # A server that starts, against all that is expected, does not stop the tests.
  errors=$(timeout "$PATIENCE" "${unprivileged[@]}" "$@" 2>&1 >/dev/null </dev/null) || status=$?
  ((status == wanted)) || echo "status $status instead of $wanted"
  (($(wc -l <<<"$errors") == 1)) || echo "not one line:"
  echo "$errors"
}
