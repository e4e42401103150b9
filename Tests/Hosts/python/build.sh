#!/usr/bin/env bash
# Writes BUILD_DIRECTORY/hosts/python/player, which loads the library for tests.
#
#   Tests/Hosts/python/build.sh BUILD_DIRECTORY
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$build/hosts/python"
# Debian's Python, which python3-cryptography belongs to.
python=/usr/bin/python3
[[ -x $python ]] || python=python3
cat >"$build/hosts/python/player" <<END
#!/bin/sh
export PYTHONPATH='$root/Sources/Bindings/python:$root/Examples/python' PYTHONDONTWRITEBYTECODE=1
export WALLET_CORE_LIBRARY='$build/lib/libwallet_core_testing.so'
exec $python '$root/Tests/Hosts/python/player.py' "\$@"
END
chmod +x "$build/hosts/python/player"
