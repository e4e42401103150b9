# Makes applicants for benchmarks and counts that need a card. To be sourced by a bash script.
#
#   make_applicant PROVIDER DATA_DIRECTORY DIRECTORY
#
# Opens an account, and writes what a camera would read of its enrolment code and of the applicant's licence:
# DIRECTORY/code and DIRECTORY/licence.

make_applicant() {
  local provider=$1 data=$2 directory=$3 person=(--family-name Rowan --given-name 'Imogen Elspeth' --birth-date 1988-03-14)
  mkdir -p "$directory"
  "$provider" account create --data "$data" --label imogen@rowan.example "${person[@]}" \
    >"$directory/account" 2>"$directory/account.log" || { cat "$directory/account.log" >&2 && return 1; }
  sed -n 's/^link: //p' "$directory/account" | tr -d '\n' >"$directory/code"
  # A licence can prove only one account.
  Examples/samples/licence.py --family-name ROWAN --given-names 'IMOGEN ELSPETH' --birth-date 1988-03-14 \
    --number "T$(date +%s%N | tail -c 13)" >"$directory/licence"
}
