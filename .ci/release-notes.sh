#!/usr/bin/env bash
# Prints the release notes of a version: its section of the changelog.
#
#   .ci/release-notes.sh VERSION
#
# For the version of the header they include the section Unreleased, below a line that says so, because a package
# between two releases is neither of them. A version without a section is an error. CHANGELOG and HEADER name
# files other than those of the sources.
set -euo pipefail
cd "$(dirname "$0")/.."
changelog=${CHANGELOG:-CHANGELOG.md} header=${HEADER:-Include/wallet_core.h}
if (($# != 1)) || [[ ! $1 =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
  echo "usage: .ci/release-notes.sh VERSION, as in 0.4.0" >&2
  exit 2
fi
version=$1

# part NAME: the text under the heading "NAME" or "NAME (date)", without empty lines around it.
part() {
  awk -v name="$1" '
    /^## / { inside = ($2 == name); next }
    inside && (/./ || seen) { if (/./) { printf "%s%s\n", empty, $0; empty = ""; seen = 1 } else empty = empty "\n" }' "$changelog"
}
number() { sed -n "s/^#define WALLET_CORE_VERSION_$1 //p" "$header"; }

notes=$(part "$version") unreleased=
[[ $version != "$(number MAJOR).$(number MINOR).$(number PATCH)" ]] || unreleased=$(part Unreleased)
if [[ -n $unreleased ]]; then
  printf 'This is no release. It has what is not released yet:\n\n%s\n' "$unreleased"
  [[ -z $notes ]] || printf '\nBeside what %s has:\n\n' "$version"
elif [[ -z $notes ]]; then
  echo "release-notes: $changelog says nothing of $version" >&2
  exit 1
fi
[[ -z $notes ]] || echo "$notes"
