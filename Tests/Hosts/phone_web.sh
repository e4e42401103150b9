#!/usr/bin/env bash
# Uses the phone in the browser for the whole chain of use cases, in headless Chromium.
#
#   Tests/Hosts/phone_web.sh PROVIDER_DIRECTORY BUILD_DIRECTORY
#
# Screenshots are written to BUILD_DIRECTORY/phone-web. With WALLET_CORE_WRITE_PICTURES=1, which `make pictures`
# sets, the README's picture is replaced. CHROMIUM names another browser than Debian's. Needs chromium and
# chromium-driver besides what `make phone-web` needs.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
providers=$1 build=$2
source Tests/ABI/report.sh
source Tests/Support/patience.sh

python=/usr/bin/python3 # the one that Debian's python3-cryptography is for
[[ -x $python ]] || python=python3

# A part that ends early has not made all checks, so its status counts too.
run() {
  local name=$1 status=0
  shift
  "$@" || status=$?
  ((status == 0)) || not_ok "$name ended with status $status"
}

parts() { PYTHONPATH=Sources/Bindings/python:Examples/python:Tests/Hosts "$python" -P "$@"; }
run "the parts of the phone in the browser" \
  parts Tests/Hosts/phone_web_parts.py Sources/wallet_core/wallet_core.docc
run "the recorder of the phone in the browser" parts Tests/Hosts/phone_web_recorder.py

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
touch "$scratch/server.log"
TMPDIR=$scratch/kept Examples/python/phone_web/run.sh "$providers" "$build" >"$scratch/server.log" 2>&1 &
server_pid=$!
is_up_or_gone() {
  url=$(sed -n 's/^The phone is at //p' "$scratch/server.log")
  [[ -n $url ]] || ! kill -0 "$server_pid" 2>/dev/null
}
eventually is_up_or_gone
if [[ -z $url ]]; then
  not_ok "the phone in the browser starts" "$(cat "$scratch/server.log")"
  exit 1
fi

pictures=$build/phone-web
rm -rf "$pictures"
mkdir -p "$pictures"
run "the phone in the browser" \
  Tests/Interop/python.sh "$build" Tests/Hosts/phone_web.py "$url" "$pictures" "$scratch"

shown=Sources/wallet_core/wallet_core.docc/Resources/phone-web.png
if [[ ${WALLET_CORE_WRITE_PICTURES:-} == 1 && -s $pictures/readme.png ]]; then
  mkdir -p "${shown%/*}"
  cp "$pictures/readme.png" "$shown"
fi
# A PNG begins with its signature, width and height. The rest of the picture depends on the time of day.
start_of_png() { head -c 24 "$1" 2>/dev/null | od -An -c; }
if [[ $(start_of_png "$pictures/readme.png") == *P*N*G*I*H*D*R* ]]; then
  same "the README's picture is a PNG of the size that the page is drawn in" \
    "$(start_of_png "$pictures/readme.png")" "$(start_of_png "$shown")"
else
  not_ok "the README's picture is a PNG of the size that the page is drawn in" "no picture was drawn"
fi
