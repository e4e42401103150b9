#!/usr/bin/env bash
# The articles on threats and architecture match the repository: each test and each file that they name exists.
# Needs the Swift tests, which it only lists. Tests/ArchitectureTests checks the table of imports.
set -uo pipefail
cd "$(dirname "$0")/../.."
source Tests/ABI/report.sh

articles=Sources/wallet_core/wallet_core.docc
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Every test as `swift test --filter` takes it: TARGET.CLASS/METHOD.
.build/debug/wallet_corePackageTests.xctest --list-tests | grep / | sort -u >"$scratch/methods"

# The text in back-ticks in an article, outside its code blocks.
quoted() {
  awk '/^```/ { inside = !inside; next } !inside' "$1" | grep -oE '`[^`]+`' | tr -d '`' | sort -u
}

# names ARTICLE: those that are a test method or a file of the repository.
names() {
  quoted "$1" | grep -E '^([A-Za-z]+Tests\.[A-Za-z0-9_]+/[A-Za-z0-9_]+|(\.ci|Examples|Include|Sources|Tests)/[^ ]+)$'
}

# absent ARTICLE: the names in it that do not exist in the repository.
absent() {
  local name
  names "$1" | while read -r name; do
    case $name in
      *Tests.*/test*) grep -qxF -- "$name" "$scratch/methods" || echo "$name" ;;
      *) [[ -e $name ]] || echo "$name" ;;
    esac
  done
}

# unshown ARTICLE: the rows of its tables "cannot ... shown by" that name no test.
unshown() {
  awk -F '|' '
    /^\| cannot \|.*\| shown by \|$/ { inside = 1; getline; next }
    !/^\|/ { inside = 0 }
    inside && $(NF - 1) !~ /`[^`]+`/ { print }' "$1"
}

# count NUMBER LEAST: whether the search below found enough names.
count() { (($1 >= $2)) || { echo "$1, at least $2 were expected" && return 1; }; }

# --- the threat model -----------------------------------------------------------------------------------
model=$articles/threat-model.md
same "each test that the threat model names exists" "" "$(absent "$model")"
same "each thing out of an attacker's reach names a test" "" "$(unshown "$model")"
holds "the threat model names tests" count "$(names "$model" | wc -l)" 100
for attacker in "The thief of the phone" "Malware in the host" "The network" "Whoever terminates TLS" \
  "Whoever has the provider's database" "The provider's operator, with the sealing key" "Another app's link" \
  "A forged QR code, a forged licence"; do
  holds "the threat model has: $attacker" grep -qxF "## $attacker" "$model"
done

# The checks themselves are tested with a wrong name and a wrong row in the article.
sed 's/testAReplayedSuccessDoesNotUnlock/testAReplayedSuccessUnlocks/; s,Tests/ABI/memory_search\.c,Tests/ABI/no_search.c,' \
  "$model" >"$scratch/renamed.md"
same "a test that was renamed and a file that is gone are found" \
  $'SystemTests.HostileAnswerTests/testAReplayedSuccessUnlocks\nTests/ABI/no_search.c' \
  "$(absent "$scratch/renamed.md" | sort)"
sed 's/^\(| impersonate the provider |.*|\) .* |$/\1 |/' "$model" >"$scratch/unshown.md"
holds "a row without a test is found" test "$(unshown "$scratch/unshown.md" | wc -l)" -eq 1

# --- the architecture -----------------------------------------------------------------------------------
architecture=$articles/architecture.md
same "each file and test that the architecture names exists" "" "$(absent "$architecture")"
holds "the architecture names files" count "$(names "$architecture" | wc -l)" 40
