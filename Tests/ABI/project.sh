#!/usr/bin/env bash
# The project's own files: links of all Markdown files, words, licence, changelog, waits of tests. Builds no product.
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

# --- commits --------------------------------------------------------------------------------------------
if subjects=$(git log --no-merges -50 --format=%s 2>/dev/null); then
  same "no subject of the last commits has more than 60 characters" "" "$(awk 'length > 60' <<<"$subjects")"
fi

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

# --- mutants --------------------------------------------------------------------------------------------
holds "each mutant has its place in the sources" Tests/Mutants/run.py --list

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

# --- packages -------------------------------------------------------------------------------------------
# What .ci/setup.sh installs for a target is what the target uses; `make fresh` tests that nothing is missing.
package_description=$("${SWIFT:-swift}" package --scratch-path "$scratch/package" dump-package 2>"$scratch/dump.errors")
linked() { Tests/ABI/linked_packages.py "$1" <<<"$package_description"; }
declared() { .ci/setup.sh --list "$1" | grep -e '-dev$'; }
same "make library installs the libraries that it links" "$(linked wallet_core)" "$(declared library)"
same "make provider those that it links" "$(linked wallet-provider)" "$(declared provider)"
same "the provider for tests links the same" "$(linked wallet-provider)" "$(linked wallet-provider-testing)"
holds "provider-load is built with the packages of the library" grep -qx 'release-load: setup-library' Makefile
same "which are all that it links" "" "$(comm -13 <(linked wallet_core | sort) <(linked provider-load | sort))"

holds "make demo installs the packages of the phone and of the verifier" grep -q '^demo: setup-phone+verifier ' Makefile

