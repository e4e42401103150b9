#!/usr/bin/env bash
# Tests the README's first commands on an empty Debian 12, in a root directory that debootstrap makes.
#
#   .ci/fresh.sh [PART...]      by default all of these, in this order
#
#   demo      from git, make and Swift alone: the README's commands from the sources, except its tests
#   test      lint and the README's test command in another empty root
#   tarball   without Swift: the README's commands for the tarball that `demo` has packed
#   targets   compiles and links every target that builds something, with only its own packages, starting from
#             what `demo` has compiled with Swift; and installs the packages of make test-full
#   NAME      that target alone
#
# `.ci/fresh.sh run` is what .ci/run runs: lint and tests in a root, printed as they go.
#
# Needs the root user, debootstrap and the package servers that the machine's own settings name. The last line
# has the counts. Nothing is left behind: roots are in a directory of their own below TMPDIR, their mounts in
# namespaces that end with them. Changes that are not committed are left out.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
here=$PWD
source Tests/ABI/report.sh
source Tests/ABI/readme_blocks.sh
source Tests/Support/patience.sh
source .ci/fresh/root.sh

reason=$(root_impossible)
if [[ -n $reason ]]; then
  echo "fresh: there can be no empty root: $reason"
  exit 3
fi
parts=("$@")
((${#parts[@]})) || parts=(demo test tarball targets)
log=$here/build/log/fresh
mkdir -p "$log"
work=$(mktemp -d "${TMPDIR:-/tmp}/wallet-core-fresh.XXXXXX")
finish() {
  end_in_root
  rm -rf --one-file-system "$work"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Downloads from this machine's package servers before anything is built, in at most three attempts.
reachable() {
  thrice in_root "$1" / bash -c 'apt-get update && apt-get install --yes --download-only ca-certificates git make' \
    >"$log/registry.log" 2>&1 || { tail -n 5 "$log/registry.log" && return 1; }
}

# A clone of what is committed, independent of this directory.
git clone --quiet --no-local --bare . "$work/repository" || exit
[[ -z $(git status --porcelain) ]] || echo "# fresh: changes that are not committed are left out"

# The directory in each root in which a newcomer's commands start; the clone is below it.
home=/home/newcomer

# The lines of the README's Nth block of commands in a section.
commands() { block README.md sh "$2" "$1"; }

# said NAME ROOT DIRECTORY SCRIPT: runs the lines there, as a newcomer would; the first that fails ends it.
said() {
  local name=$1 root=$2 inside=$3 script=$4 start=$SECONDS file=$log/${1//\//-}.log
  printf '%s\n' "$script" >"$root/commands.sh"
  if in_root "$root" "$inside" bash -ex /commands.sh >"$file" 2>&1; then
    ok "$name: every command works ($((SECONDS - start)) s)"
  else
    not_ok "$name: every command works" "$(tail -n 25 "$file")"
  fi
}

# A root with the README's prerequisites, and the repository where its commands look for it.
root_with_repository() {
  local root=$work/$1
  make_root "$root" "${@:2}" || return
  cp -R "$work/repository" "$root/repository"
  mkdir "$root$home"
  echo REPOSITORY=/repository >>"$root.environment"
  echo SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)" >>"$root.environment"
}

# The README's lines from an empty system to the clone, without the commands that are run in the clone.
to_the_clone() { commands 'From the sources' 1 | sed '/^make /d'; }
# The README's commands in the clone, without their comments, except the tests, which have a root of their own.
in_the_clone() {
  { commands 'From the sources' 1 && commands 'From the sources' 2; } | sed -n 's/ *#.*//; /^make /p' | grep -vx 'make test'
}
# A command within a sentence of the README that begins with these words.
in_a_sentence() { grep -oE "\`$1[^\`]*\`" README.md | head -n 1 | tr -d '\`'; }

# The words in the output of a program that waits for its user, once the user can do something.
waits_with() {
  case $1 in
    *phone-web*) echo 'The phone is at http' ;;
    *verifier*) echo 'openid4vp://' ;;
    *phone*) echo 'UC1.1  *1.1 ' ;;
    *) return 1 ;;
  esac
}

# A program that waits for its user, the terminal's phone in a terminal of its own: once its output has PATTERN it is
# ended, with TERM, because background processes of a shell ignore an interrupt.
begins() { # NAME ROOT DIRECTORY COMMAND PATTERN
  local run=$4 script
  [[ $4 == *phone-web* || $4 == *verifier* ]] || run="script --quiet --return --command '$4' /dev/null"
  script="$run >/begun 2>&1 </dev/null & pid=\$!
    until grep -q '$5' /begun; do kill -0 \$pid || { cat /begun; exit 1; }; sleep 1; done
    kill -TERM \$pid
    cat /begun
    for ((second = 0; second < $PATIENCE; second++)); do kill -0 \$pid || exit 0; sleep 1; done
    echo 'it does not end'; exit 1"
  said "$1" "$2" "$3" "$script"
}

part_demo() {
  local command pattern install
  root_with_repository demo --with-swift || { not_ok "demo: there is a root" && return; }
  said "demo: to the clone" "$work/demo" "$home" "$(to_the_clone)"
  while read -r command; do
    if pattern=$(waits_with "$command"); then
      begins "$command" "$work/demo" "$home/wallet_core" "$command" "$pattern"
    else
      said "$command" "$work/demo" "$home/wallet_core" "$command"
    fi
  done < <(in_the_clone)
  install=$(in_a_sentence 'make install ')
  said "$install" "$work/demo" "$home/wallet_core" "$install"
  # What was installed is found without being told where it is.
  said "a host with what is installed" "$work/demo" "$home" 'mkdir host && cd host
    cc -o first ../wallet_core/Examples/C/first.c $(pkg-config --cflags --libs wallet_core)
    ../wallet_core/build/bin/wallet-provider client-configuration --out configuration.json
    ./first | grep version_state'
}

