#!/usr/bin/env bash
# Runs provider.sh, prints its tables and which goals are met, and draws plots.
#
#   Tests/Benchmarks/provider_report.sh WALLET_PROVIDER PROVIDER_LOAD PROVIDER_BARE BUILD_DIRECTORY
#
# With WALLET_CORE_WRITE_PERFORMANCE=1 the article's part about the provider and its plots are written too.
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p "$4"
build=$(cd "$4" && pwd)
load_before=$(cut -d ' ' -f 1-3 /proc/loadavg)
Tests/Benchmarks/provider.sh "${@:1:3}" | tee "$build/provider.md"
[[ -z ${WALLET_CORE_COMPILE_ONLY:-} ]] || exit 0
echo
python3 Tests/Benchmarks/Report/provider.py "$build/provider.md" "$build" \
  --cores "$(nproc)" --load "$load_before" "$(cut -d ' ' -f 1-3 /proc/loadavg)" \
  ${WALLET_CORE_WRITE_PERFORMANCE:+--article Sources/wallet_core/wallet_core.docc}
