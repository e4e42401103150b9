# Empty Debian 12 roots. To be sourced by a bash script that runs as root.
#
#   reason=$(root_impossible)         why no root can be made here; empty if one can
#   make_root DIRECTORY [--with-swift]
#   in_root DIRECTORY INSIDE COMMAND...   runs COMMAND in the directory INSIDE of the root
#   remove_root DIRECTORY
#
# A root has debootstrap's smallest variant, and from this machine only the network settings: those of apt, pip
# and git with the files that they name, resolver and certificates. With Swift the toolchain is bind-mounted. All
# of this is read from the settings of the machine. DIRECTORY.bound and DIRECTORY.environment say what `in_root`
# binds and passes on.

fresh=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
base_archive= # made with the first root; later roots unpack it
in_root_pid=

root_impossible() {
  local tool
  ((EUID == 0)) || { echo "not run by the root user" && return; }
  for tool in debootstrap unshare chroot mknod; do
    command -v "$tool" >/dev/null || { echo "there is no $tool" && return; }
  done
  [[ -e /etc/debian_version ]] || { echo "this is not Debian, so there are no apt settings to copy" && return; }
  unshare --mount --pid --fork --kill-child true 2>/dev/null || echo "namespaces cannot be made here"
}

# Up to three attempts, because a package server may fail.
thrice() {
  local try
  for try in 1 2 3; do
    if "$@"; then return; fi
    ((try == 3)) || sleep $((try * 10))
  done
  return 1
}

# The first archive in the machine's own settings that has Debian 12.
mirror() {
  apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Identifier: Packages' 2>/dev/null |
    sed -n 's/ bookworm$//p' | head -n 1
}

proxy() { apt-config shell value "Acquire::$1::Proxy" | sed -n "s/^value='\(.*\)'$/\1/p"; }

# Runs debootstrap into a directory that is packed and removed again.
make_base() {
  local directory=$1 archive=$2 from
  from=$(mirror)
  [[ -n $from ]] || { echo "fresh: the settings of apt name no archive with bookworm" >&2 && return 1; }
  http_proxy=${http_proxy:-$(proxy http)} https_proxy=${https_proxy:-$(proxy https)} apart --mount-proc \
    debootstrap --variant=minbase bookworm "$directory" "$from" >"$directory.log" 2>&1 || {
    tail -n 5 "$directory.log" >&2
    rm -rf --one-file-system "$directory"
    return 1
  }
  tar --create --file "$archive" --one-file-system --directory "$directory" --exclude='./dev/*' .
  rm -rf --one-file-system "$directory" "$directory.log"
}

# keep ROOT PATH...: copies what exists, to the same path in the root.
keep() {
  local root=$1 path
  shift
  for path in "$@"; do
    [[ -e $path ]] || continue
    mkdir -p "$root$(dirname "$path")"
    cp -RLT "$path" "$root$path"
  done
}

# bind_or_keep ROOT PATH...: directories are bound, files are copied.
bind_or_keep() {
  local root=$1 path
  shift
  for path in "$@"; do
    if [[ -d $path ]]; then grep -qxF "$path" "$root.bound" || echo "$path" >>"$root.bound"; else keep "$root" "$path"; fi
  done
}

# Absolute paths in settings: `name = /path`, `"/path"`.
paths_in() { grep -ohE '(^|[[:space:]="'"'"'])/[^[:space:]"'"'"';,]+' "$@" 2>/dev/null | sed -E 's,^[^/]+,,' | sort -u; }

settings_of_apt() {
  local root=$1 path own
  rm -rf "$root/etc/apt"
  keep "$root" /etc/apt
  [[ ! -f ${APT_CONFIG:-} ]] || keep "$root" "$APT_CONFIG"
  # Keys and certificates in other directories.
  while read -r path; do keep "$root" "$path"; done < <(
    grep -rhoiE 'signed-by[:=] *[^ ]+' /etc/apt/sources.list* 2>/dev/null | sed -E 's/^[^:=]+[:=] *//' | paths_in
    apt-config dump | grep '^Acquire::' | paths_in
  )
  # This machine's actions after an installation must not run in an empty system. Other settings in these files
  # are kept, unless such an action spans several lines.
  own=("$root/etc/apt/apt.conf.d")
  [[ ! -f ${APT_CONFIG:-} ]] || own+=("$root$APT_CONFIG")
  find "${own[@]}" -type f -exec sed -i -E '/(Pre|Post)-Invoke.*;[[:space:]]*$/d' {} +
  { grep -rlE '(Pre|Post)-Invoke' "${own[@]}" || true; } | xargs -r rm
}

