#!/usr/bin/env bash
# The header alone: it compiles everywhere, and every function in it is documented and called.
set -uo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/report.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
header=Include/wallet_core.h
clang=$(dirname "$(command -v "${SWIFT:-swift}")")/clang

# --- it compiles -------------------------------------------------------------------------------
# Included twice and used, so that guards, attributes and C++ linkage are tested too.
cat >"$scratch/alone.c" <<'C'
#include "wallet_core.h"
#include "wallet_core.h"
int use(void);
int use(void) { return wallet_core_is_initialized() + (int)sizeof(wallet_core_options); }
C
cp "$scratch/alone.c" "$scratch/alone.cpp"
compile() {
  "$1" "-std=$2" -Wall -Wextra -pedantic -Werror -IInclude -c "$3" -o "$scratch/alone.o"
}
for standard in c99 c11 c17; do
  holds "the header as $standard, gcc" compile gcc "$standard" "$scratch/alone.c"
  holds "the header as $standard, clang" compile "$clang" "$standard" "$scratch/alone.c"
done
for standard in c++11 c++20; do
  holds "the header as $standard, g++" compile g++ "$standard" "$scratch/alone.cpp"
  holds "the header as $standard, clang++" compile "$clang++" "$standard" "$scratch/alone.cpp"
done

# A constant of another enumeration is noticed where the compiler knows such types.
for constant in WALLET_CORE_PIN_VERDICT_ACCEPTED WALLET_CORE_OK WALLET_CORE_GRADE_OK WALLET_CORE_BRIDGE_OK; do
  cat >"$scratch/mixed.c" <<C
#include "wallet_core.h"
int mixed(const wallet_core_event *event);
int mixed(const wallet_core_event *event) { return wallet_core_event_pin_outcome(event) == $constant; }
C
  cp "$scratch/mixed.c" "$scratch/mixed.cpp"
  refuses() { ! compile "$@" 2>"$scratch/said" && grep -q 'enum.*compar\|compari.*enum' "$scratch/said"; }
  holds "clang warns of a PIN outcome that is compared with $constant" refuses "$clang" c17 "$scratch/mixed.c"
  holds "so does g++" refuses g++ c++11 "$scratch/mixed.cpp"
done

Tests/ABI/portable.sh

# --- it is documented --------------------------------------------------------------------------
declared=$(Tests/ABI/declared.py "$header")
same "every declared function is documented" "$declared" "$(Tests/ABI/declared.py --documented "$header")"
sed 's,^/\*\* ,/* ,' "$header" >"$scratch/undocumented.h"
holds "a function without a documentation comment is found" \
  test "$(Tests/ABI/declared.py --documented "$scratch/undocumented.h" | wc -l)" -lt "$(wc -l <<<"$declared")"

undocumented_codes=$(sed -n 's/^  WALLET_CORE_ERROR_\([A-Z0-9_]*\) = .*/\1/p' "$header" |
  while read -r code; do
    grep -qw "$code" Sources/wallet_core/wallet_core.docc/errors.md || echo "$code"
  done)
same "every status is in the errors article" "" "$undocumented_codes"

# --- it is used --------------------------------------------------------------------------------
uncalled() {
  local name
  for name in $declared; do
    grep -qw "$name" "$@" || echo "$name"
  done
}
same "before_init.c calls every function" "" \
  "$(uncalled Tests/ABI/before_init.c Tests/ABI/host.c)"
same "arguments.c calls every function that takes anything" "" \
  "$(uncalled Tests/ABI/arguments.c Tests/ABI/before_init.c Tests/ABI/host.c)"
