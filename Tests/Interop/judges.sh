#!/usr/bin/env bash
# What other programs make and judge, for the Swift tests of the part `swift-judged`.
#
#   Tests/Interop/judges.sh BUILD_DIRECTORY
#
# Writes cards_by_others.json, cards_for_wallet.json, chains_by_openssl.json, registrations.json and pid_requests.json
# there, and tries the judges of pids.sh on PIDs of the tests' own issuer. WALLET_CORE_STRESS_SEED sets the
# shapes of the cards.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
export REQUIREMENTS=$here/judges.txt PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$here/../Support:$here/../Hosts
seed=${WALLET_CORE_STRESS_SEED:-17}
[[ -n ${WALLET_CORE_STRESS_SEED:-} || ${WALLET_CORE_EXHAUSTIVE:-} != 1 ]] || seed=$RANDOM
ended=0
"$here/python.sh" "$build" "$here/cards_by_others.py" "$build/cards_by_others.json" "$seed" || ended=1
"$here/python.sh" "$build" "$here/cards_for_wallet.py" "$build/cards_for_wallet.json" "$seed" || ended=1
"$here/python.sh" "$build" "$here/chains_by_openssl.py" "$build/chains_by_openssl.json" || ended=1
"$here/python.sh" "$build" "$here/registrations.py" "$build/registrations.json" || ended=1
"$here/python.sh" "$build" "$here/pid_requests.py" "$build/pid_requests.json" || ended=1
"$here/python.sh" "$build" "$here/pid_judges.py" "$build/pid_requests.json" || ended=1
exit $ended
