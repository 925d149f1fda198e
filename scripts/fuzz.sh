#!/usr/bin/env bash
# Fuzzes every target, or one, for some seconds each, as many at once as there are processors: scripts/fuzz.sh [SECONDS
# [TARGET]]; TARGET as in fuzz_TARGET.c.
#
# With ROOFLINE_EVERY=N every N-th of them alone, others by ROOFLINE_TURN.
#
# Starts from the committed seeds in tests/corpus/TARGET, and those of importers from the files in tests/tools; what libFuzzer finds
# on its way stays in build/fuzz/corpus, so that the next run goes on from there. An input that crashes is left in
# build/fuzz/crashes: mend the bug, then commit the input into tests/corpus/TARGET.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export seconds=${1:-60}
only=${2:-}

names=() n=0 every=${ROOFLINE_EVERY:-1} turn=${ROOFLINE_TURN:-0}
for source in tests/fuzz/fuzz_*.c; do
  name=${source##*/fuzz_} name=${name%.c}
  [ -n "$only" ] && [ "$only" != "$name" ] || [ $((n++ % every)) != $((turn % every)) ] || names+=("$name")
done
[ "${#names[@]}" -gt 0 ] || {
  echo "no fuzz target named $only" >&2
  exit 64
}
scripts/build.sh clang --target "fuzz_${only:-targets}"
mkdir -p build/fuzz
# Freed blocks that AddressSanitizer keeps back count as memory in use: keep few, so that the limit below means ours.
export ASAN_OPTIONS=quarantine_size_mb=16${ASAN_OPTIONS:+:$ASAN_OPTIONS}

fuzz() { # NAME; what it says comes in one piece, and goes into build/fuzz/NAME.log
  local name=$1 more=() log=build/fuzz/$1.log
  mkdir -p "build/fuzz/corpus/$name" build/fuzz/crashes
  [ ! -f "tests/fuzz/$name.dict" ] || more+=("-dict=tests/fuzz/$name.dict")
  more+=("build/fuzz/corpus/$name")
  [ ! -d "tests/corpus/$name" ] || more+=("tests/corpus/$name")
  [[ $name != import && $name != events ]] || more+=(tests/tools)
  # An input takes milliseconds; the limit is for one that never ends, and leaves room for a machine that stalls.
  if "build/clang/tests/fuzz_$name" -max_total_time="$seconds" -rss_limit_mb=256 -malloc_limit_mb=64 -timeout=60 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix="build/fuzz/crashes/$name-" "${more[@]}" >"$log" 2>&1; then
    printf 'fuzz_%s: %s s\n%s\n' "$name" "$seconds" "$(cat "$log")"
  else
    echo "$name" >>build/fuzz/failed
  fi
}
export -f fuzz

: >build/fuzz/failed
# shellcheck disable=SC2016 # expands in the inner shell
printf '%s\0' "${names[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'fuzz "$1"' fuzz
[ ! -s build/fuzz/failed ] || {
  # At the end, where the last lines of a long log still show it, with all that is needed to repeat it.
  while read -r name; do
    echo "fuzz_$name failed:"
    grep -v '^"' "build/fuzz/$name.log" | tail -n 40 || true
  done <build/fuzz/failed >&2
  echo "crashes are in build/fuzz/crashes" >&2
  exit 1
}
