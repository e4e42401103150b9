#!/usr/bin/env bash
# Prints what a release says of a version: its part of the changelog.
#
#   .ci/release-notes.sh VERSION
#
# The version of the header may have no part yet: then what is under Unreleased is printed, beneath a line that
# says so. Of any other version that is a mistake, and so is a version without a word.
# CHANGELOG and HEADER name other files than those of the sources.
set -euo pipefail
cd "$(dirname "$0")/.."
changelog=${CHANGELOG:-CHANGELOG.md} header=${HEADER:-Include/wallet_core.h}
if (($# != 1)) || [[ ! $1 =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
  echo "usage: .ci/release-notes.sh VERSION, as in 0.4.0" >&2
  exit 2
fi
version=$1

# part NAME: what stands under the heading "NAME" or "NAME (date)", without empty lines around it.
part() {
  awk -v name="$1" '
    /^## / { inside = ($2 == name); next }
    inside && (/./ || seen) { if (/./) { printf "%s%s\n", empty, $0; empty = ""; seen = 1 } else empty = empty "\n" }' "$changelog"
}
number() { sed -n "s/^#define WALLET_CORE_VERSION_$1 //p" "$header"; }

notes=$(part "$version")
if [[ -z $notes && $version == "$(number MAJOR).$(number MINOR).$(number PATCH)" ]]; then
  notes=$(part Unreleased)
  [[ -z $notes ]] || printf 'Unreleased: the changelog has no part for %s yet. This is what will be in it.\n\n' "$version"
fi
if [[ -z $notes ]]; then
  echo "release-notes: $changelog says nothing of $version" >&2
  exit 1
fi
echo "$notes"
