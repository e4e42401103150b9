# The ABI that a header promises, as abidw reads it. To be sourced by a bash script, from the top directory.

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
# Changes that abidiff calls "harmless" count too, such as a parameter that is no longer const, or a renamed member.
abi_changes() {
  abidiff --harmless --no-show-locs --no-added-syms --suppressions Tests/ABI/abi.suppr \
    "$abi_baseline" "$1"
}

# abi_version ABI: the version that it has of itself.
abi_version() { sed -nE "s/.*enumerator name='VALUE_WALLET_CORE_ABI_VERSION' value='([0-9-]+)'.*/\1/p" "$1"; }

# names_of DIRECTORY: prints the names in the schema there, which are promised like the ABI.
names_of() {
  python3 - "$1/wallet_core_events.schema.json" <<'PYTHON'
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    definitions = json.load(file)["$defs"]
for kind in ("step_name", "action_name", "notice_name", "argument_name"):
    for name in definitions[kind]["enum"]:
        print(kind, name)
PYTHON
}

# names_lost DIRECTORY: prints the baseline's names that are missing.
names_lost() { comm -23 <(sort "$abi_baseline.names") <(names_of "$1" | sort); }
