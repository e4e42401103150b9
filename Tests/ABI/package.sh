#!/usr/bin/env bash
# What users install: a relocatable prefix, by pkg-config and by CMake; the tarball; the wheel.
set -uo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/report.sh
source Tests/ABI/readme_blocks.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
version=$(pkg-config --modversion wallet_core)
machine=$(uname -m)

# --- a prefix, moved after it was installed -----------------------------------------------------------
# As under sudo: another PATH, without Swift.
install_built() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin SWIFT=false make --silent --no-print-directory install-built \
    DESTDIR="$scratch/root" PREFIX=/opt/before
}
holds "what was built is installed without Swift" install_built
mkdir "$scratch/elsewhere"
prefix="$scratch/elsewhere/with space"
mv "$scratch/root/opt/before" "$prefix"

cat >"$scratch/version.c" <<'C'
#include <stdio.h>
#include <wallet_core.h>
int main(void) { return puts(wallet_core_version()) < 0; }
C
with_pkg_config() {
  local flags
  flags=$(PKG_CONFIG_PATH="$prefix/lib/pkgconfig" pkg-config --cflags --libs wallet_core) || return
  # pkg-config quotes what a shell would split.
  eval "\"\${CC:-cc}\" -o \"\$scratch/by-pkg-config\" \"\$scratch/version.c\" $flags" || return
  LD_LIBRARY_PATH="$prefix/lib" "$scratch/by-pkg-config"
}
same "pkg-config finds a prefix that was moved" "$version" "$(with_pkg_config 2>&1)"

# --- CMake ---------------------------------------------------------------------------------------------
mkdir "$scratch/cmake"
cat >"$scratch/cmake/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(host C)
find_package(wallet_core 0.4 CONFIG REQUIRED)
add_executable(host ../version.c)
target_link_libraries(host PRIVATE wallet_core::wallet_core)
CMAKE
with_cmake() {
  cmake -S "$scratch/cmake" -B "$scratch/cmake-build" "-DCMAKE_PREFIX_PATH=$prefix"
}
build_with_cmake() { with_cmake && cmake --build "$scratch/cmake-build"; }
holds "a CMake project builds with it" build_with_cmake
same "what CMake built runs without a search path" "$version" "$("$scratch/cmake-build/host" 2>&1)"

# Which versions a project may request, in one run of CMake.
IFS=. read -r major minor _ <<<"$version"
former=$major.$((minor - 1)) this=$major.$minor next=$major.$((minor + 1)) above=$((major + 1))
mkdir "$scratch/versions"
cat >"$scratch/versions/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.19)
project(versions LANGUAGES NONE)
set_property(GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS TRUE)
foreach(wanted IN LISTS WANTED)
  string(REPLACE " " ";" arguments "${wanted}")
  unset(wallet_core_DIR CACHE)
  find_package(wallet_core ${arguments} CONFIG QUIET)
  message(STATUS "${wanted}: ${wallet_core_FOUND}")
endforeach()
CMAKE
# asked NAME FOUND VERSION...: whether CMake finds the package for a project that requests these versions.
asked() {
  local name=$1 found=$2
  shift 2
  same "$name" "$(printf "%s: $found\n" "$@")" "$(
    IFS=';'
    cmake -S "$scratch/versions" -B "$scratch/versions-build" "-DCMAKE_PREFIX_PATH=$prefix" "-DWANTED=$*" 2>&1 |
      sed -n 's/^-- \(.*: [01]\)$/\1/p'
  )"
}
asked "CMake takes what has grown since the version that was asked for" 1 \
  "$this" "$version" "$version EXACT" "$former...$this" "$this...<$above"
asked "CMake refuses what has not come yet, and another series" 0 \
  "$former" "$this.999" "$next" "$above" "$this.999 EXACT" "0.0...<$this" "$next...$above"

mv "$prefix/lib/libwallet_core.so.2" "$scratch/taken"
rm -r "$scratch/cmake-build"
incomplete=$(with_cmake 2>&1)
same "CMake says what is missing of an installation" "is missing: install wallet_core again" \
  "$(grep -oE 'is missing: install wallet_core again' <<<"$(tr -s '\n ' ' ' <<<"$incomplete")")"

