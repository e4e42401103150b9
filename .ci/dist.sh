#!/usr/bin/env bash
# Packs what was built for users without Swift: library, provider, bindings, examples, articles, licences.
#
#   .ci/dist.sh WALLET_PROVIDER DIRECTORY [--fast]
#
# Makes in DIRECTORY all files of a release page: wallet_core-VERSION-MACHINE-linux.tar.gz with the library of
# build/lib, the wheel, which is in the tarball too, their SHA256SUMS, and release-notes.md, the changelog's
# section for the version; prints their paths. Packing is reproducible: names are sorted, the owner is root, and
# times are SOURCE_DATE_EPOCH, or that of the last commit. Fails if a program or library names the source
# directory. With --fast the tarball is compressed less, for tests.
set -euo pipefail
cd "$(dirname "$0")/.."
provider=$1 speed=${3:-}
mkdir -p "$2"
directory=$(cd "$2" && pwd)

number() { sed -n "s/^#define WALLET_CORE_$1 //p" Include/wallet_core.h; }
version=$(number VERSION_MAJOR).$(number VERSION_MINOR).$(number VERSION_PATCH)
name=wallet_core-$version-$(uname -m)-linux
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export LC_ALL=C

scratch=$(mktemp -d "$directory/packing.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
tree=$scratch/$name

# --- the library, as `make install` installs it, and the provider with its systemd unit --------------------
"${MAKE:-make}" --silent --no-print-directory install-built install-units PREFIX= UNIT_PREFIX=/usr/local DESTDIR="$tree"
mkdir "$tree/bin" "$tree/bindings" "$tree/examples"
[[ -s $tree/share/doc/wallet_core/licences/wallet_core/Apache-2.0 ]] || {
  echo "dist: the text of the Apache licence is missing; Debian's base-files has it" >&2
  exit 1
}
strip -o "$tree/bin/wallet-provider" "$provider"
if telling=$(grep -rlaF -e "$(pwd -P)/" "$tree"/{lib,bin}); then
  echo "dist: names the directory of the sources: ${telling//"$tree/"/}; built without -ffile-prefix-map?" >&2
  exit 1
fi
# The list of linked objects is beside the program, or where `make provider` built it.
objects=$(dirname "$provider")/wallet-provider.product/Objects.LinkFileList
[[ -e $objects ]] || objects=.build/shipped/release/wallet-provider.product/Objects.LinkFileList
.ci/licences.sh provider "$objects" "$tree/share/doc/wallet-provider/licences"

# --- the bindings, and the examples that run with the shipped library ------------------------------------
(cd Sources/Bindings && git ls-files -z README.md kotlin swift python/README.md |
  xargs -0 cp --parents -t "$tree/bindings")
(cd Examples && git ls-files -z C Verifier kotlin provider swift samples python/first.py python/first_wallet.py python/http_address.py python/http_stack.py python/README.md |
  xargs -0 cp --parents -t "$tree/examples")
# Scripts and manifests find the bindings where they are packed; articles are adapted below.
grep -rlZ --exclude='*.md' Sources/Bindings/ "$tree"/{bindings,examples} | xargs -0 sed -i 's,Sources/Bindings/,bindings/,g'
Sources/Bindings/python/build_wheel.py "build/lib/libwallet_core.so.$(number ABI_VERSION)" "$version" \
  "$tree/bindings/python" "$tree/share/doc/wallet_core/licences" >/dev/null

# --- the articles, with links that work in the tarball --------------------------------------------------
cp -R Sources/wallet_core/wallet_core.docc/. "$tree/share/doc/wallet_core"
cp README.md CHANGELOG.md SECURITY.md LICENSE "$tree"
# The versions of the Swift packages that the library and the provider contain.
[[ ! -e Package.resolved ]] || cp Package.resolved "$tree/share/doc/wallet_core"
.ci/pack_articles.py "$tree"

(cd "$tree" && find . -type f -printf '%P\0' | sort -z | xargs -0 sha256sum >"$scratch/SHA256SUMS")
mv "$scratch/SHA256SUMS" "$tree"

compress=(gzip --no-name)
[[ $speed != --fast ]] || compress+=(--fast)
tar --create --directory "$scratch" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner \
  --mode=u+rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" "$name" | "${compress[@]}" >"$scratch/$name.tar.gz"
.ci/release-notes.sh "$version" >"$scratch/release-notes.md"
wheel=$(basename "$tree"/bindings/python/*.whl)
# Files of an earlier version are not part of this release.
rm -f "$directory"/{wallet_core-*.{tar.gz,whl},SHA256SUMS,release-notes.md}
mv "$scratch/$name.tar.gz" "$scratch/release-notes.md" "$tree/bindings/python/$wheel" "$directory"
cd "$directory"
sha256sum "$name.tar.gz" "$wheel" >SHA256SUMS
printf '%s\n' "$directory"/{"$name.tar.gz","$wheel",SHA256SUMS,release-notes.md}
