#!/usr/bin/env bash
# The tutorial is accurate: its exact commands, from a tarball in an empty directory, lead in C, Python and Kotlin to
# the claims of a PID, with the input of its transcript. Failures are reported.
set -uo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/report.sh
source Tests/ABI/readme_blocks.sh
source Tests/Support/patience.sh
sources=$PWD
article=Sources/wallet_core/wallet_core.docc/tutorial.md

scratch=$(mktemp -d)
end() {
  local pid
  for pid in "$scratch"/*/provider.pid; do [[ ! -e $pid ]] || kill "$(<"$pid")" 2>/dev/null; done
  rm -rf "$scratch"
}
trap end EXIT
trap 'exit 130' INT TERM

same "the article has Examples/C/first_wallet.c" "$(cat Examples/C/first_wallet.c)" "$(block $article c)"
for program in Examples/C/first_wallet.c Examples/python/first_wallet.py Examples/kotlin/FirstWallet.kt; do
  most=60
  [[ $program != *.c ]] || most=72 # C has neither JSON nor exceptions
  holds "$program has at most $most lines of code" \
    test "$(grep -cvE '^\s*(//.*|/\*.*|# .*|""".*""")?$' "$program")" -le $most
  holds "the article names $(basename $program)" grep -q "\`$(basename $program)\`" $article
done
# shellcheck disable=SC2046 # the flags are words
holds "the program in C compiles without a warning" "${CC:-cc}" -std=c11 -Wall -Wextra -pedantic -Werror \
  -o "$scratch/first_wallet" Examples/C/first_wallet.c Examples/C/software_keys.c -pthread \
  $(pkg-config --cflags --libs wallet_core libsodium libcrypto)
named=$(tr '\n' ' ' <$article | grep -oE '`(apt-get update && apt-get install )?[a-z0-9 .+-]*(gcc|openjdk)[a-z0-9 .+-]*`' | tr -d '`')
if command -v dpkg >/dev/null && grep -qx 'VERSION_ID="12"' /etc/os-release; then
  # shellcheck disable=SC2086 # the packages are words
  holds "Debian has every package that the article names" apt-cache show ${named//apt-get update && apt-get install/}
fi

# --- the commands of the article --------------------------------------------------------------------------

# commands HEADING [NUMBER]: a block of commands, adapted to this machine's tarball.
commands() { block $article sh "${2:-1}" "$1" | sed "s/x86_64/$(uname -m)/g"; }

# Uses a free port for the provider and its clients.
fixture() {
  commands 'Before you begin'
  commands 'A provider, an account and a licence'
  printf 'PATIENCE=%s\n' "$PATIENCE"
  cat <<'END'
echo $! >provider.pid
for ((end = SECONDS + PATIENCE; SECONDS < end; )); do
  url=$(sed -n 's/^wallet-provider listens on //p' provider.log 2>/dev/null) || true # the log comes with the process
  [[ -z $url ]] || break
  kill -0 $!
  sleep 0.1
done
END
  commands 'A provider, an account and a licence' 2 |
    sed 's/ client-configuration / client-configuration --url "$url" /'
}

# in_directory DIRECTORY COMMAND...: in a clean environment. HOME is for the caches of pip. The Kotlin compiler is
# that of the other tests, and what they have compiled is taken from them; first_hosts.sh tests the installation.
in_directory() {
  local directory=$1
  shift
  (cd "$directory" && env -i PATH="$sources/Tests/Support/kotlin_cache:/usr/local/bin:/usr/bin:/bin" \
    HOME="$HOME" LANG=C.UTF-8 WALLET_PROVIDER_PORT=0 KOTLINC_DIRECTORY="$BUILD" KOTLIN_CACHE="$BUILD/kotlin-cache" \
    ${LD_PRELOAD:+"LD_PRELOAD=$LD_PRELOAD"} timeout --kill-after=5 "$PROGRAM_PATIENCE" "$@")
}

# --- runs of a program ------------------------------------------------------------------------------------

transcript=$(block $article text 1 'A run' | grep .)
typed=$(sed -n 's/^> //p' <<<"$transcript")

# play WANTED_STATUS LINE...: runs the program with LINEs as input; its output is in $said.
play() {
  local wanted=$1 status
  shift
  printf '%s\n' "$@" | in_directory "$directory" bash -c "$run" >"$directory/said" 2>&1
  status=$?
  said=$(<"$directory/said")
  ((status == wanted)) || not_ok "$name: ends with the status $wanted" "status $status: $said"
}

# says NAME WORDS...: the output contains all of them.
says() {
  local what=$1 word missing=()
  shift
  for word in "$@"; do grep -qF -e "$word" <<<"$said" || missing+=("$word"); done
  if ((${#missing[@]})); then
    not_ok "$name: $what" "missing: ${missing[*]}"$'\n'"$(tail -n 35 <<<"$said")"
  else
    ok "$name: $what"
  fi
}

as_in_the_transcript() {
  as_shown <(sed 's/^> .*/>/' <<<"$transcript") <(sed -E 's/^> ?(.*)/>\n\1/' <<<"$said" | grep .)
}

