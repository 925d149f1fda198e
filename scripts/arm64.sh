#!/usr/bin/env bash
# The program on arm64, the processor of the boards, where it has to print the same bytes as on this one: scripts/arm64.sh [FOLDER]
#
# It is compiled here, against headers and libraries of Debian 12 for arm64 that mmdebstrap unpacks. Then reference tests, replays of
# what was fuzzed and a fifth of the golden cases run under qemu-user: what they expect was written on amd64. Which fifth tells
# ROOFLINE_TURN, a number; the day of the month if it is not set; with ROOFLINE_THOROUGH all of them run. The kernel starts qemu for
# every program of arm64, also for what a test starts, in a user name space of its own, so that the machine's own list of such
# formats stays as it is.
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
    -DCMAKE_BUILD_TYPE=Release && cmake --build "$to/build" --parallel "$(nproc)" \
    --target shipped reference_tests replay totals make_xmodels make_history make_onnx
} >"$to/build.log" 2>&1 || { echo "the build failed; see $to/build.log:" >&2; tail -n 20 "$to/build.log" >&2; exit 1; }
echo "built ($SECONDS s)"

# The rest says little of the processor, or is slow when it is emulated: rules about the source tree, pages in a browser, commands
# of documents by Python, other programs, unit tests of parts that the golden cases are made of, every allocation that fails.
emulated_tests() { # RESULTS CTEST-OPTION...
  local status=0
  emulated ctest --test-dir "$to/build" --no-tests=error --parallel "$(($(nproc) + 1))" --output-on-failure \
    --output-junit "$to/$1" --test-output-size-passed 1000000 "${@:2}" || status=$?
  scripts/skipped.sh "$to/$1" .ci/may-skip || status=1
  return "$status"
}
status=0
emulated_tests others.xml -L '^(reference|replay)$' || status=1
turn=${ROOFLINE_TURN:-$(date +%d)} part=()
if [ -z "${ROOFLINE_THOROUGH:-}" ]; then
  first=$((10#$turn % 5 + 1))
  part=(-I "$first,,5")
  echo "of the golden cases those with the numbers $first, $((first + 5)), $((first + 10)), ...: another fifth each day"
fi
emulated_tests golden.xml -L '^golden$' -LE '^unit$' -E '^(benchmarks|numbers_printed)$' ${part[@]+"${part[@]}"} || status=1
exit "$status"
