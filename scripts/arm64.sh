#!/usr/bin/env bash
# The program on arm64, the processor of the boards, where it has to print the same bytes as on this one: scripts/arm64.sh [FOLDER]
#
# It is compiled here, against headers and libraries of Debian 12 for arm64 that mmdebstrap unpacks. Then the golden cases and the
# tests in C run under qemu-user: what they expect was written on amd64. The kernel starts qemu for every program of arm64, also
# for what a test starts, in a user name space of its own, so that the machine's own list of such formats stays as it is.
# What is built is left in FOLDER, build/arm64 if none is given. Wants qemu-user-static, gcc-aarch64-linux-gnu, mmdebstrap and Linux
# 6.7; ends with 77 where it cannot run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
to=${1:-build/arm64} base=build/fresh/arm64.tar format=/usr/lib/binfmt.d/qemu-aarch64.conf

cannot() { echo "skipped: arm64 $*"; exit 77; }
for program in qemu-aarch64-static:qemu-user-static aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu; do
  command -v "${program%:*}" >/dev/null || cannot "wants ${program#*:}; scripts/install-deps.sh --all installs it"
done
emulated() {
  # shellcheck disable=SC2016 # expands in the inner shell
  unshare --user --map-root-user --mount bash -c '
    list=/proc/sys/fs/binfmt_misc
    mount -t binfmt_misc binfmt_misc $list && cat "$1" >$list/register && shift && exec "$@"' _ $format "$@"
}
emulated true 2>/dev/null || cannot "wants binfmt_misc in a user name space (Linux 6.7), and $format"
said=$(scripts/bare.sh "$base" bookworm --variant=extract --architectures=arm64 \
  --include=libc6-dev,libgsl-dev,libmd-dev,libsqlite3-dev,libxxhash-dev,libcsv-dev,zlib1g-dev,libcjson-dev,libcmocka-dev,libdnnl-dev) ||
  cannot "has no libraries: $said"

rm -rf --one-file-system "$to/root"
mkdir -p "$to/root"
to=$(cd "$to" && pwd)
# What a link of the root points at lies in the root.
tar -C "$to/root" -xf "$base" --transform "s,^/,$to/root/," ./lib ./usr/lib ./usr/include
export QEMU_LD_PREFIX=$to/root # where it finds the loader and libraries

{
  cmake -S . -B "$to/build" -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/arm64.cmake" -DROOFLINE_SYSROOT="$to/root" -DROOFLINE_TESTS=ON \
    -DCMAKE_BUILD_TYPE=Release && cmake --build "$to/build" --parallel "$(nproc)"
} >"$to/build.log" 2>&1 || { echo "the build failed; see $to/build.log:" >&2; tail -n 20 "$to/build.log" >&2; exit 1; }
echo "built ($SECONDS s)"

# Rules about the source tree, pages in a browser, the commands of documents by Python, other programs, and every allocation that
# fails: slow when it is emulated, or not run on this processor at all; random inputs as well. Those of unit tests that are long do
# a sample.
kinds='golden|unit|reference|replay|examples'
awk -v kinds="^($kinds)\$" '
  { sub(/;.*/, "", $2); if ($2 !~ kinds) left[$2]++ }
  END { for (kind in left) list = list (list == "" ? "" : ", ") left[kind] " of " kind; print "left out, since they say little of the processor: " list }' \
  "$to/build/tests/tests.txt"
echo "left out: test_outputs, which gives a file to another user: the name space has one; test_hostile_texts and benchmarks, for time"
unset ROOFLINE_THOROUGH
results=$to/ctest.xml
emulated ctest --test-dir "$to/build" --no-tests=error --parallel "$(($(nproc) + 1))" --output-on-failure --output-junit "$results" \
  --test-output-size-passed 1000000 -L "^($kinds)\$" -E '^(test_outputs|test_hostile_texts|benchmarks)$'
scripts/skipped.sh "$results" .ci/may-skip
