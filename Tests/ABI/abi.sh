#!/usr/bin/env bash
# Tests the header's promise, "additive within one WALLET_CORE_ABI_VERSION": the header is compatible with the
# baseline, allowed additions pass, and every other change is detected and named.
set -uo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/report.sh
source Tests/ABI/abi_probe.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# check DIRECTORY: succeeds if the header in DIRECTORY breaks nothing of the baseline.
check() { abi_of "$1" "$scratch/probe" >"$scratch/abi" && abi_changes "$scratch/abi"; }
abi_of Include "$scratch/probe" >"$scratch/now"
if [[ $(abi_version "$abi_baseline") != "$(abi_version "$scratch/now")" ]]; then
  # Until the release of a new version of the ABI, which writes its baseline, nothing of it is promised. Then the
  # header is its own baseline, so that the checks of changes below are tested all the same.
  names_of Include >"$scratch/now.names"
  cp "$abi_baseline.series" "$scratch/now.series"
  abi_baseline=$scratch/now
fi
holds "the header breaks no host that was built against the baseline" check Include

same "no name that was promised is gone" "" "$(names_lost Include)"

growing=$(sed -nE 's/.*\^wallet_core_\((.*)\)\$$/\1/p' Tests/ABI/abi.suppr | tr '|' '\n' | sort)
sized=$(sed -nE 's/^MEMBER\(wallet_core_(.*), struct_size\)$/\1/p' "$scratch/probe/declared.inc" | sort)
same "the structs that may grow are those with struct_size" "$sized" "$growing"

# edited SED_SCRIPT...: an edited copy of the header, without its own checks of sizes.
edited() {
  sed -E "$@" Include/wallet_core.h >"$scratch/wallet_core.h"
  ! cmp -s Include/wallet_core.h "$scratch/wallet_core.h" || return
  sed -i '/^WALLET_CORE_ASSERT_SIZE(/d' "$scratch/wallet_core.h"
}

allowed() {
  local name=$1
  shift
  if edited "$@"; then holds "allowed: $name" check "$scratch"; else not_ok "allowed: $name" "no edit"; fi
}

# refused NAME WORD SED_SCRIPT...: the change is detected, and the report names WORD.
refused() {
  local name=$1 word=$2 output
  shift 2
  if ! edited "$@"; then
    not_ok "refused: $name" "no edit"
  elif output=$(check "$scratch" 2>&1); then
    not_ok "refused: $name" "it was allowed"
  elif grep -qw "$word" <<<"$output"; then
    ok "refused: $name"
  else
    not_ok "refused: $name" "$output"
  fi
}

options_end='s/^\} wallet_core_options;$/  int64_t added;\n&/'
allowed "a new function" '/^int32_t wallet_core_abi_version/i int32_t wallet_core_added(int32_t number);'
allowed "a new constant" 's/^(  WALLET_CORE_EVENT_CARDS_CHANGED = 6)$/\1,\n  WALLET_CORE_EVENT_ADDED = 7/'
allowed "a new member behind the others of a struct with struct_size" "$options_end"
allowed "a new callback type" 's/^typedef void \(\*wallet_core_destroy\)/typedef void (*wallet_core_added)(int32_t);\n&/'

refused "a function is gone" function_wallet_core_is_initialized '/^int32_t wallet_core_is_initialized/d'
refused "a function has one more parameter" function_wallet_core_memzero \
  's/(wallet_core_memzero\(.*size_t length)/\1, int32_t times/'
refused "a parameter has another type" function_wallet_core_bridge_reply \
  's/uint64_t call, wallet_core_bridge_status status/uint32_t call, wallet_core_bridge_status status/'
refused "a parameter is no longer const" function_wallet_core_error_message \
  '/wallet_core_error_message\(/,/;/s/const wallet_core_error/wallet_core_error/'
refused "a result has another type" function_wallet_core_pin_length \
  's/^size_t wallet_core_pin_length/int32_t wallet_core_pin_length/'
refused "a handle has another size" type_wallet_core_client \
  's/^typedef uint64_t wallet_core_client;/typedef uint32_t wallet_core_client;/'
refused "a callback has another parameter" wallet_core_log_callback \
  's/wallet_core_log_level level, const char/int64_t level, const char/'
refused "a function of a bridge has another parameter" member_wallet_core_signing_key_bridge_sign \
  '/^typedef struct wallet_core_signing_key_bridge/,/^\}/s/uint64_t call/uint32_t call/'
