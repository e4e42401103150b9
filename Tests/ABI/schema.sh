#!/usr/bin/env bash
# The installed schema describes the events of a running library.
set -uo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/report.sh

EVENTS=$(mktemp)
trap 'rm -f "$EVENTS"' EXIT
export EVENTS
schema=$(pkg-config --variable=prefix wallet_core)/share/wallet_core/wallet_core_events.schema.json

PROGRAMS=events Tests/ABI/programs.sh
described() { Tests/ABI/schema.py "$schema" "$@" <"$EVENTS"; }
holds "the installed schema is the schema" cmp Include/wallet_core_events.schema.json "$schema"
holds "every event is as the schema says" \
  described configuration lock_state version_state completion