claims=(family_name:\ Sample given_name:\ Maria birthdate:\ 1990-12-31)

# try NAME HEADING: makes a provider and the program with the article's commands, and runs it.
try() {
  name=$1 directory=$scratch/$1
  local lines
  mkdir "$directory"
  cp "$BUILD"/packed/*.tar.gz "$directory"
  mapfile -t lines < <(commands "$2")
  { fixture; printf '%s\n' "${lines[@]::${#lines[@]}-1}"; } >"$directory.sh"
  run=${lines[-1]}
  if ! said=$(in_directory "$directory" bash -e "$directory.sh" 2>&1 </dev/null); then
    not_ok "$name: every command of the article works" "$(tail -n 35 <<<"$said")"
    return
  fi
  ok "$name: every command of the article works"

  mapfile -t lines <<<"$typed"
  play 0 "${lines[@]}"
  holds "$name: the run is that of the transcript" as_in_the_transcript
  says "the claims of the PID are shown" "${claims[@]}"
  play 0 'enter 471108'
  says "the next start shows them behind the PIN" "${claims[@]}"
  play 0 'enter 471109' close 'enter 471109' close 'enter 471109' close 'enter 471109'
  says "wrong PINs are counted, and end in a block" 'Wrong PIN' 'You have 1 attempt left' 'Wallet blocked'

  commands 'A run' >"$directory.sh"
  rm -r "$directory/state"
  holds "$name: another code is made" in_directory "$directory" bash -e "$directory.sh"
  play 0 "${lines[@]}"
  says "with it a new wallet gets the PID" "${claims[@]}"
  rm -r "$directory/state"
  holds "$name: and another one" in_directory "$directory" bash -e "$directory.sh"
  play 0 dance '' skip next enter 'enter 12345' 'enter 12345x' 'enter 123456' ok 'enter 471108' 'enter 471109' \
    try-again 'enter 471108' next scan scanned 'scanned none.txt' 'scanned licence.aamva' scan-again \
    'scanned code.txt' scan-licence 'scanned code.txt' scan-again
  says "what is no action is refused" 'This step has no such action'
  says "what is no PIN is refused, and a simple one" PIN_REFUSED 'PIN too simple' 'Not the same PIN'
  says "a file that is missing is named" 'none.txt'
  says "a code that is none is told" 'No code accepted yet'
  says "a licence that is none is told" 'Licence not read yet' 'Scan your licence'

  kill "$(<"$directory/provider.pid")"
  while kill -0 "$(<"$directory/provider.pid")" 2>/dev/null; do sleep 0.1; done
  rm "$directory/provider.pid"
  play 0 'enter 471108' back
  says "a provider that is gone is told" 'Service not available' 'try-again'
  rm -r "$directory/state"
  play 0 try-again close
  says "without it, no wallet begins" 'Service not available' '== Closed'
  echo '{}' >"$directory/configuration.json"
  play 1
  says "a configuration that is none is told" CONFIGURATION_INVALID
  rm "$directory/configuration.json"
  play 1
  says "a configuration that is missing is told" configuration.json
}

# In parallel, because they mostly wait.
try C 'In C' >"$scratch/C.lines" 2>&1 &
try Python 'In Python' >"$scratch/Python.lines" 2>&1 &
try Kotlin 'In Kotlin' >"$scratch/Kotlin.lines" 2>&1 &
wait
cat "$scratch"/{C,Python,Kotlin}.lines
