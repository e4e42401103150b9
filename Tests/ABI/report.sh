# The lines that Tests/ABI/run.sh counts. To be sourced by a bash script.

ok() { echo "ok - $1"; }

# not_ok NAME [LINES]: the lines give the reason, as comments.
not_ok() {
  echo "not ok - $1"
  if [[ -n ${2:-} ]]; then sed 's/^/#   /' <<<"$2" | head -40; fi
}

# holds NAME COMMAND...: passes if the command succeeds; otherwise its output is the reason.
holds() {
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then ok "$name"; else not_ok "$name" "$output"; fi
}

# same NAME WANTED FOUND: passes if both texts are equal; otherwise their difference is the reason.
same() {
  if [[ $2 == "$3" ]]; then
    ok "$1"
  else
    not_ok "$1" "$(diff --label wanted --label found -u <(echo "$2") <(echo "$3") | tail -n +3)"
  fi
}
