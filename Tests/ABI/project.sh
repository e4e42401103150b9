#!/usr/bin/env bash
# The project's own files: links of all Markdown files, words, licence, changelog. Builds and runs nothing.
set -uo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/report.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# --- links ----------------------------------------------------------------------------------------------
# A template of an article has that article's links.
mapfile -t articles < <(.ci/files.sh . | grep '\.md$' | grep -v '\.in\.md$')
holds "there are Markdown files of all kinds" test "$(printf '%s\n' "${articles[@]}" |
  grep -cxE '(README|CHANGELOG|CONTRIBUTING|SECURITY|Examples/C/README|Tests/Scenarios/README|Sources/.*/threat-model)\.md')" -eq 7
same "every relative link of them leads to a file, and to a heading that is there" "" \
  "$(Tests/ABI/links.py "${articles[@]}")"
same "no link is one that only DocC follows" "" "$(grep -nE '<doc:|\]\(doc:' "${articles[@]}")"

cat >"$scratch/first.md" <<'MARKDOWN'
# First: a `title`

[here](#first-a-title), [there](second.md#a-heading-1), [code](second.md) `[no link](nowhere.md)`

```sh
[no link](nowhere.md)
```

[gone](gone.md), [no heading](second.md#a-heading-2), [`none here`](#none), ![picture](gone.png)
MARKDOWN
printf '# Second\n\n## A heading\n\n## A heading\n' >"$scratch/second.md"
same "a link that leads nowhere is found" "$(printf "$scratch/first.md: %s\n" gone.md second.md#a-heading-2 '#none' gone.png)" \
  "$(Tests/ABI/links.py "$scratch/first.md")"

# --- words ----------------------------------------------------------------------------------------------
# Names that say nothing to a newcomer. The changelog may name what was renamed.
images='HouseTests|HostCrew|comeBack|Bridge(House|Lane)|[Cc]ondemn|[Ww]orkplace|(Lock|Storage|Prompt)Keeper'
images+='|(Proofing|Vetting)Desk|PinUpkeep|OutsideWorld|Judging|(Key|Wallet|Account)Office|(Account|Key)Place\b'
images+='|ConnectionWords|[Ff]arewell|ProcessEnd|[Ss]torm|[Dd]rill|[Ff]urnish|ProtocolByHand|\.ours\(|JobLane|\b[Ll]anes?\b'
# Types of these names would hide those of Swift or Foundation, or say as little.
types='(struct|enum|class|protocol|actor|typealias) (Place|Left|Task|Question|Event|Process|Clock|Door|Worker)\b'
# replaced_words FILE...: the lines that have such a word.
replaced_words() { grep -nHIE "$images|^ *([a-z@]+ )*$types" "$@"; }
mapfile -t named < <(.ci/files.sh . | grep -vE '^(CHANGELOG\.md|Tests/ABI/project\.sh|Sources/Bindings/.*)$')
holds "there are files to look at" test "${#named[@]}" -gt 500
same "no name is one that was replaced by the word of the field" "" "$(replaced_words "${named[@]}")"
printf '%s\n' 'final class RequestStormTests {' '  enum Question: Sendable {' 'enum Questions {' >"$scratch/old.swift"
same "one that is back is found" $'1\n2' "$(replaced_words "$scratch/old.swift" | cut -d : -f 2)"

# --- licence --------------------------------------------------------------------------------------------
licence='SPDX-License-Identifier: Apache-2.0'
holds "the notice names the licence" grep -qxF "$licence" LICENSE
# Files that others copy or include name their licence, if the language has comments.
unlicensed() {
  .ci/files.sh Include Sources/Bindings Examples .ci/package Package.swift | grep -vE '\.(md|txt|exports|pc\.in|typed)$|/\.gitignore$' |
    while read -r file; do
      head -n 4 "$file" | grep -qF "$licence" || echo "$file"
    done
}
same "every header and every file of the bindings and examples names its licence" "" "$(unlicensed)"
holds "so does the file for pkg-config" grep -qx 'License: Apache-2.0' .ci/package/wallet_core.pc.in

# --- changelog ------------------------------------------------------------------------------------------
number() { sed -n "s/^#define WALLET_CORE_VERSION_$1 //p" Include/wallet_core.h; }
version=$(number MAJOR).$(number MINOR).$(number PATCH)
headings=$(sed -n 's/^## //p' CHANGELOG.md)
versions=$(tail -n +2 <<<"$headings")
same "the changelog begins with what is unreleased" Unreleased "$(head -n 1 <<<"$headings")"
same "then come versions with their dates" "" "$(grep -vE '^[0-9]+\.[0-9]+\.[0-9]+ \(20[0-9]{2}-[01][0-9]-[0-3][0-9]\)$' <<<"$versions")"
same "the newest first" "$(sort --version-sort --reverse <<<"$versions")" "$versions"
same "down to the first" 0.1.0 "$(tail -n 1 <<<"$versions" | cut -d ' ' -f 1)"
same "it says for whom each change is" "" \
  "$(sed -n 's/^### //p' CHANGELOG.md | grep -vxE 'Hosts|Operators|Packagers|Contributors')"
same "a release page can show it: it has no links" "" "$(grep -nE '\]\(|<doc:' CHANGELOG.md)"
functions=$(grep -oE '\bwallet_core_[a-z_]+\b' CHANGELOG.md | sort -u)
same "the functions that it names are in the header" "" \
  "$(for function in $functions; do grep -qw "$function" Include/wallet_core.h || echo "$function"; done)"

# --- release notes --------------------------------------------------------------------------------------
notes() { CHANGELOG=$scratch/changelog.md HEADER=$scratch/header.h .ci/release-notes.sh "$@" 2>&1; }
printf '#define WALLET_CORE_VERSION_%s\n' 'MAJOR 1' 'MINOR 2' 'PATCH 0' >"$scratch/header.h"
printf '%s\n' '# Changelog' '' '## Unreleased' '' '- New.' '' '## 1.1.0 (2026-01-02)' '' 'Text.' '' '- Old.' '' \
  '## 1.0.0 (2026-01-01)' '' '- Oldest.' >"$scratch/changelog.md"
same "the notes of a version are its part of the changelog" $'Text.\n\n- Old.' "$(notes 1.1.0)"
same "those of the last one too" '- Oldest.' "$(notes 1.0.0)"
same "a version that is being made has what is unreleased, and says so" \
  $'This is no release. It has what is not released yet:\n\n- New.' "$(notes 1.2.0)"
sed -i 's/MINOR 2/MINOR 1/' "$scratch/header.h"
same "so has one that was released before" \
  $'This is no release. It has what is not released yet:\n\n- New.\n\nBeside what 1.1.0 has:\n\nText.\n\n- Old.' \
  "$(notes 1.1.0)"
sed -i 's/MINOR 1/MINOR 2/' "$scratch/header.h"
same "an unknown version is an error" "release-notes: $scratch/changelog.md says nothing of 1.3.0: 1" \
  "$(notes 1.3.0): $(notes 1.3.0 >"$scratch/out"; echo $?)"
same "so is an invalid version" 2 "$(notes Unreleased >"$scratch/out"; echo $?)"
sed -i '/^- New/d' "$scratch/changelog.md"
same "so is a version without notes" "release-notes: $scratch/changelog.md says nothing of 1.2.0" "$(notes 1.2.0)"
holds "the version at hand has notes" .ci/release-notes.sh "$version"
same "SECURITY.md names the series of the header" "${version%.*}" "$(grep -oE '[0-9]+\.[0-9]+ today' SECURITY.md | sed 's/ today//')"
