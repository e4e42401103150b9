#!/usr/bin/env bash
# Builds the host with the HTTP stack of the C example.
set -euo pipefail
cd "$(dirname "$0")/../../.."
directory=$(dirname "$WALLET_CORE_TESTING_LIBRARY")
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -IInclude -IExamples/C Tests/HTTPBridge/c/check.c \
  Examples/C/http_curl.c Examples/C/http_transfer.c Examples/C/http_address.c -o "$BUILD/http-bridge/check_c" \
  -L"$directory" -lwallet_core_testing -Wl,-rpath,"$directory" -lcurl -pthread
