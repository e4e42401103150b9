#!/usr/bin/env bash
# Makes sure that the Debian packages of a task are installed.
#
#   .ci/setup.sh [--list] TASK...     TASK: library provider phone phone-web verifier check licences dist docs test full failover bench flames lint fresh
#
# With --list it only prints the packages of the tasks.
#
# Installs missing packages if that is allowed (as root, or with sudo without a password); otherwise prints the
# command to run and fails. Prints nothing if nothing is missing. Each task lists only what it uses: `make fresh`
# tests each alone, and the part `project` of the tests that nothing in a list is superfluous.
set -euo pipefail

# The compilers that Swift's own needs, and what the toolchain itself links.
swift=(binutils ca-certificates g++ gcc git libcurl4 libncurses6 libsqlite3-0 libxml2 make pkg-config)
library=("${swift[@]}" libcurl4-openssl-dev libsodium-dev libsqlite3-dev zlib1g-dev)
provider=("${swift[@]}" libpng-dev libpq-dev libqrencode-dev libsodium-dev libsqlite3-dev zlib1g-dev)
# The scanner and the pictures that it scans, and the verifier.
phone=(g++ gcc libcurl4-openssl-dev libjansson-dev libpng-dev libsodium-dev libssl-dev libzxing-dev pkg-config
  python3-pil qrencode zint zlib1g-dev)

only_list=
[[ ${1:-} != --list ]] || { only_list=1 && shift; }
packages=()
for task in "$@"; do
  case $task in
    library) packages+=("${library[@]}") ;;
    provider) packages+=("${provider[@]}") ;;
    phone) packages+=("${phone[@]}") ;;
    phone-web) packages+=("${phone[@]}" python3-cryptography python3-openssl) ;;
    verifier) packages+=(python3-venv qrencode) ;;
    check) packages+=("${library[@]}" python3-cryptography) ;;
    # Debian has the licence texts of these libraries, which are linked into the provider.
    licences) packages+=(libicu-dev libyaml-0-2) ;;
    # For wheel and articles.
    dist) packages+=(python3) ;;
    docs) packages+=("${swift[@]}" python3) ;;
    test)
      packages+=("${library[@]}" "${provider[@]}" "${phone[@]}" abigail-tools chromium chromium-driver cmake curl fonts-dejavu-core
        fonts-inter libicu-dev libyaml-0-2 nginx-light openjdk-17-jdk-headless openssl postgresql
        iproute2 libokhttp-java procps python3-cryptography python3-jsonschema python3-openssl python3-venv strace systemd util-linux valgrind zxing-cpp-tools)
      ;;
    full) packages+=(buildah debootstrap) ;;
    failover) packages+=("${provider[@]}" curl etcd-server iproute2 openssl patroni postgresql util-linux) ;;
    bench) packages+=("${provider[@]}" libssl-dev postgresql python3-venv util-linux valgrind) ;;
    flames) packages+=("${provider[@]}" linux-perf python3) ;;
    lint) packages+=("${swift[@]}" clang-format) ;;
    fresh) packages+=(debootstrap git util-linux) ;;
    *) echo "setup: unknown task $task" >&2 && exit 2 ;;
  esac
done
if [[ -n $only_list ]]; then
  printf '%s\n' "${packages[@]}" | sort -u
  exit 0
fi

# The verifier is written in Python.
if [[ $* != verifier ]] && ! command -v "${SWIFT:-swift}" >/dev/null; then
  echo "setup: no Swift toolchain on the PATH; https://www.swift.org/install/ has one (6.2 or newer)" >&2
  exit 1
fi
if ! command -v dpkg-query >/dev/null; then
  echo "setup: not a Debian system; needed are the equivalents of: ${packages[*]}" >&2
  exit 0
fi

mapfile -t missing < <(
  printf '%s\n' "${packages[@]}" | sort -u | while read -r package; do
    status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [[ $status == installed ]] || echo "$package"
  done
)
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
  if ! sudo -n true 2>/dev/null; then
    echo "setup: packages are missing; run this and try again:" >&2
    echo "  sudo apt-get update && sudo apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo -n)
fi
echo "setup: installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --yes --quiet "$@" >>"$log" 2>&1 </dev/null; }
install() { apt install --no-install-recommends "${missing[@]}"; }
# A fresh system has no package lists, or outdated ones; and a package server may fail.
for try in 1 2 3; do
  if ((try > 1)) || [[ -z $(find /var/lib/apt/lists -name '*_Packages*' -print -quit 2>/dev/null) ]]; then
    apt update || true
  fi
  if install; then exit 0; fi
  ((try == 3)) || sleep $((try * 5))
done
echo "setup: apt-get could not install them:" >&2
tail -n 20 "$log" >&2
exit 1
