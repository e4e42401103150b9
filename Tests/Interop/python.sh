#!/usr/bin/env bash
# Runs Python with the packages of requirements.txt, which it installs once.
#
#   Tests/Interop/python.sh BUILD_DIRECTORY SCRIPT [ARGUMENT...]
#
# They are in BUILD_DIRECTORY/interop; needs python3-venv, and PyPI the first time. REQUIREMENTS names another list,
# whose packages are in BUILD_DIRECTORY/python, or in BUILD_DIRECTORY/NAME if the list is called NAME.txt. Of a list with
# hashes pip installs no other files.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
requirements=${REQUIREMENTS:-$here/requirements.txt}
name=$(basename "$requirements" .txt)
[[ $name != requirements ]] || name=python
[[ -n ${REQUIREMENTS:-} ]] || name=interop
environment=$(cd "$1" && pwd)/$name
shift
# Several parts of a run may call this script at the same time.
exec 9>"$environment.lock"
flock 9
if ! cmp --silent "$requirements" "$environment/installed.txt"; then
  python=/usr/bin/python3 # which python3-venv is for, whatever else is called python3
  [[ -x $python ]] || python=python3
  "$python" -m venv --clear "$environment" >&2
  "$environment/bin/pip" install --quiet --disable-pip-version-check --requirement "$requirements" >&2
  cp "$requirements" "$environment/installed.txt"
fi
exec 9>&-
exec "$environment/bin/python" "$@"