# The other packages: the task, where its programs are, the package, and a pattern for its use there.
cat >"$scratch/uses" <<'USES'
phone      Examples/C                       g++                     c\+\+|CXX
phone      Examples/C                       gcc                     CC:-cc
phone      Examples/C                       libcurl4-openssl-dev    libcurl
phone      Examples/C                       libjansson-dev          jansson
phone      Examples/C                       libpng-dev              libpng|png\.h
phone      Examples/C                       libsodium-dev           libsodium
phone      Examples/C                       libssl-dev              libcrypto
phone      Examples/C                       libzxing-dev            zxing
phone      Examples/C                       pkg-config              pkg-config
phone      Examples/samples                 python3-pil             import.* PIL|from PIL
phone      Examples/samples                 qrencode                qrencode
phone      Examples/samples                 zint                    zint
phone      Examples/C                       zlib1g-dev              zlib
phone-web  Examples/python                  python3-cryptography    cryptography
phone-web  Examples/python                  python3-openssl         OpenSSL
verifier   Examples/Verifier                python3-venv            -m venv
verifier   Examples/Verifier                qrencode                qrencode
check      Tests/HTTPBridge                 python3-cryptography    cryptography
licences   .ci/licences.sh                  libicu-dev              icu
licences   .ci/licences.sh                  libyaml-0-2             yaml
dist       .ci/pack_articles.py             python3                 env python3
docs       .ci/docs_catalogue.py            python3                 python3
lint       .ci/lint.sh                      clang-format            clang-format
fresh      .ci/fresh                        debootstrap             debootstrap
fresh      .ci/fresh.sh                     git                     git clone
fresh      .ci/fresh                        util-linux              unshare
full       Tests/Install/container.sh       buildah                 buildah
full       .ci/fresh/root.sh                debootstrap             debootstrap
failover   Tests/Failover                   curl                    \bcurl\b
failover   Tests/Failover                   etcd-server             /usr/bin/etcd
failover   Tests/Failover                   iproute2                \bip (link|addr|neigh)
failover   Tests/Cluster/cluster.sh         openssl                 \bopenssl\b
failover   Tests/Failover                   patroni                 /usr/bin/patroni
failover   Tests/Failover                   postgresql              postgresql
failover   Tests/Failover                   util-linux              \b(unshare|setpriv|nsenter)\b
bench      Tests/Benchmarks                 libssl-dev              libcrypto
bench      Tests/Cluster                    postgresql              postgresql
bench      Tests/Interop/python.sh          python3-venv            -m venv
bench      Tests/Cluster/cluster.sh         util-linux              setpriv
bench      Tests/Benchmarks                 valgrind                valgrind
flames     Tests/Benchmarks                 linux-perf              perf record
flames     Tests/Benchmarks                 python3                 python3
test       Tests/ABI                        abigail-tools           abidw|abidiff
test       Tests/Support/chromium.py        chromium                chromium
test       Tests/Support/chromium.py        chromium-driver         chromedriver
test       Tests/ABI/package.sh             cmake                   cmake
test       Tests                            curl                    \bcurl\b
test       Examples/python/phone_web        fonts-dejavu-core       DejaVu Sans Mono
test       Examples/python/phone_web        fonts-inter             Inter\b
test       .ci/licences.sh                  libicu-dev              icu
test       .ci/licences.sh                  libyaml-0-2             yaml
test       Tests                            nginx-light             nginx
test       Sources/Bindings/kotlin          openjdk-17-jdk-headless javac
test       Tests                            openssl                 \bopenssl\b
test       Tests                            postgresql              postgresql
test       Tests                            iproute2                \bip (link|addr|route|-)
test       Examples/kotlin                  libokhttp-java          okhttp\.jar
test       Tests                            procps                  \b(pgrep|pkill|ps)\b
test       Tests                            python3-cryptography    cryptography
test       Tests                            python3-jsonschema      jsonschema
test       Examples/python                  python3-openssl         OpenSSL
test       Tests                            python3-venv            -m venv
test       Tests                            strace                  strace
test       Tests                            systemd                 systemd-analyze
test       Tests                            util-linux              \b(unshare|setpriv|flock|script)\b
test       Tests                            valgrind                valgrind
test       Tests                            zxing-cpp-tools         ZXingReader
USES
toolchain=$(comm -12 <(.ci/setup.sh --list library) <(.ci/setup.sh --list docs))
# The packages of a task that are not those of the compilers, of what it links, or of another task that it contains.
own_packages() {
  case $1 in
    phone-web) .ci/setup.sh --list phone ;;
    check) .ci/setup.sh --list library ;;
    test) .ci/setup.sh --list library provider phone ;;
    bench | failover | flames) .ci/setup.sh --list provider ;;
    lint | docs) echo "$toolchain" ;;
  esac | sort -u | comm -13 - <(.ci/setup.sh --list "$1")
}
for task in phone phone-web verifier check licences dist docs lint fresh full failover bench flames test; do
  same "every package for $task has a known use" "$(own_packages "$task")" \
    "$(awk -v task="$task" '$1 == task { print $3 }' "$scratch/uses" | sort)"
done
same "and is used" "" "$(while read -r task place package pattern; do
  .ci/files.sh "$place" | grep -vx Tests/ABI/project.sh | xargs -d '\n' grep -qE -e "$pattern" || echo "$task: $package"
done <"$scratch/uses")"

