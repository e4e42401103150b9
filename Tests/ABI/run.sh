#!/usr/bin/env bash
# The tests from outside: the header, the shipped files, C programs, the README.
#
#   Tests/ABI/run.sh PROVIDER_DIRECTORY BUILD_DIRECTORY [SECTION...]
#
# Sections: header abi library package programs schema readme threat-model first-hosts scanning interop
# scenarios hosts openapi, enrol, which needs a provider with the page, phone-web, faults, cluster, which needs
# PostgreSQL and nginx, and fuzz, programs of calls without a fuzzer. hosts and enrol want scenarios before
# them, for its phone.
# BUILD_DIRECTORY/lib holds the libraries; the installed wallet_core is found by pkg-config. Ends with
# "N passed, M failed".
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
providers=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
shift 2

export PROVIDERS=$providers BUILD=$build
sections=("$@")
((${#sections[@]})) || sections=(header abi library package programs schema readme threat-model first-hosts scanning
  interop scenarios hosts openapi enrol phone-web faults cluster fuzz instructions)

run_section() {
  case $1 in
    first-hosts) "$here/first_hosts.sh" ;;
    threat-model) "$here/threat_model.sh" ;;
    scenarios) "$here/../Scenarios/run.sh" "$providers" "$build" ;;
    hosts) # beside that phone
      "$here/../Hosts/run.sh" "$providers" "$build"
      ;;
    interop) "$here/../Interop/sdjwt.sh" "$build" ;;
    openapi) "$here/../Interop/openapi.sh" "$providers/wallet-provider" "$build" ;;
    enrol) # with the phone that the scenarios were played with
      "$here/../Interop/enrol_page.sh" "$providers/wallet-provider" "$build/examples/phone-testing" "$build"
      ;;
    phone-web) "$here/../Hosts/phone_web.sh" "$providers" "$build" ;;
    faults) "$here/../Faults/run.sh" "$providers" "$build" ;;
    cluster) "$here/../Cluster/run.sh" "$providers" "$build" ;;
    fuzz) "$here/../Fuzz/replay.sh" "$providers" "$build" ;;
    instructions) "$here/../Benchmarks/instructions.sh" ;;
    *) "$here/$1.sh" ;;
  esac
}

for section in "${sections[@]}"; do
  echo "# $section"
  run_section "$section" || echo "not ok - $section ended with status $?"
done | tee "$build/abi-sections.log"

passed=$(grep -c '^ok - ' "$build/abi-sections.log")
failed=$(grep -c '^not ok - ' "$build/abi-sections.log")
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
