#!/usr/bin/env bash
# The verifier that judges a wallet under test, and the example of a verifier, before a wallet of the tests.
#
#   Tests/Interop/verifier.sh WALLET_PROVIDER BUILD_DIRECTORY
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export REQUIREMENTS=$here/judges.txt PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH=$here/../Support:$here/../Hosts:$here/../../Examples/Verifier
ended=0
"$here/python.sh" "$2" "$here/verifier_judge_test.py" || ended=1
"$here/python.sh" "$2" "$here/verifier_faults_test.py" || ended=1
"$here/python.sh" "$2" "$here/verifier_example_test.py" "$1" || ended=1
exit $ended
