#!/usr/bin/env bash
# Tests the verifiers of the C host and of the phone in the browser with PIDs of the tests' own issuer.
#
#   Tests/Hosts/verifiers.sh
#
# WRAPPER is put before the verifier in C (for example valgrind).
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
source Tests/ABI/report.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python=/usr/bin/python3 # the one that Debian's python3-cryptography is for
[[ -x $python ]] || python=python3

# With sanitizers, because the input is untrusted.
sanitizers=-fsanitize=address,undefined
[[ -z ${WRAPPER:-} ]] || sanitizers=
holds "the verifier in C compiles" env CFLAGS="-g $sanitizers -fno-sanitize-recover=all" \
  Examples/C/compile-verifier.sh "$scratch" || exit 1
printf '#!/bin/sh\nexec %s "%s" "$@"\n' "${WRAPPER:-}" "$scratch/verify" >"$scratch/program"
chmod +x "$scratch/program"

status=0
PYTHONPATH=Examples/python:Tests/Hosts:Tests/Interop:Tests/Support PYTHONDONTWRITEBYTECODE=1 \
  "$python" -P Tests/Hosts/verifiers.py "$scratch/program" || status=$?
((status == 0)) || not_ok "the verifiers" "ended with status $status"