# --- the tarball ---------------------------------------------------------------------------------------
name=wallet_core-$version-$machine-linux
dist=$BUILD/packed # by packed.sh
export SOURCE_DATE_EPOCH=1767225600 # as there
pack() { (umask 077 && .ci/dist.sh "$PROVIDERS/wallet-provider" "$1" --fast); }
holds "the tarball is packed by another user's rules, into another directory" pack "$scratch/again"
holds "and is the same" cmp "$dist/$name.tar.gz" "$scratch/again/$name.tar.gz"
sums() { (cd "$1" && sha256sum --check --strict --quiet "$2"); }

mkdir "$scratch/telling"
printf 'const char *volatile place;\nint main(void) { place = "%s/shim.c"; return 0; }\n' "$PWD" >"$scratch/telling.c"
"${CC:-cc}" -o "$scratch/telling/wallet-provider" "$scratch/telling.c"
same "a provider that names the directory of its sources is not packed" "dist: names the directory of the sources: bin/wallet-provider" \
  "$(.ci/dist.sh "$scratch/telling/wallet-provider" "$scratch/telling" 2>&1 | sed 's/;.*//')"
same "and nothing is left of it" "wallet-provider" "$(ls "$scratch/telling")"
holds "the compiler of the shipped provider is told not to name it" \
  grep -qF -- "-Xcc -ffile-prefix-map=$(pwd -P)=." <(make --dry-run provider)

holds "the digests beside it are right" sums "$dist" SHA256SUMS
same "a release has tarball, wheel, digests and notes" "SHA256SUMS
release-notes.md
wallet_core-$version-py3-none-linux_$machine.whl
$name.tar.gz" "$(ls "$dist")"
same "the digests are of tarball and wheel" "$name.tar.gz
wallet_core-$version-py3-none-linux_$machine.whl" "$(sed 's/^[0-9a-f]*  //' "$dist/SHA256SUMS")"
same "its notes are the changelog's" "$(.ci/release-notes.sh "$version")" "$(<"$dist/release-notes.md")"

tar -xzf "$dist/$name.tar.gz" -C "$scratch"
tree=$scratch/$name
holds "the digests inside are right" sums "$tree" SHA256SUMS
same "and are of every file" "$(cd "$tree" && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort)" \
  "$(sed 's/^[0-9a-f]*  //' "$tree/SHA256SUMS" | sort)"
holds "its wheel is the one beside it" cmp "$dist/wallet_core-$version-py3-none-linux_$machine.whl" \
  "$tree/bindings/python/wallet_core-$version-py3-none-linux_$machine.whl"
holds "its library is the one that was tested" cmp "$BUILD/lib/libwallet_core.so.2" "$tree/lib/libwallet_core.so.2"
holds "its provider makes a configuration" "$tree/bin/wallet-provider" client-configuration \
  --data "$scratch/data" --out "$scratch/configuration.json"
same "its provider is stripped" "" "$(readelf --sections --wide "$tree/bin/wallet-provider" | grep -w '\.symtab')"
same "nothing for tests is in it" "" \
  "$(grep -rlaE 'wallet_core_testing|WalletProviderTestControl' "$tree"/{bin,include,lib})"
same "no text in it names the machine that packed it" "" "$(grep -rIlF -e "$PWD" -e "$scratch" "$tree")"
# --- the service in it ------------------------------------------------------------------------------------
service=$scratch/service
block "$tree/share/doc/wallet_core/operations.md" sh 1 systemd >"$scratch/service.sh"
sed -E -i "s,([ >])/(usr|etc)/,\\1'$service'/\\2/,g" "$scratch/service.sh"
install_service() { (mkdir "$service" && cd "$tree" && bash -e "$scratch/service.sh"); }
holds "the commands of its article on operations install the service" install_service
unit=$service/usr/local/lib/systemd/system/wallet-provider.service
setting() { sed -nE "s/^$1=([^ ]*:)?(\/[^ ]*).*/\2/p" "$unit"; }
same "its unit starts the program that is installed" /usr/local/bin/wallet-provider "$(setting ExecStart)"
same "with the settings that are installed" /etc/wallet-provider/wallet-provider.yaml "$(setting LoadCredential)"
same "which say where the data is and nothing else" "data: /var/lib/wallet-provider" \
  "$(grep -v -e '^#' -e '^$' "$service$(setting LoadCredential)")"
