#!/usr/bin/env bash
# Copies the licence texts of a product: this project's own, and those of everything that is linked into it.
#
#   .ci/licences.sh library OBJECT_LIST DIRECTORY      what is in libwallet_core: OBJECT_LIST is the linker's
#   .ci/licences.sh provider OBJECT_LIST DIRECTORY     what is in wallet-provider
#
# Shared libraries of the system are not part of a product and have their own texts there. Fails if a text is
# not found.
set -euo pipefail
cd "$(dirname "$0")/.."
product=$1 list=$2 directory=$3
mkdir -p "$directory"

# copy NAME FILE...: the texts of one project.
copy() {
  local name=$1 file
  shift
  for file in "$@"; do
    [[ -e $file ]] || continue
    install -D -m 644 "$file" "$directory/$name/$(basename "$file")"
  done
  [[ -d $directory/$name ]] || {
    echo "licences: found no licence text of $name" >&2
    exit 1
  }
}

# --- this project: its notice, and the text of that licence, which Debian's base-files has -------------
copy wallet_core LICENSE /usr/share/common-licenses/Apache-2.0

# --- Swift: its standard library, Foundation and libdispatch are linked in -----------------------------
runtime=$("${SWIFT:-swift}" -print-target-info | sed -n 's/.*"runtimeResourcePath" *: *"\(.*\)".*/\1/p')
copy swift "$runtime/../../share/swift/LICENSE.txt"

checkouts=.build/shipped/checkouts
if [[ $product == provider ]]; then
  # ICU, which is in Foundation, and libyaml, which is in Yams, have no text there: Debian has them.
  copy icu /usr/share/icu/*/LICENSE
  copy libyaml /usr/share/doc/libyaml-0-2/copyright
fi

# --- Swift packages: a target is a directory of objects in the linker's list ---------------------------
# The directory of a target's sources in a package, or that of the package whose manifest names it.
sources_of() {
  local found
  for found in "$checkouts"/*/{Sources/,}"$1"; do [[ -d $found ]] && echo "$found" && return; done
  found=$(grep -lE "name: \"$1\",?( path:.*)?$" "$checkouts"/*/Package.swift | head -1)
  [[ -n $found ]] && dirname "$found"
}

while read -r target; do
  # A target of this project, whose name may have an underscore instead of a dash.
  [[ -d Sources/$target || -d Sources/${target//_/-} ]] && continue
  sources=$(sources_of "$target") || {
    echo "licences: $target belongs to no package in $checkouts" >&2
    exit 1
  }
  package=${sources#"$checkouts"/}
  package=${package%%/*}
  copy "$package" "$checkouts/$package"/{LICENSE,NOTICE}*
  # Third-party code inside a package.
  [[ $sources == "$checkouts/$package" ]] || ! compgen -G "$sources/LICENSE*" >/dev/null ||
    copy "$package/$target" "$sources"/LICENSE*
done < <(tr ' ' '\n' <"$list" | sed -n "s,.*/\([^/]*\)\.build/.*,\1,p" | sort -u)
