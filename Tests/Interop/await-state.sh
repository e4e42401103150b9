#!/usr/bin/env bash
# `provider await STATE` in enrol_page.txt: waits until the browser has seen the page in that state.
#
# ENROL_STATES is the file in which the browser notes what it sees.
set -euo pipefail
for ((tries = 0; tries < 200; tries++)); do
  if grep --quiet --line-regexp "$2" "$ENROL_STATES" 2>/dev/null; then exit 0; fi
  sleep 0.1
done
echo "the page was not seen as $2" >&2
exit 1
