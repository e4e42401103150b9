#!/usr/bin/env bash
# The tests from outside: the header, the shipped files, C programs, the README.
#
#   Tests/ABI/run.sh PROVIDER_DIRECTORY BUILD_DIRECTORY SECTION...
#
# The sections are those of .ci/tests/parts.py. `phone` builds the phone that scenarios, hosts and enrol use, `players`
# what hosts and bindings use; cluster needs PostgreSQL and nginx; fuzz runs sequences of calls without a fuzzer.
# BUILD_DIRECTORY/lib holds the libraries; the installed wallet_core is found by pkg-config. Ends with "N passed, M failed".
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
providers=$(realpath --canonicalize-missing "$1")
build=$(cd "$2" && pwd)
shift 2
export PROVIDERS=$providers BUILD=$build

run_section() {
  case $1 in
    phone) "$here/../Scenarios/phone.sh" "$build" ;;
    players) "$here/../Hosts/players.sh" "$build" ;;
    first-hosts) "$here/first_hosts.sh" ;;
    threat-model) "$here/threat_model.sh" ;;
    system) "$here/../System/run.sh" "$build" ;;
    runner) "$here/../Runner/runner.py" ;;
    scenarios) "$here/../Scenarios/run.sh" "$providers" "$build" ;;
    bindings) "$here/../Bindings/run.sh" "$providers" "$build" ;;
    hosts) "$here/../Hosts/run.sh" "$providers" "$build" ;;
    interop)
      "$here/../Interop/pids.sh" "$build" || echo "not ok - pids.sh ended with status $?"
      "$here/../Interop/statuslist.sh" "$build"
      ;;
    judges) "$here/../Interop/judges.sh" "$build" ;;
    issuer) "$here/../Interop/issuer.sh" "$providers/wallet-provider" "$build" ;;
    verifier-judge) "$here/../Interop/verifier.sh" "$providers/wallet-provider" "$build" ;;
    protocol) "$here/../Interop/protocol.sh" "$providers/wallet-provider" "$build" ;;
    openapi) "$here/../Interop/openapi.sh" "$providers/wallet-provider" "$build" ;;
    enrol)
      "$here/../Interop/enrol_page.sh" "$providers/wallet-provider" "$build/hosts/c/player" "$build"
      ;;
    verifiers) "$here/../Hosts/verifiers.sh" ;;
    http-bridge) "$here/../HTTPBridge/run.sh" "$build" ;;
    relying-party) "$here/../Support/relying_party_test.py" ;;
    phone-web) "$here/../Hosts/phone_web.sh" "$providers" "$build" ;;
    faults) "$here/../Faults/run.sh" "$providers" "$build" ;;
    cluster) "$here/../Cluster/run.sh" "$providers" "$build" ;;
    fuzz) "$here/../Fuzz/replay.sh" "$providers" "$build" ;;
    install)
      for script in help messages service database; do
        "$here/../Install/$script.sh" "$providers/wallet-provider" || echo "not ok - $script ended with status $?"
      done
      ;;
    instructions) "$here/../Benchmarks/instructions.sh" ;;
    *) "$here/$1.sh" ;;
  esac
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM
for section in "$@"; do
  run_section "$section" || echo "not ok - $section ended with status $?"
done | tee "$log"

passed=$(grep -c '^ok - ' "$log")
failed=$(grep -c '^not ok - ' "$log")
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
