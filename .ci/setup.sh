#!/usr/bin/env bash
# Makes sure that the Debian packages which a task needs are there.
#
#   .ci/setup.sh TASK...     TASK: build, examples, dist, test, lint, full
#
# Missing ones are installed where that is allowed (root, or sudo without a question); elsewhere the
# command to run is printed and the script fails. Prints nothing when nothing is missing.
set -euo pipefail

packages=(binutils ca-certificates g++ gcc git libcurl4-openssl-dev libsodium-dev libsqlite3-dev make pkg-config)
for task in "$@"; do
  case $task in
    build) packages+=(libpng-dev libpq-dev libqrencode-dev) ;;
    examples) packages+=(libpng-dev libssl-dev libzxing-dev python3-cryptography python3-pil qrencode zint) ;;
    dist) packages+=(libicu-dev libyaml-0-2 python3) ;;
    test)
      packages+=(abigail-tools chromium chromium-driver cmake curl fonts-dejavu-core fonts-inter
        nginx-light openjdk-17-jdk-headless openssl postgresql python3-jsonschema python3-venv util-linux valgrind zxing-cpp-tools)
      ;;
    lint) packages+=(clang-format) ;;
    full) ;; # what test needs
    *) echo "setup: unknown task $task" >&2 && exit 2 ;;
  esac
done

if ! command -v "${SWIFT:-swift}" >/dev/null; then
  echo "setup: no Swift toolchain on the PATH; https://www.swift.org/install/ has one (6.2 or newer)" >&2
  exit 1
fi
if ! command -v dpkg-query >/dev/null; then
  echo "setup: not a Debian system; needed are the equivalents of: ${packages[*]}" >&2
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
  if ! sudo -n true 2>/dev/null; then
    echo "setup: packages are missing; run this and try again:" >&2
    echo "  sudo apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo -n)
fi
echo "setup: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
  apt-get install --yes --quiet --no-install-recommends "${missing[@]}")
# A fresh system has no package lists, or stale ones.
"${install[@]}" >/dev/null 2>&1 </dev/null || {
  "${as_root[@]}" apt-get update --quiet </dev/null
  "${install[@]}" </dev/null
}