# --- waits of tests -------------------------------------------------------------------------------------
# Tests wait for events with the deadline of Tests/Support/test_patience.h. A wait with a number of its own, a time that
# is measured and compared, or a long pause is a mistake, except in the files below.
cat >"$scratch/waits" <<'PATTERNS'
timeout: *\.now\(\) *\+ *[.(]?[a-z]*\(?[0-9]
timeIntervalSinceNow: *[0-9]
XCTAssert(Less|Greater)Than(OrEqual)?\(.*([cC]lock\.now -|monotonicMilliseconds|timeIntervalSince\()
\bwithTimeout(OrNull)?\([0-9]
next_?[eE]vent\((.*, *)?[1-9][0-9_]{2,}
\btimeout (-[a-z-]+[= ]?[0-9A-Z]* )*[0-9]
--max-time[ =][0-9]
\(\(SECONDS *[<>]=? *[0-9]
\b(tries|attempts?) *<=? *[0-9]{3,}
for \w+ in range\([0-9]{2,}\):.*(sleep|wait)
\b(timeout|deadline|patience|PATIENCE|TIMEOUT)(: *(float|int))? *= *[0-9]
\balarm\([0-9]
\.(wait|join|get|settimeout)\((timeout=)?[0-9.]+\)
\busleep\(([1-9][0-9]{2}_[0-9]{3}|[1-9][0-9]{5,})\)
\b(sleep|Thread\.sleep)\((forTimeInterval: )?([1-9]|0\.[2-9])
process_sleep\([1-9][0-9]{2,}\)
(^|[;&|({ ])sleep ([1-9]|0\.[2-9])
PATTERNS
waits() { grep -HnEf "$scratch/waits" "$@" | sed 's/^\([^:]*\):\([0-9]*\): */\1 \2 /'; }
# Each with the reason.
cat >"$scratch/with-waits" <<'FILES'
Tests/ABI/dlopen.c                              a pause in which threads would change signals
Tests/ABI/memory_host.c                         a time-out of the wallet
Tests/ABI/project.sh                            these patterns and examples
Tests/ABI/rebind.c                              a pause after which threads are counted
Tests/Failover/machines.sh                      how long a machine that may be cut off is asked
Tests/HTTPBridge/rules_network.py               an answer that comes byte by byte, and times of the requests
Tests/HTTPBridge/rules.py                       a time of a request
Tests/Fuzz/run.sh                               the longest time of one input
Tests/Runner/runner.py                          parts that would never end
Tests/Support/hold_port.py                      polls
Tests/SystemTests/HostileConfigurationTests.swift   a pause in which no request comes
Tests/SystemTests/Support/ManInTheMiddle.swift  an answer that comes byte by byte
Tests/SystemTests/Support/ProofingStress.swift  polls, counted
Tests/SystemTests/TakeOverTests.swift           pauses in which no callback comes
Tests/WalletCoreTests/EventSinkTests.swift      a time-out of the library, and a pause in which no callback comes
Tests/WalletProviderTests/NginxTests.swift      how long requests run before the server ends
Tests/WalletProviderTests/ShutdownTests.swift   the deadline itself
FILES
mapfile -t testing < <(.ci/files.sh Tests | grep -E '\.(swift|c|h|sh|py|kt)$')
holds "there are tests in all languages" test "$(printf '%s\n' "${testing[@]##*.}" | sort -u | wc -l)" -eq 6
same "no test has a deadline of its own, or judges by a measured time" "" \
  "$(waits "${testing[@]}" | grep -vFwf <(cut -d ' ' -f 1 "$scratch/with-waits"))"
same "each file that may have one has one" "" "$(while read -r file reason; do
  [[ -n $reason && -n $(waits "$file") ]] || echo "$file"
done <"$scratch/with-waits")"
cat >"$scratch/examples" <<'EXAMPLES'
gate.wait(timeout: .now() + 5)
gate.wait(timeout: .now() + .seconds(5))
Date(timeIntervalSinceNow: 10)
XCTAssertLessThan(Date().timeIntervalSince(before), limit)
XCTAssertLessThan(ContinuousClock.now - start, .seconds(5))
withTimeoutOrNull(5_000) {
wallet_core_client_next_event(client, 10_000, &event, NULL)
client.next_event(10_000)
timeout 30 program
timeout --kill-after=5 30 program
curl --max-time 5 url
until ready; do ((SECONDS < 10)) || exit; done
for ((tries = 0; tries < 600; tries++)); do ready && break; done
for _ in range(100): time.wait_for(ready)
sqlite3.connect(path, timeout=30)
timeout: float = 120
    alarm(20);
process.wait(10)
usleep(200_000)
time.sleep(1)
Thread.sleep(forTimeInterval: 0.5)
process_sleep(300);
sleep 2
EXAMPLES
same "what is searched for would be found" "$(wc -l <"$scratch/examples")" "$(waits "$scratch/examples" | wc -l)"
cat >"$scratch/right" <<'RIGHT'
gate.wait(timeout: .now() + Patience.seconds)
wallet_core_client_next_event(client, TEST_PATIENCE_MS, &event, NULL)
wallet_core_client_next_event(client, 0, &event, NULL)
timeout "$PATIENCE" program
process.wait(PATIENCE)
until ready; do sleep 0.1; done
RIGHT
same "and what waits for an event is not" "" "$(waits "$scratch/right")"
