#!/usr/bin/env bash
# The container file, without a container engine: an empty Debian replaces its base image, buildah builds it in a
# chroot from the tarball, and the provider in it serves.
#
#   Tests/Install/container.sh WALLET_PROVIDER
#
# WALLET_PROVIDER is that of `make provider`, which contains the Swift runtime. Needs root, namespaces, buildah, debootstrap
# and the Debian mirror of the machine's apt settings.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
source Tests/ABI/report.sh
source Tests/Support/held_port.sh
source .ci/fresh/root.sh
provider=$(realpath "$1")

if ((EUID != 0)); then
  not_ok "the container file is built" "this needs root: debootstrap and buildah make the files of other users"
  exit 1
fi

scratch=$(mktemp -d)
buildah=(buildah --root "$scratch/storage" --runroot "$scratch/run" --storage-driver vfs)
serving=
# shellcheck disable=SC2317 # called by the trap
clean_up() {
  [[ -z $serving ]] || end_serving KILL
  end_in_root
  "${buildah[@]}" rm --all >"$scratch/removed" 2>&1
  rm -rf --one-file-system "$scratch"
}
trap clean_up EXIT

# Buildah, its helper and the program in the container, which shares the machine's processes.
end_serving() {
  local pids=("$serving") next=$serving
  while next=$(pgrep -d, -P "$next"); do IFS=, read -ra pids <<<"$next"; done
  kill "-$1" "${pids[@]}"
}

# --- the base ---------------------------------------------------------------------------------------------
if ! thrice make_base "$scratch/base" "$scratch/base.tar" 2>"$scratch/debootstrap"; then
  not_ok "an empty Debian is made" "$(cat "$scratch/debootstrap")"
  exit 1
fi
import_base() {
  local container
  container=$("${buildah[@]}" from scratch) &&
    "${buildah[@]}" add --quiet "$container" "$scratch/base.tar" / &&
    "${buildah[@]}" commit --quiet --rm "$container" localhost/empty-debian
}
holds "buildah takes it as a base" import_base
rm "$scratch/base.tar"

# --- the image --------------------------------------------------------------------------------------------
holds "the tarball is packed" .ci/dist.sh "$provider" "$scratch/dist"
mkdir "$scratch/tarball"
tar --strip-components 1 -xzf "$scratch"/dist/*.tar.gz -C "$scratch/tarball"

# The machine's apt settings, the files that they name, and its certificate authorities.
volumes=()
for path in /etc/apt /etc/ssl/certs \
  $(apt-config dump | sed -nE 's/^[^ ]+ "(\/[^ "]+)";$/\1/p' | grep -vE '^/(etc/apt|var|usr)/' | sort -u); do
  [[ ! -e $path ]] || volumes+=(--volume "$path:$path:ro")
done
build() {
  "${buildah[@]}" build --isolation chroot --format docker --pull-never --quiet "${volumes[@]}" \
    --build-arg BASE=localhost/empty-debian --tag localhost/wallet-provider \
    --file "$scratch/tarball/examples/provider/Containerfile" "$scratch/tarball"
}
holds "it is built from the tarball" build
container=$("${buildah[@]}" from --pull-never localhost/wallet-provider) || exit
"${buildah[@]}" inspect --type image localhost/wallet-provider >"$scratch/image.json" || exit
# configured KEY [FORM]: a part of the image's settings as JSON, or the words of a command, one per line.
configured() {
  python3 - "$scratch/image.json" "$@" <<'PYTHON'
import json, sys
found = json.load(open(sys.argv[1]))["Docker"]["config"][sys.argv[2]]
if sys.argv[3:] == ["words"]:
    print(*found["Test"][1:], sep="\n")
else:
    print(json.dumps(found))
PYTHON
}
same "it runs as a user of its own" '"10001:10001"' "$(configured User)"
same "keeps its data in a volume" '{"/var/lib/wallet-provider": {}}' "$(configured Volumes)"
same "and serves" '["wallet-provider"] ["serve"]' "$(configured Entrypoint) $(configured Cmd)"

run() { "${buildah[@]}" run --isolation chroot "$@"; }
number() { sed -n "s/^#define WALLET_CORE_VERSION_$1 //p" Include/wallet_core.h; }
same "the program in it tells its version" "wallet-provider $(number MAJOR).$(number MINOR).$(number PATCH)" \
  "$(run "$container" -- wallet-provider --version 2>&1)"
same "as that user" 10001 "$(run "$container" -- id -u)"
# From the container file: what follows --no-install-recommends.
packages=$(sed -nE 's/.*--no-install-recommends (.*) \\$/\1/p' Examples/provider/Containerfile | tr ' ' '\n' | sort)
linked=$(readelf --dynamic "$provider" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]$/\1/p')
# shellcheck disable=SC2016 # for the inner shell
same "of packages it has those that the provider links, and no other" "$packages" \
  "$(run "$container" -- sh -c 'for name; do dpkg --search "*/$name" 2>&1; done' sh $linked |
    sed 's/:.*//' | sort -u | grep -vxE 'libc6|libgcc-s1|libstdc\+\+6')"

# --- running ----------------------------------------------------------------------------------------------
port=$(held_port "$scratch/port") || exit
run --env "WALLET_PROVIDER_PORT=$port" "$container" -- wallet-provider serve >"$scratch/out" 2>"$scratch/err" </dev/null &
serving=$!
eventually grep -q 'listens on' "$scratch/out"
same "it listens on every address of the container" "wallet-provider listens on http://0.0.0.0:$port" "$(cat "$scratch/out")"
same "and answers" '{"status":"ready"}' "$(curl --silent "http://127.0.0.1:$port/health/ready")"
mapfile -t check < <(configured Healthcheck words)
healthy() { run --env "WALLET_PROVIDER_PORT=$port" "$container" -- "${check[@]}"; }
holds "it is healthy" healthy
same "its data is its own" "700 10001" "$(run "$container" -- stat --format '%a %u' /var/lib/wallet-provider/data)"
end_serving TERM
wait "$serving"
same "it ends well when it is told to" 0 $?
serving=
unhealthy() { ! healthy; }
holds "and is not healthy any more" unhealthy
