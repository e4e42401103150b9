#!/usr/bin/env bash
# `provider await STATE` in enrol_page.txt: waits until the browser has seen the page in that state.
#
# ENROL_STATES is the file to which the browser writes the states of the page.
set -euo pipefail
source "$(dirname "$0")/../Support/patience.sh"
is_seen() { grep --quiet --line-regexp "$1" "$ENROL_STATES" 2>/dev/null; }
eventually is_seen "$2" || { echo "the page was not seen as $2" >&2 && exit 1; }
