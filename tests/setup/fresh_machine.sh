#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Proves the two commands of the README on a machine that has nothing: makes a Debian root with git,
# ca-certificates and python3-venv only, clones this repository's HEAD into it and runs there
#   ./run test    ./run demo (no display)    ./run demo (under Xvfb)    ./run test (nothing to do)
# Needs root, debootstrap and the network. The host's folders are seen read-only, if at all.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

usage() {
    cat <<'END'
Usage: tests/setup/fresh_machine.sh [OPTIONS]
  --suite NAME       Debian release to make (default bookworm)
  --mirror URL       where debootstrap and apt get packages (default: debootstrap's own)
  --root DIR         an existing or new folder for the root (default: a temporary one, removed after)
  --pip-conf FILE    pip configuration to put into the root, as the person would have it
  --bind DIR         folder of the host to show read-only at the same place; may be given again
  --env NAME=VALUE   variable to set in the root; may be given again
  --steps LIST       of: test demo window again (default: all)
END
}

suite=bookworm mirror='' root='' pip_conf='' steps='test demo window again' keep=no
binds=() variables=()
while (($#)); do
    case $1 in
        --suite) suite=$2 ;;
        --mirror) mirror=$2 ;;
        --root) root=$2 keep=yes ;;
        --pip-conf) pip_conf=$2 ;;
        --bind) binds+=("$(realpath "$2")") ;;
        --env) variables+=("$2") ;;
        --steps) steps=$2 ;;
        *)
            usage >&2
            exit 2
            ;;
    esac
    shift 2
done
((EUID == 0)) || { echo "fresh_machine: debootstrap and chroot need root." >&2; exit 1; }
[[ -n $root ]] || root=$(mktemp -d)
[[ $keep == yes ]] || trap 'rm -rf --one-file-system "$root"' EXIT

say() { printf '== %5d s  %s\n' "$SECONDS" "$*"; }

if [[ ! -x $root/bin/bash ]]; then
    say "Make a $suite root in $root"
    debootstrap --variant=minbase --include=git,ca-certificates,python3-venv \
        "$suite" "$root" ${mirror:+"$mirror"} >"$root.debootstrap.log" 2>&1 ||
        { tail -n 5 "$root.debootstrap.log" >&2; exit 1; }
    rm "$root.debootstrap.log"
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
if [[ -n $pip_conf ]]; then cp "$pip_conf" "$root/etc/pip.conf"; fi
if [[ ! -d $root/root/maskscope ]]; then
    say "Clone $(git -C "$repository" log -1 --format='%h %s')"
    git clone -q "$repository" "$root/root/maskscope"
fi

# inside COMMAND: runs it in the root, in namespaces of its own, so that no mount and no process stays.
inside() {
    # shellcheck disable=SC2016 # expanded by the inner shell
    unshare --mount --pid --fork bash -euc '
        root=$1 command=$2
        shift 2
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        while (($#)) && [[ $1 != -- ]]; do
            mkdir -p "$root$1"
            mount --bind "$1" "$root$1"
            mount -o remount,bind,ro "$root$1"
            shift
        done
        shift
        exec env -i HOME=/root TERM=dumb PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            "$@" chroot "$root" /bin/bash -c "cd /root/maskscope; $command"
    ' inside "$root" "$1" "${binds[@]}" -- "${variables[@]}"
}

passed=0 failed=0
prove() {
    local name=$1 begin=$SECONDS
    say "$name: $2"
    if inside "$2" </dev/null; then
        passed=$((passed + 1))
        say "$name passed in $((SECONDS - begin)) s"
    else
        failed=$((failed + 1))
        say "$name FAILED after $((SECONDS - begin)) s"
    fi
}

# The window saves a picture of itself after the run and ends; it does so only when the run is done.
under_xvfb='rm -f /tmp/.X7-lock /tmp/.X11-unix/X7
Xvfb :7 -screen 0 1400x900x24 >/dev/null 2>&1 & server=$!
export DISPLAY=:7
until [ -S /tmp/.X11-unix/X7 ]; do sleep 0.1; done'

for step in $steps; do
    case $step in
        test) prove "test" "./run test" ;;
        demo) prove "demo without a display" "./run demo && test -s out/demo/*.png" ;;
        window) prove "demo in a window" "$under_xvfb
            timeout 900 ./run demo --screenshot out/window.png && test -s out/window.png" ;;
        again) prove "second run without network" "unshare --net ./run test" ;;
        *) echo "fresh_machine: there is no step $step." >&2; exit 2 ;;
    esac
done
printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
