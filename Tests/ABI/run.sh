#!/usr/bin/env bash
# The tests from outside: the header, the shipped files, C programs, the README.
#
#   Tests/ABI/run.sh PROVIDER_DIRECTORY BUILD_DIRECTORY [SECTION...]
#
# Sections, all unless named: header abi library package programs schema readme newcomer threat-model first-hosts
# scanning interop openapi, cluster, which needs PostgreSQL and nginx, fuzz, programs of calls without a fuzzer,
# instructions; and scenarios hosts enrol phone-web faults. hosts and enrol want scenarios before them, for its
# phone.
# BUILD_DIRECTORY/lib holds the libraries; the installed wallet_core is found by pkg-config. Ends with
# "N passed, M failed".
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
providers=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
shift 2

export PROVIDERS=$providers BUILD=$build
sections=("$@") beside=()
if ((!$#)); then
  sections=(header abi library package programs schema readme newcomer threat-model first-hosts scanning interop openapi
    cluster fuzz instructions)
  # What plays with the phones: these wait more than they work, so they run beside the others.
  beside=(scenarios hosts enrol phone-web faults)
fi

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

run_sections() {
  local section
  for section in "$@"; do
    echo "# $section"
    run_section "$section" || echo "not ok - $section ended with status $?"
    echo "# $section took until $SECONDS s"
  done
}

{
  if ((${#beside[@]})); then
    "$here/../Interop/python.sh" "$build" -c '' || echo "not ok - the packages for tests are installed"
    run_sections "${beside[@]}" >"$build/abi-beside.log" 2>&1 &
  fi
  run_sections "${sections[@]}"
  wait
  ((${#beside[@]} == 0)) || cat "$build/abi-beside.log"
} | tee "$build/abi-sections.log"

passed=$(grep -c '^ok - ' "$build/abi-sections.log")
failed=$(grep -c '^not ok - ' "$build/abi-sections.log")
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