settings_of_pip() {
  local root=$1 file
  for file in /etc/pip.conf ~/.pip/pip.conf ~/.config/pip/pip.conf "${PIP_CONFIG_FILE:-}"; do
    [[ -f $file ]] || continue
    # A user's file belongs in another home directory there.
    install -D -m 644 "$file" "$root${file/#$HOME\//\/root/}"
    mapfile -t named < <(paths_in "$file")
    bind_or_keep "$root" "${named[@]}"
  done
  mapfile -t named < <(env | grep '^PIP_' | paths_in)
  bind_or_keep "$root" "${named[@]}"
}

# git's settings for where and how to fetch repositories.
settings_of_git() {
  local root=$1 key value path
  command -v git >/dev/null || return 0
  while read -r key value; do
    git config --file "$root/etc/gitconfig" --add "$key" "$value"
    path=${key#url.}
    path=${path%.insteadof}
    path=${path#file://}
    for path in "$path" "$value"; do
      [[ $path != /* || ! -e $path ]] || bind_or_keep "$root" "${path%/}"
    done
  done < <(git config --global --includes --get-regexp '^(url\..*\.insteadof|http\..*|core\.excludesfile)$' 2>/dev/null
    git config --system --includes --get-regexp '^(url\..*\.insteadof|http\..*|core\.excludesfile)$' 2>/dev/null)
}

# The toolchain is the directory with usr/lib/swift, in which its tools look for each other.
toolchain() {
  local resources
  resources=$("${SWIFT:-swift}" -print-target-info | sed -n 's/.*"runtimeResourcePath" *: *"\(.*\)".*/\1/p')
  realpath "$resources/../../.."
}

environment_of() {
  local root=$1 swift=$2 path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin certificates file
  [[ -z $swift ]] || path=$swift/usr/bin:$path
  # Variables whose value is a file or directory with certificates.
  certificates=$(env | grep -E '^[A-Z_]*(CERT|CERTS|CA_BUNDLE|CAINFO|CA_CERTS|SSL_[A-Z_]+)[A-Z_]*=/' | grep -v '^PIP_' || true)
  {
    printf '%s\n' "PATH=$path" HOME=/root LANG=C.UTF-8 TERM=dumb
    env | grep -E '^(CI|APT_CONFIG|PIP_[A-Z_]+|WALLET_CORE_[A-Z_]+|([a-zA-Z]+_)?(proxy|PROXY))=' || true
    [[ -z $certificates ]] || echo "$certificates"
  } >"$root.environment"
  while IFS='=' read -r _ file; do
    [[ -z $file ]] || keep "$root" "$file"
  done <<<"$certificates"
}

make_root() {
  local root=$1 swift=
  if [[ ${2:-} == --with-swift ]]; then
    # Swift leaves a directory of its own behind.
    swift=$(TMPDIR=$(dirname "$root") toolchain)
    [[ -n $swift && $swift != / ]] || {
      echo "fresh: Swift is installed in /usr; bound in, it would bring all of /usr: unpack a toolchain elsewhere" >&2
      return 1
    }
  fi
  if [[ -z $base_archive ]]; then
    base_archive=$(dirname "$root")/base.tar
    thrice make_base "${base_archive%.tar}" "$base_archive" || return
  fi
  mkdir "$root"
  tar --extract --file "$base_archive" --directory "$root"
  : >"$root.bound"
  [[ -z $swift ]] || echo "$swift" >>"$root.bound"
  keep "$root" /etc/resolv.conf /etc/hosts /usr/local/share/ca-certificates
  settings_of_apt "$root"
  settings_of_pip "$root"
  settings_of_git "$root"
  environment_of "$root" "$swift"
}

in_root() { apart "$fresh/enter.sh" "$@"; }

# apart COMMAND...: runs it in namespaces of its own.
apart() {
  local status
  # In the background, so that this shell handles a signal at once; see end_in_root.
  unshare --mount --pid --fork --kill-child "$@" </dev/null &
  in_root_pid=$!
  wait "$in_root_pid"
  status=$?
  in_root_pid=
  return $status
}

# Ends what runs in a root, for traps: when the first process of its namespace ends, so do all others. `unshare` ends
# after all of them, so that nothing is busy any more.
end_in_root() {
  [[ -n $in_root_pid ]] || return 0
  local first
  read -r first _ 2>/dev/null <"/proc/$in_root_pid/task/$in_root_pid/children" || true
  kill -KILL "${first:-$in_root_pid}" 2>/dev/null || true
  wait "$in_root_pid" 2>/dev/null || true
}

remove_root() { rm -rf --one-file-system "$1" "$1".bound "$1".environment; }
