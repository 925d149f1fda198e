#!/usr/bin/env bash
# Installing, as the documents say, on machines that have nothing but Debian's base system and git: scripts/fresh.sh [MACHINE...]
#
#   root   nobody prepared anything: scripts/demo.sh, and scripts/test.sh with the tests of installing and of the examples; the
#          Python package, built and installed without an index, where Debian has what it needs
#   user   a user who is not root, with sudo; python3 is there. What docs/install.md and examples/README.md say of installing, linking
#          and uninstalling
#   all    all optional packages: scripts/test.sh --all with the tests that need them, where nothing may be skipped but what
#          .ci/may-skip names
#
# The set-up is what is tested here; what the program does is the same as on this machine.
# What is committed is cloned into a folder that mmdebstrap made from this machine's package sources; each command runs there in
# name spaces of its own. The base system is kept in build/fresh/base.tar, what the commands say in build/fresh/MACHINE.log.
# Wants root, mmdebstrap and 5 GB in $TMPDIR; some three minutes a machine on two processors. Prints PASS or FAIL, the command and
# its seconds; of a failing one its last lines, and runs none after it. The exit code is the number of machines on which one
# failed; 77 where it cannot run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ $# -gt 0 ] || set -- root user all

cannot() { echo "skipped: the fresh machines $*"; exit 77; }
[ "$(id -u)" = 0 ] || cannot "want root"
git -c safe.directory='*' rev-parse -q --verify HEAD >/dev/null 2>&1 || cannot "want a commit to clone"
unshare --mount --pid --fork true 2>/dev/null || cannot "want name spaces, which are not allowed here"

base=build/fresh/base.tar
said=$(scripts/bare.sh "$base" bookworm --include=git,ca-certificates) || cannot "$said"

# The lines of the sh blocks of a document, without their comments: lines_of DOCUMENT FIRST-LINE LAST-LINE, as patterns of awk.
lines_of() {
  awk -v first="$2" -v last="$3" '
    $0 ~ last && on { exit }
    $0 ~ first { on = 1 }
    /^```/ { block = $0 == "```sh"; next }
    on && block { sub(/ +# .*/, ""); print }' "$1"
}

commands_of() { # MACHINE
  case $1 in
    root) printf '%s\n' scripts/demo.sh "$measured" "scripts/test.sh -R '^(install|symbols|example_|golden_cli-)'" "$python" ;;
    user)
      echo 'scripts/install-deps.sh && scripts/build.sh release --target shipped'
      lines_of examples/README.md '^## The library' '^## A runner'
      lines_of docs/install.md '^# Install' '^## Next'
      # shellcheck disable=SC2016 # expands there
      echo 'left=$(find /usr/local -type f -name "*roofline*"); [ -z "$left" ] || { echo "left: $left"; exit 1; }'
      ;;
    all) echo "scripts/test.sh --all --may-skip .ci/may-skip -L '^(browser|optional|runners)\$'" ;;
    *) echo "no machine is called $1; there are root, user and all" >&2 && exit 64 ;;
  esac
}
# That the demo measured the processor that it ran on.
measured='build/release/roofline reconcile demo-output/mobilenetv1.json demo-output/mobilenetv2.json demo-output/resnet50.json'
# What Debian does not have here is said, and is no failure.
python='scripts/install-deps.sh --python; scripts/python.sh || [ $? = 77 ]'

in_root() { # ROOT USER-ID COMMAND
  # shellcheck disable=SC2016 # expands in the inner shell
  unshare --mount --pid --fork --kill-child bash -c '
    mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/tmp" && chmod 1777 "$1/tmp"
    exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/src TERM=dumb LANG=C.UTF-8 \
      http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" \
      chroot --userspec="$2:$2" "$1" bash -c "cd /src/roofline && $3"' _ "$1" "$2" "$3" </dev/null
}

folder=$(mktemp -d "${TMPDIR:-/tmp}/roofline-fresh-XXXXXX")
trap 'rm -rf --one-file-system "$folder"' EXIT
failed=0
for machine in "$@"; do
  commands=$(commands_of "$machine")
  root=$folder/$machine log=$PWD/build/fresh/$machine.log user=0
  mkdir -p "$root"
  tar -C "$root" -xf "$base"
  cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
  cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/one-run" # nothing here has to outlast a loss of power
  echo "127.0.0.1 localhost $(uname -n)" >"$root/etc/hosts"
  git -c safe.directory='*' clone -q . "$root/src/roofline"
  : >"$log"
  if [ "$machine" = user ]; then
    user=1000
    echo "newcomer:x:$user:$user::/src:/bin/bash" >>"$root/etc/passwd"
    echo "newcomer:x:$user:" >>"$root/etc/group"
    echo 'newcomer:*:::::::' >>"$root/etc/shadow"
    mkdir -p "$root/etc/sudoers.d"
    printf '%s\n' 'newcomer ALL=(ALL) NOPASSWD: ALL' 'Defaults env_keep += "http_proxy https_proxy"' >"$root/etc/sudoers.d/newcomer"
    chown -R "$user:$user" "$root/src"
    in_root "$root" 0 'apt-get -qq update && apt-get -qq -y --no-install-recommends install sudo python3' >>"$log" 2>&1 ||
      { echo "FAIL $machine: no sudo, no python3; see $log"; failed=$((failed + 1)); continue; }
  fi
  while IFS= read -r command; do
    begin=$SECONDS code=0 from=$(wc -l <"$log")
    echo "\$ $command" >>"$log"
    in_root "$root" "$user" "$command" >>"$log" 2>&1 || code=$?
    if [ "$code" = 0 ]; then
      echo "PASS $machine: $command ($((SECONDS - begin)) s)"
      case $command in
        scripts/test.sh*) tail -n "+$from" "$log" | sed -n '/ skipped.* for want of /p;$p' ;;
        *scripts/python.sh*) tail -n "+$from" "$log" | sed -n '/^SKIPPED/p;/^Ran /p' ;;
      esac
    else
      failed=$((failed + 1))
      echo "FAIL $machine: $command (exit code $code, $((SECONDS - begin)) s)"
      tail -n "+$((from + 1))" "$log" | tail -n 40
      break
    fi
  done <<<"$commands"
  rm -rf --one-file-system "$root"
done
exit "$failed"
