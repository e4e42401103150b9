# The ABI that a header promises, as abidw sees it. To be sourced by a bash script, from the top.

abi_baseline=${ABI_BASELINE:-Tests/ABI/wallet_core.abi}

# abi_of HEADER_DIRECTORY SCRATCH: prints the ABI of SCRATCH/libprobe.so, which it makes.
abi_of() {
  local header=$1/wallet_core.h scratch=$2 cc=${CC:-cc}
  mkdir -p "$scratch"
  "$cc" -E -P -x c "$header" | Tests/ABI/abi_declared.py "$header" >"$scratch/declared.inc" || return
  "$cc" -std=gnu11 -g -fPIC -shared -Wall -Wextra -Werror -I"$1" -I"$scratch" \
    -o "$scratch/libprobe.so" Tests/ABI/probe.c || return
  abidw --no-architecture --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed \
    "$scratch/libprobe.so"
}

# abi_changes ABI: prints how it differs from the baseline; fails if hosts of the baseline would break.
# Its "harmless" ones count: of a parameter that is no longer const, say, or a member's new name.
abi_changes() {
  abidiff --harmless --no-show-locs --no-added-syms --suppressions Tests/ABI/abi.suppr \
    "$abi_baseline" "$1"
}
