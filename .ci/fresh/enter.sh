#!/usr/bin/env bash
# Runs a command in an empty root, with mounts that exist only while it runs.
#
#   unshare --mount --pid --fork --kill-child .ci/fresh/enter.sh ROOT DIRECTORY COMMAND...
#
# The command runs in DIRECTORY of ROOT, with the environment of ROOT.environment, one NAME=VALUE per line. The
# paths in ROOT.bound, one per line, are visible in ROOT at the same paths, read-only. Nothing of this is mounted
# outside: the caller has made a mount namespace of its own, and the devices are nodes of a private /dev.
set -euo pipefail
root=$1 directory=$2
shift 2

mount --make-rprivate /
# The root must be a mount of its own for pivot_root; in a plain chroot no user namespace can be made.
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755,nosuid,noexec dev "$root/dev"
node() { mknod -m 666 "$root/dev/$1" c "$2" "$3"; }
node null 1 3
node zero 1 5
node full 1 7
node random 1 8
node urandom 1 9
node tty 5 0
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777,nosuid,nodev shm "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
ln -s /proc/self/fd/0 "$root/dev/stdin"
ln -s /proc/self/fd/1 "$root/dev/stdout"
ln -s /proc/self/fd/2 "$root/dev/stderr"

while read -r path; do
  if [[ -d $path ]]; then mkdir -p "$root$path"; else install -D /dev/null "$root$path"; fi
  mount --bind "$path" "$root$path"
  mount -o remount,bind,ro "$root$path"
done <"$root.bound"

mapfile -t environment <"$root.environment"
cd "$root"
mkdir -p .outside
pivot_root . .outside
cd /
hash -r
umount --lazy /.outside
rmdir /.outside
# Not `exec`: this shell is the first process of its namespace, and so has to reap orphans.
# shellcheck disable=SC2016 # the inner shell reads them
env -i "${environment[@]}" /bin/bash -c 'cd "$1" && shift && exec "$@"' - "$directory" "$@" &
wait $!