refused "a member is inserted" offset_wallet_core_options_app_id \
  's/^(  const char \*app_id;)$/  int64_t inserted;\n\1/'
refused "a member is gone" member_wallet_core_options_log_context \
  '/^  void \*log_context;$/d'
refused "two members change places" offset_wallet_core_options_app_version \
  's/\*app_version;$/*place;/; s/\*app_id;$/*app_version;/; s/place;$/app_id;/'
refused "a member has another type, of the same size" member_wallet_core_options_log_level \
  's/^  wallet_core_log_level log_level;$/  uint32_t log_level;/'
refused "a member has another type, behind a new one" member_wallet_core_options_log_level \
  "$options_end; s/^  wallet_core_log_level log_level;\$/  uint32_t log_level;/"
refused "a struct without struct_size grows" type_wallet_core_configuration_key \
  's/^\} wallet_core_configuration_key;$/  int64_t added;\n&/'
refused "a constant is gone" value_WALLET_CORE_BRIDGE_NOT_ENROLLED '/^  WALLET_CORE_BRIDGE_NOT_ENROLLED = 5,$/d'
refused "a constant has another value" value_WALLET_CORE_EVENT_STEP \
  's/WALLET_CORE_EVENT_STEP = 5/WALLET_CORE_EVENT_STEP = 6/'
refused "two constants change places" value_WALLET_CORE_ERROR_BUSY \
  's/(ERROR_BUSY) = -6/\1 = -7/; s/(ERROR_TIMEOUT) = -7/\1 = -6/'
refused "a number that is a macro changes" value_WALLET_CORE_PIN_LENGTH \
  's/^(#define WALLET_CORE_PIN_LENGTH) 6/\1 8/'

# --- a new baseline --------------------------------------------------------------------------------
cp "$abi_baseline" "$scratch/baseline"
cp "$abi_baseline.series" "$scratch/baseline.series"
cp "$abi_baseline.names" "$scratch/baseline.names"
cp Include/wallet_core_events.schema.json "$scratch"
write() { ABI_BASELINE=$scratch/baseline Tests/ABI/abi_baseline.sh "$scratch"; }
changed='s/^(#define WALLET_CORE_PIN_LENGTH) 6/\1 8/'
edited "$changed"
if output=$(write 2>&1) || ! grep -q 'raise WALLET_CORE_ABI_VERSION' <<<"$output"; then
  not_ok "no baseline is written that breaks hosts" "$output"
else
  holds "no baseline is written that breaks hosts" cmp "$abi_baseline" "$scratch/baseline"
fi
edited '/^int32_t wallet_core_abi_version/i int32_t wallet_core_added(int32_t number);'
sed -i '/"wrong-pin"/d' "$scratch/wallet_core_events.schema.json"
if output=$(write 2>&1) || ! grep -q 'step_name wrong-pin' <<<"$output"; then
  not_ok "nor one that lacks a name" "$output"
else
  ok "nor one that lacks a name"
fi
raised="$changed; s/^(#define WALLET_CORE_ABI_VERSION) .*/\1 999/"
# of MAJOR MINOR: makes the header one of this version.
of() { echo "s/^(#define WALLET_CORE_VERSION_MAJOR) .*/\1 $1/; s/^(#define WALLET_CORE_VERSION_MINOR) .*/\1 $2/"; }
# refuses_series NAME: no baseline is written, because the series is not new.
refuses_series() {
  cp "$scratch/baseline" "$scratch/former"
  if output=$(write 2>&1) || ! grep -q 'raise WALLET_CORE_VERSION_MAJOR' <<<"$output"; then
    not_ok "$1" "$output"
  else
    holds "$1" cmp "$scratch/former" "$scratch/baseline"
  fi
}
echo 0.9 >"$scratch/baseline.series"
edited "$raised; $(of 0 9)"
refuses_series "nor with a new version of the ABI alone"
edited "$raised; $(of 0 10)"
holds "while the major version is 0, a new minor one may bring a new ABI" write
edited "s/^(#define WALLET_CORE_ABI_VERSION) .*/\1 1000/; $(of 1 0)"
holds "and so may a new major one" write
edited "s/^(#define WALLET_CORE_ABI_VERSION) .*/\1 1001/; $(of 1 1)"
refuses_series "from 1.0 on a minor version brings no new ABI"
