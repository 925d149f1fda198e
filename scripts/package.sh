#!/usr/bin/env bash
# Builds the Debian packages of what is committed, and tests them: scripts/package.sh [FOLDER]
#
# HEAD is exported into a temporary folder, and built there by dpkg-buildpackage. lintian looks at the source and at the packages;
# a warning fails. Then the tests of debian/tests run in a bare Debian that has the packages and what they depend on, nothing
# else (as root, with autopkgtest and mmdebstrap; a line says so where they cannot).
# The packages are left in FOLDER, build/packages if none is given, with what the tools said: build.log, lintian.log, tests.log.
# In CI, which ships nothing, they are built without debug information, a third faster.
# Ends with 77 where the packages cannot be built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
to=${1:-build/packages}

cannot() { echo "skipped: the Debian packages $*"; exit 77; }
fail() { echo "$1; see $2:" >&2; tail -n 40 "$2" >&2; exit 1; }
for program in dpkg-buildpackage dh lintian; do
  command -v $program >/dev/null || cannot "want $program; scripts/install-deps.sh --all installs what has it"
done
git -c safe.directory='*' rev-parse -q --verify HEAD >/dev/null 2>&1 || cannot "want a commit to export"

folder=$(mktemp -d "${TMPDIR:-/tmp}/roofline-package-XXXXXX")
trap 'rm -rf --one-file-system "$folder"' EXIT
chmod 755 "$folder"
mkdir -p "$to" "$folder/roofline"
to=$(cd "$to" && pwd)
rm -f "$to"/*
git -c safe.directory='*' archive HEAD | tar -x -C "$folder/roofline"
cd "$folder/roofline"
lacks=$(dpkg-checkbuilddeps 2>&1) || cannot "want $(sed 's/.*dependencies: //' <<<"$lacks")"

[ -z "${CI:-}" ] || export DEB_BUILD_OPTIONS=noautodbgsym DEB_CFLAGS_STRIP=-g DEB_CXXFLAGS_STRIP=-g
dpkg-buildpackage --no-sign --jobs="$(nproc)" >"$to/build.log" 2>&1 || fail "dpkg-buildpackage failed" "$to/build.log"
(cd .. && cp ./*.deb ./*.dsc ./*.tar.* ./*.changes ./*.buildinfo "$to/")
lintian --allow-root --fail-on error,warning "$to"/*.changes >"$to/lintian.log" 2>&1 & # beside the tests: each takes one processor
lintian=$!
echo "built; in $to:"
(cd "$to" && ls -s --block-size=K -- *.deb)
look() {
  wait "$lintian" || fail "lintian is not content" "$to/lintian.log"
  echo "lintian has nothing to say"
}

without() { look; echo "skipped: the tests of the packages $*"; exit 0; }
[ "$(id -u)" = 0 ] || without "want root"
command -v autopkgtest >/dev/null || without "want autopkgtest; scripts/install-deps.sh --all installs it"
unshare --mount --pid --fork true 2>/dev/null || without "want name spaces, which are not allowed here"
cd "$OLDPWD"
said=$(scripts/bare.sh build/fresh/base.tar bookworm --include=git,ca-certificates) || without "$said"
root=$folder/root
mkdir "$root"
tar -C "$root" -xf build/fresh/base.tar
cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/one-run" # nothing here has to outlast a loss of power
# shellcheck disable=SC2016 # expands in the inner shell
unshare --mount --pid --fork --kill-child bash -c '
  mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/tmp" && chmod 1777 "$1/tmp"
  unset TMPDIR # a folder that is not there
  exec autopkgtest --setup-commands "apt-get -q update" --output-dir "$1.results" "$2"/*.deb "$2"/*.dsc -- chroot "$1"' _ "$root" "$to" \
  </dev/null >"$to/tests.log" 2>&1 || fail "a test of the packages failed" "$to/tests.log"
echo "the tests of debian/tests, in a bare Debian:"
cat "$root.results/summary"
look
