#!/usr/bin/env bash
# The rendered articles: DocC reports no warning, and Chromium finds no dead link from the root page on.
#
#   Tests/ABI/docs.sh
#
# Needs BUILD, chromium and chromium-driver.
set -uo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/report.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
articles=Sources/wallet_core/wallet_core.docc
browse() { Tests/Interop/python.sh "$BUILD" Tests/ABI/docs.py "$articles" "$@"; }

holds "the articles are rendered without a warning" .ci/docs.sh "$scratch/docs"
browse "$scratch/docs" || not_ok "the rendered articles were walked through" "status $?"
mkdir "$scratch/web"
holds "and for a place on a web server" .ci/docs.sh "$scratch/web/docs" web/docs
same "whose pages take everything from there" "" \
  "$(find "$scratch/web/docs/documentation" -name index.html -print0 |
    xargs -0 grep -ohE '(src|href)="[^"]*"|baseUrl = "[^"]*"' | grep -vE '"/web/docs/' | sort -u)"

# --- faults would be found ------------------------------------------------------------------
# rendered SED_SCRIPT: the articles with an edit of one of them.
rendered() {
  rm -rf "$scratch/edited"
  cp -R "$articles" "$scratch/edited"
  sed -i "$1" "$scratch/edited/proofing.md"
  ! cmp -s "$articles/proofing.md" "$scratch/edited/proofing.md" && ARTICLES=$scratch/edited .ci/docs.sh "$scratch/wrong"
}
rendered 's/(flow-UC3.1.md)/(flow-UC3.1.md#no-such-heading)/; $a ![A picture](Resources/no-such-picture.png)' \
  >"$scratch/log" 2>&1
is_refused=$?
holds "a rendering with errors fails" test "$is_refused" != 0
holds "a link to an anchor that is not there is an error" grep -q "error: .*no-such-heading" "$scratch/log"
holds "a picture that is not there is an error" grep -q "error: .*no-such-picture" "$scratch/log"

rm -r "$scratch/docs/documentation/wallet_core/threads" "$scratch/docs/images/wallet_core/performance-open.svg"
found=$(browse "$scratch/docs" wallet_core wallet_core/performance | grep '^#')
holds "an article that is gone is found" grep -q 'documentation/wallet_core/threads' <<<"$found"
holds "a picture that is gone is found" grep -q 'performance-open\.svg' <<<"$found"
