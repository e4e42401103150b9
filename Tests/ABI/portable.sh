#!/usr/bin/env bash
# Compiles the header for other targets than this machine: phones and desktops. Nothing is linked, and no SDK is
# needed. For each it checks the layout of the structs that hosts in other languages declare themselves.
set -uo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/report.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
clang=$(dirname "$(command -v "${SWIFT:-swift}")")/clang

# The header checks the sizes of 64 bits itself. What hosts rely on besides, on 32 bits too:
cat >"$scratch/layout.c" <<'C'
#include "wallet_core.h"
typedef int status_is_32_bits[sizeof(wallet_core_status) == 4 ? 1 : -1];
typedef int client_is_64_bits[sizeof(wallet_core_client) == 8 ? 1 : -1];
typedef int pointers_are_alike[sizeof(wallet_core_destroy) == sizeof(void *) ? 1 : -1];
typedef int size_is_a_pointer[sizeof(size_t) == sizeof(void *) ? 1 : -1];
typedef int signing_keys_hold_pointers[
    sizeof(wallet_core_signing_key_bridge) == 8 * sizeof(void *) ? 1 : -1];
typedef int encryption_keys_hold_pointers[
    sizeof(wallet_core_encryption_key_bridge) == 7 * sizeof(void *) ? 1 : -1];
int use(void);
int use(void) { return wallet_core_is_initialized() + (int)sizeof(wallet_core_options); }
C
cp "$scratch/layout.c" "$scratch/layout.cpp"

compile() { # TARGET STANDARD FILE
  "$clang" -target "$1" "-std=$2" -ffreestanding -fsyntax-only -Wall -Wextra -pedantic -Werror -IInclude \
    "$scratch/$3"
}
all() {
  compile "$1" c99 layout.c && compile "$1" c11 layout.c && compile "$1" c++17 layout.cpp
}
for target in aarch64-linux-android28 armv7a-linux-androideabi28 x86_64-linux-android28 \
  arm64-apple-ios18 arm64-apple-ios18-simulator arm64-apple-macos15 \
  aarch64-unknown-linux-gnu x86_64-windows-msvc; do
  holds "the header for $target, as C99, C11 and C++17" all "$target"
done
