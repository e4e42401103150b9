#!/usr/bin/env bash
# Tries the HTTP bridges of the examples by check.py, and whether the check finds what a careless host does.
#
#   Tests/HTTPBridge/run.sh BUILD_DIRECTORY [HOST...]
#
# Each HOST is a directory beside this script; by default all of them.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
source Tests/ABI/report.sh
here=Tests/HTTPBridge
build=$(cd "$1" && pwd)
shift
hosts=("$@")
((${#hosts[@]})) || hosts=(c python kotlin swift)
export BUILD=$build WALLET_CORE_TESTING_LIBRARY=$build/lib/libwallet_core_testing.so
mkdir -p "$build/http-bridge"

python=/usr/bin/python3 # the one that Debian's python3-cryptography is for
[[ -x $python ]] || python=python3

for host in "${hosts[@]}"; do
  if ! output=$("$here/$host/build.sh" 2>&1); then
    not_ok "$host: the host is built" "$output"
    continue
  fi
  "$python" -P "$here/check.py" "$here/$host/run.sh" | sed -E "s/^(ok|not ok) - /&$host: /"
done

# What no server on this device can show: which addresses are public. The other hosts have no such command.
for host in c python; do
  [[ " ${hosts[*]} " == *" $host "* ]] || continue
  same "$host: knows the addresses of the public internet and of this device" \
    "$(sed '/^#/d' "$here/addresses.txt")" \
    "$(sed '/^#/d; s/^[a-z]* //' "$here/addresses.txt" | "$here/$host/run.sh" addresses |
      paste -d ' ' - <(sed '/^#/d; s/^[a-z]* //' "$here/addresses.txt"))"
done

# Its mistakes, and no others, are found.
careless=$("$python" -P "$here/check.py" "$here/python/run.sh careless" \
  privacy redirects trust reach proxies 2>/dev/null | sed -n 's/^not ok - //p')
same "the check finds every mistake of a careless host" "$(cat "$here/python/careless.txt")" "$careless"