holds "both are there" test -x "$service$(setting ExecStart)" -a -s "$service$(setting LoadCredential)"
same "an evaluator's unit is beside it" "wallet-evaluator.service wallet-provider.service" \
  "$(ls "${unit%/*}" | paste -sd' ')"
for unit in "${unit%/*}"/*.service; do
  holds "so is what ${unit##*/} names as documentation" \
    test -s "$service$(sed -n 's/^Documentation=file://p' "$unit")"
  holds "and its user" grep -q "^u *$(sed -n 's/^User=//p' "$unit") " \
    "$service/usr/local/lib/sysusers.d/wallet-provider.conf"
done
same "nothing is left to fill in" "" "$(grep -rnE '@[A-Z]+@' "$service/usr/local/lib")"
same "make install-provider installs the same unit" "" "$(
  make --silent --no-print-directory install-units "DESTDIR=$scratch/by-make" PREFIX=/usr/local &&
    diff -r "$service/usr/local/lib" "$scratch/by-make/usr/local/lib" 2>&1)"

# Of every article: links outside of code, to files.
articles() { (cd "$tree" && find . -name '*.md' ! -path '*/licences/*' -printf '%P\n' | sort); }
lost_links() {
  local article path
  while read -r article; do
    awk '/^ *```/ { code = !code } !code' "$tree/$article" | grep -oE '\]\([^)#]+' | sed 's/](//' |
      grep -vE '^[a-z]+:' | while read -r path; do
      [[ -e $tree/$(dirname "$article")/$path ]] || echo "$article: $path"
    done
  done < <(articles)
}
same "links of all that is packed lead somewhere" "" "$(lost_links)"
holds "among them those of the examples" test "$(articles | grep -c '^examples/')" -ge 5
holds "and of the bindings" test "$(articles | grep -c '^bindings/')" -eq 4
same "no file refers to the bindings where the sources have them" "" "$(grep -rIl Sources/Bindings/ "$tree")"
holds "the Swift example finds the binding" "${SWIFT:-swift}" package --package-path "$tree/examples/swift/hosts" \
  --scratch-path "$scratch/swift" show-dependencies
# The library's articles may describe how things are built, but a README's reader wants to run something. Other
# articles may say that a file of the tarball is built by `make provider`.
targets=$(sed -nE 's/^([a-z-]+):.*##.*/\1/p' Makefile | grep -vx provider | paste -sd '|')
same "no README of it mentions the Makefile or has a part for the sources only" "" \
  "$(cd "$tree" && grep -nE "\bmake ($targets)\b|sources only" $(articles | grep 'README.md$'))"

# --- the C example without its scripts, from its README -----------------------------------------------------
cp -R "$tree/examples/C" "$scratch/C example"
without_scripts() {
  block "$tree/examples/C/README.md" sh 1 'Without the scripts' | sed '/^\.\/startup/d' >"$scratch/without-scripts.sh"
  (cd "$scratch/C example" &&
    PKG_CONFIG_PATH=$tree/lib/pkgconfig PATH=$tree/bin:$PATH bash -e "$scratch/without-scripts.sh")
}
holds "the C example is compiled without its scripts, as its README says" without_scripts
same "and finds the library" "usage: startup CONFIGURATION_FILE STATE_DIRECTORY" \
  "$(cd "$scratch/C example" && ./startup 2>&1)"
# As the README runs it, but without its provider.
(cd "$scratch/C example" && ./startup configuration.json state) >"$scratch/startup.out" 2>&1
holds "and keeps its state in a directory that is given relative to the current one" \
  test -s "$scratch/C example/state/storage/wallet.db"

