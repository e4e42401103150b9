#!/usr/bin/env bash
# The shipped files: their exports, dependencies and sizes, and that they contain no test control.
set -uo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/report.sh

prefix=$(pkg-config --variable=libdir wallet_core)/..
library=$prefix/lib/libwallet_core.so
testing=$BUILD/lib/libwallet_core_testing.so
abi=$(sed -n 's/^#define WALLET_CORE_ABI_VERSION //p' Include/wallet_core.h)

# Name and kind of all symbols that the dynamic linker can find in a library. Those with a lower-case kind are for
# relocations only and are never bound.
exports() {
  nm --dynamic --defined-only --format=posix "$1" | sed 's/@[^ ]*//' | awk '$2 ~ /^[A-Zuvwi]$/'
}
functions() { exports "$1" | awk '$2 == "T" { print $1 }' | sort -u; }
others() { exports "$1" | awk '$2 != "T" && $1 !~ /^WALLET_CORE_[0-9]+$/ { print }'; }

same "exported = declared" "$(Tests/ABI/declared.py Include/wallet_core.h)" "$(functions "$library")"
same "nothing else is exported" "" "$(others "$library")"
same "the testing library exports both headers" \
  "$(Tests/ABI/declared.py Include/wallet_core_testing.h)" "$(functions "$testing")"

dynamic=$(readelf --dynamic --wide "$library")
same "soname" "libwallet_core.so.$abi" "$(sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p' <<<"$dynamic")"
holds "linked with -z nodelete" grep -q 'FLAGS_1.*NODELETE' <<<"$dynamic"
holds "linked with -z now" grep -q 'FLAGS_1.*NOW' <<<"$dynamic"
if grep -q TEXTREL <<<"$dynamic"; then not_ok "no text relocations"; else ok "no text relocations"; fi
stack=$(readelf --program-headers --wide "$library" | awk '/GNU_STACK/ { print $7 }')
same "no executable stack" "RW" "$stack"

foreign=$(sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' <<<"$dynamic" |
  grep -vE '^(libsodium|libsqlite3|libz|libstdc\+\+|libgcc_s|libm|libc|ld-linux-x86-64|ld-linux-aarch64)\.so')
same "needs only libsodium, libsqlite3, libz and the C and C++ runtime" "" "$foreign"
same "everything it needs is found" "" "$(ldd "$library" | grep -E 'not found|libswift|libFoundation|libcurl')"
size=$(stat --dereference --format=%s "$library")
holds "under 24 MB ($((size / 1000)) kB)" test "$size" -lt 24000000

# --- what is installed ---------------------------------------------------------------------------
installed=$(cd "$prefix" && find . -not -type d | sort)
same "no link of the installed articles is dead" "" "$(Tests/ABI/links.py "$prefix"/share/doc/wallet_core/*.md)"
same "installed are library, link, header, schema, articles, licence, pkg-config and CMake files" "./include/wallet_core.h
./lib/cmake/wallet_core/wallet_coreConfig.cmake
./lib/cmake/wallet_core/wallet_coreConfigVersion.cmake
./lib/libwallet_core.so
./lib/libwallet_core.so.$abi
./lib/pkgconfig/wallet_core.pc
./share/doc/wallet_core/errors.md
./share/doc/wallet_core/licences/swift-asn1/LICENSE.txt
./share/doc/wallet_core/licences/swift-asn1/NOTICE.txt
./share/doc/wallet_core/licences/swift-certificates/LICENSE.txt
./share/doc/wallet_core/licences/swift-certificates/NOTICE.txt
./share/doc/wallet_core/licences/swift-crypto/LICENSE.txt
./share/doc/wallet_core/licences/swift-crypto/NOTICE.txt
./share/doc/wallet_core/licences/swift/LICENSE.txt
./share/doc/wallet_core/licences/wallet_core/Apache-2.0
./share/doc/wallet_core/licences/wallet_core/LICENSE
./share/doc/wallet_core/names.md
./share/wallet_core/wallet_core_events.schema.json" "$installed"
holds "the installed header is the header" cmp Include/wallet_core.h "$prefix/include/wallet_core.h"
same "pkg-config knows the version" \
  "$(sed -n 's/^#define WALLET_CORE_VERSION_[A-Z]* //p' Include/wallet_core.h | paste -sd.)" \
  "$(pkg-config --modversion wallet_core)"

# --- no control for tests ------------------------------------------------------------------------
# Each absence is tested together with a presence, so that a renamed marker fails here.
lacks() { ! grep -qa "$2" "$1"; }
holds "the library has no testing function" lacks "$library" wallet_core_testing
holds "the testing library has them" grep -qa wallet_core_testing "$testing"
holds "the provider has no test control" lacks "$PROVIDERS/wallet-provider" WalletProviderTestControl
holds "the testing provider has it" grep -qa WalletProviderTestControl "$PROVIDERS/wallet-provider-testing"
