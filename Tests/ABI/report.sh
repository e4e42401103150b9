# The lines that Tests/ABI/run.sh counts. To be sourced by a bash script.

ok() { echo "ok - $1"; }

# not_ok NAME [LINES]: the lines give the reason, as comments. Of many lines, the first and the last are shown.
not_ok() {
  local most=40 lines
  echo "not ok - $1"
  [[ -n ${2:-} ]] || return 0
  mapfile -t lines <<<"$2"
  if ((${#lines[@]} > most)); then
    lines=("${lines[@]:0:8}" "... $((${#lines[@]} - most)) lines more ..." "${lines[@]: -(most - 8)}")
  fi
  printf '#   %s\n' "${lines[@]}"
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