licences=$tree/share/doc/wallet-provider/licences
for project in swift icu libyaml hummingbird swift-nio swift-nio-ssl swift-crypto GRDB.swift Yams \
  swift-argument-parser swift-log swift-collections swift-service-lifecycle; do
  holds "the licence of $project is in it" test -n "$(find "$licences/$project" -type f -size +500c)"
done
for project in swift-asn1 swift-certificates swift-crypto; do
  holds "the licence of $project is beside the library" test -n \
    "$(find "$tree/share/doc/wallet_core/licences/$project" -type f -size +500c)"
done
holds "the licence of Swift is beside the library" test -s "$tree/share/doc/wallet_core/licences/swift/LICENSE.txt"
holds "our own notice is at the top" cmp LICENSE "$tree/LICENSE"
for product in wallet_core wallet-provider; do
  own=$tree/share/doc/$product/licences/wallet_core
  holds "our own licence is beside $product, as Debian has it" cmp /usr/share/common-licenses/Apache-2.0 "$own/Apache-2.0"
  holds "with the notice" cmp LICENSE "$own/LICENSE"
done
same "the notice names where the texts are" "" "$(grep -oE 'share/doc/[a-zA-Z0-9_./-]*[a-zA-Z0-9]' LICENSE |
  while read -r path; do [[ -e $tree/$path ]] || echo "$path"; done)"
unlicensed() { ! .ci/licences.sh provider <(echo /objects/NobodysModule.build/a.o) "$scratch/licences"; }
holds "what has no licence text is not packed" unlicensed

# --- the wheel -----------------------------------------------------------------------------------------
wheel=$tree/bindings/python/wallet_core-$version-py3-none-linux_$machine.whl
python=/usr/bin/python3 # which python3-venv is for, whatever else is called python3
[[ -x $python ]] || python=python3
host() { (cd "$scratch" && env -i PATH=/usr/bin:/bin HOME="$scratch" "$scratch/venv/bin/$1" "${@:2}"); }
"$python" -m venv "$scratch/venv"
holds "pip installs the wheel" host pip install --quiet --no-index "$wheel"
holds "pip finds nothing missing" host pip check
same "the package says its version and finds the library that it carries" "$version
$(cd "$scratch/venv" && find "$PWD" -name 'libwallet_core.so.2')" "$(host python -c '
import wallet_core, pathlib
print(wallet_core.Core().version)
maps = pathlib.Path("/proc/self/maps").read_text().split()
print(*sorted({path for path in maps if "libwallet_core" in path}), sep="\n")' 2>&1)"
same "its metadata says version, Python and extra" "$version >=3.10 ['keys'] py3-none-linux_$machine" "$(host python -c '
from importlib.metadata import distribution
about = distribution("wallet_core")
tag = next(line for line in about.read_text("WHEEL").splitlines() if line.startswith("Tag: "))
print(about.version, about.metadata["Requires-Python"], about.metadata.get_all("Provides-Extra"), tag[5:])' 2>&1)"
same "and the licences, whose texts are those beside the library" "Apache-2.0
$(cd "$tree/share/doc/wallet_core/licences" && find . -type f -printf '%P\n' | sort | xargs sha256sum)" "$(host python -c '
import hashlib
from importlib.metadata import distribution
about = distribution("wallet_core")
print(about.metadata["License-Expression"])
for name in about.metadata.get_all("License-File"):
    print(hashlib.sha256((about._path / "licenses" / name).read_bytes()).hexdigest(), "", name)' 2>&1)"
same "RECORD is right about every file of it" "" "$("$python" - "$wheel" <<'PYTHON' 2>&1
import base64, csv, hashlib, io, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
names = set(wheel.namelist())
record = next(name for name in names if name.endswith("/RECORD"))
for name, digest, size in csv.reader(io.StringIO(wheel.read(record).decode())):
    names.remove(name)
    data = wheel.read(name)
    true = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
    if name != record and (digest, size) != (f"sha256={true}", str(len(data))):
        print("wrong:", name)
print(*(f"not listed: {name}" for name in names), sep="\n", end="")
PYTHON
)"
holds "pip removes the wheel" host pip uninstall --quiet --yes wallet_core
same "and leaves nothing of it" "" "$(find "$scratch/venv" -name '*wallet_core*')"