# .ci/run runs this part too.
part_test() {
  root_with_repository test --with-swift || { not_ok "test: there is a root" && return; }
  said "test: to the clone" "$work/test" "$home" "$(to_the_clone)"
  said "make lint" "$work/test" "$home/wallet_core" "make lint"
  said "make test" "$work/test" "$home/wallet_core" "make test"
  tail -n 20 "$log/make test.log" | sed 's/^/# /'
  remove_root "$work/test"
}

part_tarball() {
  local root=$work/tarball number packed=$work/demo$home/wallet_core/build/dist
  [[ -d $packed ]] || { not_ok "tarball: it was packed before" "the part demo packs it" && return; }
  make_root "$root" || { not_ok "tarball: there is a root" && return; }
  same "tarball: this root has no Swift" "" "$(in_root "$root" / bash -c 'command -v swift')"
  cp -R "$packed" "$root/release"
  echo RELEASE=file:///release >>"$root.environment"
  commands 'Try it' 1 | grep 'apt-get' >"$work/needed" || not_ok "tarball: the README names the packages"
  said "tarball: packages" "$root" / "$(<"$work/needed")"
  commands 'Try it' 1 | grep -v 'apt-get\|demo.sh' >"$work/unpack"
  for number in 1 2 3 4 5; do mkdir "$root/host$number"; done
  said "tarball: demo" "$root" /host1 "$(commands 'Try it' 1 | grep -v apt-get)"
  said "tarball: demo with a verifier" "$root" /host1 "$(in_a_sentence 'examples/C/demo.sh')"
  said "tarball: C" "$root" /host2 "$(cat "$work/unpack"; commands 'First hosts' 1)"
  said "tarball: Python" "$root" /host3 "$(cat "$work/unpack"; commands 'First hosts' 2)"
  said "tarball: Kotlin" "$root" /host4 "$(cat "$work/unpack"; commands 'First hosts' 3)"
  local phone
  phone=$(in_a_sentence 'examples/C/phone.sh')
  said "tarball: unpacked for the phone" "$root" /host5 "$(<"$work/unpack")"
  begins "tarball: $phone" "$root" /host5 "$phone" "$(waits_with "$phone")"
  remove_root "$root"
}

# Each target alone: an empty root, the clone as `demo` left it, and the packages that the target installs by
# itself. With WALLET_CORE_COMPILE_ONLY long-running targets end after compiling and linking.
part_targets() {
  local target
  # Targets that need the packages of `make test` are left out: the part test covers them.
  while read -r target; do part_target "$target"; done < <(
    sed -nE '/setup-test/d; s/^([a-z-]+):.* (setup-|library|provider|stage).*##.*/\1/p' Makefile)
  root_with_repository target --with-swift || { not_ok "the packages of make test-full: there is a root" && return; }
  said "the packages of make test-full" "$work/target" "$home" "$(to_the_clone)"$'\n.ci/setup.sh test full'
  remove_root "$work/target"
}

part_target() {
  local target=$1 root=$work/target
  grep -qE "^$target:.*##" Makefile || { not_ok "$target: make has it" && return; }
  [[ -d $work/demo$home/wallet_core/.build ]] || part_demo
  root_with_repository target --with-swift || { not_ok "$target: there is a root" && return; }
  said "$target: git and make" "$root" / "$(to_the_clone | grep -v '^git clone\|^cd ')"
  mv "$work/demo$home/wallet_core" "$root$home"
  # What was linked with the packages of another target proves nothing.
  rm -rf "$root$home"/wallet_core/build/{bin,lib,stage,examples}
  find "$root$home/wallet_core/.build" -type f -executable \( -path '*/debug/*' -o -path '*/release/*' \) -delete
  case $target in
    phone | phone-web | verifier) begins "make $target alone" "$root" "$home/wallet_core" "make $target" "$(waits_with "$target")" ;;
    *) said "make $target alone" "$root" "$home/wallet_core" "WALLET_CORE_COMPILE_ONLY=1 make $target" ;;
  esac
  mv "$root$home/wallet_core" "$work/demo$home"
  remove_root "$root"
}

# As .ci/run: what is printed is that of the commands. Status 3 where there could be no root.
run() {
  local root=$work/run status
  echo "Making an empty Debian 12"
  { root_with_repository run --with-swift && reachable "$root"; } || return 3
  { to_the_clone && echo 'make lint' && echo 'make test'; } >"$root/commands.sh"
  in_root "$root" "$home" bash -e /commands.sh 2>&1
  status=$?
  rm -rf "$log/run"
  cp -R "$root$home/wallet_core/build/log" "$log/run" 2>/dev/null
  ((status == 0)) || cp -R "$root$home/wallet_core/build/test" "$log/run/test" 2>/dev/null
  ((status != 3)) || status=1
  return "$status"
}
if [[ ${parts[*]} == run ]]; then
  run
  exit
fi

# Not in a pipeline: its shell would not get the signals that end this one, and processes in a root would remain.
mkfifo "$work/lines"
tee "$log/lines" <"$work/lines" &
copying=$!
for part in "${parts[@]}"; do
  if [[ $(type -t "part_$part") == function && $part != target ]]; then "part_$part"; else part_target "$part"; fi
done >"$work/lines"
wait "$copying"
passed=$(grep -c '^ok - ' "$log/lines")
failed=$(grep -c '^not ok - ' "$log/lines")
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
