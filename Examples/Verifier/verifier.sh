#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Starts a verifier on this machine, which asks a wallet for claims and prints what it says. Ctrl-C ends it.
#
#   Examples/Verifier/verifier.sh BUILD_DIRECTORY [OPTION...]
#
# --help lists the options. Its keys and certificates are in BUILD_DIRECTORY/verifier and are used again. The first
# start installs packages.txt there, from PyPI. Needs python3-venv and qrencode. Progress is printed to standard error.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if (($# == 0)) || [[ $1 == --* ]]; then
  sed -n 's/^#   /usage: /p' "$0" >&2
  exit 2
fi
mkdir -p "$1/verifier"
directory=$(cd "$1/verifier" && pwd)
shift

if ! cmp --silent "$here/packages.txt" "$directory/python/installed.txt"; then
  python=/usr/bin/python3 # the one that Debian's python3-venv is for
  [[ -x $python ]] || python=python3
  echo "verifier: installing polaris-oid4vp" >&2
  "$python" -m venv --clear "$directory/python"
  "$directory/python/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/packages.txt"
  cp "$here/packages.txt" "$directory/python/installed.txt"
fi
PYTHONDONTWRITEBYTECODE=1 exec "$directory/python/bin/python" "$here/verifier.py" --directory "$directory" "$@"
