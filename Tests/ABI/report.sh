# The lines that Tests/ABI/run.sh counts. To be sourced by a bash script.

ok() { echo "ok - $1"; }

# not_ok NAME [LINES]: what is known of the reason follows as a comment.
not_ok() {
  echo "not ok - $1"
  if [[ -n ${2:-} ]]; then sed 's/^/#   /' <<<"$2" | head -40; fi
}

# holds NAME COMMAND...: passes if the command does; what it prints is the reason if it does not.
holds() {
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then ok "$name"; else not_ok "$name" "$output"; fi
}

# same NAME WANTED FOUND: passes if both texts are the same; the difference is the reason.
same() {
  if [[ $2 == "$3" ]]; then
    ok "$1"
  else
    not_ok "$1" "$(diff --label wanted --label found -u <(echo "$2") <(echo "$3") | tail -n +3)"
  fi
}
