#!/usr/bin/env bash
# Drives the phone in the browser through the whole chain of use cases, in headless Chromium.
#
#   Tests/Hosts/phone_web.sh PROVIDER_DIRECTORY BUILD_DIRECTORY
#
# Screenshots are laid into BUILD_DIRECTORY/phone-web; with WALLET_CORE_WRITE_PICTURES=1 the README's picture
# is made anew. Needs chromium and chromium-driver beside what `make phone-web` needs.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
providers=$1 build=$2
source Tests/ABI/report.sh

python=/usr/bin/python3 # the one that Debian's python3-cryptography is for
[[ -x $python ]] || python=python3
PYTHONPATH=Examples/python "$python" -P Tests/Hosts/phone_web_parts.py Sources/wallet_core/wallet_core.docc

scratch=$(mktemp -d)
server_pid=
finish() {
  if [[ -n $server_pid ]]; then
    kill "$server_pid" 2>/dev/null
    wait "$server_pid" 2>/dev/null
  fi
  rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 130' INT TERM

mkdir "$scratch/kept"
TMPDIR=$scratch/kept Examples/python/phone_web/run.sh "$providers" "$build" >"$scratch/server.log" 2>&1 &
server_pid=$!
url=
for ((tries = 0; tries < 600; tries++)); do
  url=$(sed -n 's/^The phone is at //p' "$scratch/server.log")
  if [[ -n $url ]] || ! kill -0 "$server_pid" 2>/dev/null; then break; fi
  sleep 0.1
done
if [[ -z $url ]]; then
  not_ok "the phone in the browser starts" "$(cat "$scratch/server.log")"
  exit 1
fi

pictures=$build/phone-web
rm -rf "$pictures"
mkdir -p "$pictures"
Tests/Interop/python.sh "$build" Tests/Hosts/phone_web.py "$url" "$pictures" "$scratch"

if [[ ${WALLET_CORE_WRITE_PICTURES:-} == 1 ]]; then
  target=Sources/wallet_core/wallet_core.docc/Resources/phone-web.png
  mkdir -p "${target%/*}"
  cp "$pictures/readme.png" "$target"
fi
