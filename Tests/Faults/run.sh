#!/usr/bin/env bash
# Makes every system call of the wallet fail once, and simulates a power cut at every change of the disk.
#
#   Tests/Faults/run.sh PROVIDER_DIRECTORY BUILD_DIRECTORY
#
# WALLET_CORE_FAULTS and WALLET_CORE_POWER_CUTS say how many of each are tested, at least one of every kind; "all" for
# all. FAULT or CUT, as printed for a failure, repeats that one alone and prints its course. wallet_core is
# found by pkg-config.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
PROVIDERS=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
export PROVIDERS
export PYTHONDONTWRITEBYTECODE=1
source Tests/ABI/report.sh

scratch=$(mktemp -d)
worlds=()
# Lifetimes of codes and claims: longer than the longest run, in which they are claimed repeatedly.
lives=(code-seconds=86400 session-seconds=86400)
with_world() { SCENARIO_SCRATCH=$1 PHONE_PICTURES=$1/pictures Tests/Scenarios/provider.sh "${@:2}"; }
clean_up() {
  local world
  for world in "${worlds[@]}"; do with_world "$world" stop; done
  rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT TERM
out=$build/faults
mkdir -p "$out"

compile() {
  local strict=(-std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -pedantic -Werror) flags library
  read -ra flags < <(pkg-config --cflags --libs wallet_core libsodium libcrypto)
  library=$(pkg-config --variable=libdir wallet_core)
  # Argon2id would take most of the time of a run. This library is found before libsodium and replaces its function;
  # because of its name the faults treat it as a part of the wallet.
  # shellcheck disable=SC2046 # the flags are words
  "${CC:-cc}" "${strict[@]}" -fPIC -shared -o "$out/libsodium_quick.so" Tests/Support/quick_pwhash.c \
    $(pkg-config --cflags libsodium) &&
    "${CC:-cc}" "${strict[@]}" -IExamples/C -o "$out/wallet" Tests/Faults/wallet.c Examples/C/software_keys.c \
      -Wl,--no-as-needed "$out/libsodium_quick.so" "${flags[@]}" -Wl,-rpath,"$library" &&
    "${CC:-cc}" "${strict[@]}" -fPIC -shared -o "$out/faults.so" Tests/Faults/preload/*.c
}

# A provider for each processor, all with the keys of the first, so that a wallet finds its account at any.
start_worlds() {
  local number world
  for ((number = 1; number <= $(nproc); number++)); do
    world=$scratch/$number
    mkdir -p "$world/pictures"
    if ((number > 1)); then
      cp -r "$scratch/1/provider" "$world/provider"
      cp "$scratch/1/pictures/"* "$world/pictures/"
    fi
    worlds+=("$world")
    with_world "$world" start "${lives[@]}" || return
    ((number > 1)) || with_world "$world" enrol || return
  done
}

# how_many OPTION NUMBER: prints the option, or nothing for all.
how_many() { [[ $2 == all ]] || echo "$1 $2"; }

# tried NAME COMMAND...: prints the command's output as comments; its last line is the count in the name.
tried() {
  local name=$1 log=$out/last.log status
  shift
  "$@" 2>&1 | tee "$log" | sed -u 's/^/# /'
  status=${PIPESTATUS[0]}
  if ((status == 0)); then ok "$name: $(tail -n 1 "$log")"; else not_ok "$name: $(tail -n 1 "$log")"; fi
}

if ! output=$(compile 2>&1); then
  not_ok "the host and the preloaded library compile" "$output"
  exit 1
fi
start_worlds || exit 1
if [[ -n ${FAULT:-} ]]; then
  Tests/Faults/inject.py --only "$FAULT" "$out/wallet" "$out/faults.so" "${worlds[0]}"
  exit
fi
if [[ -n ${CUT:-} ]]; then
  Tests/Faults/powercuts.py --only "$CUT" "$out/wallet" "$out/faults.so" "${worlds[0]}"
  exit
fi
read -ra faults < <(how_many --faults "${WALLET_CORE_FAULTS:-30}")
read -ra states < <(how_many --states "${WALLET_CORE_POWER_CUTS:-40}")
tried "a system call fails" \
  Tests/Faults/inject.py "${faults[@]}" "$out/wallet" "$out/faults.so" "${worlds[@]}"
tried "the power is cut" \
  Tests/Faults/powercuts.py "${states[@]}" "$out/wallet" "$out/faults.so" "${worlds[@]}"
tried "a disk that only says that it has synced is found out" \
  Tests/Faults/powercuts.py --dishonest --states 12 "$out/wallet" "$out/faults.so" "${worlds[@]}"
