#!/usr/bin/env bash
# Fuzzes every target, or one, for some seconds each: scripts/fuzz.sh [SECONDS [TARGET]]; TARGET as in fuzz_TARGET.c.
#
# Starts from the committed seeds in tests/corpus/TARGET; what libFuzzer finds on its way stays in build/fuzz/corpus, so
# that the next run goes on from there. An input that crashes is left in build/fuzz/crashes: mend the bug, then commit
# the input into tests/corpus/TARGET.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-60}
only=${2:-}

scripts/build.sh fuzz
shopt -s nullglob
# Freed blocks that AddressSanitizer keeps back count as memory in use: keep few, so that the limit below means ours.
export ASAN_OPTIONS=quarantine_size_mb=16${ASAN_OPTIONS:+:$ASAN_OPTIONS}
failed=()
ran=0
for program in build/fuzz/tests/fuzz_*; do
  name=${program##*/fuzz_}
  if [ ! -x "$program" ] || { [ -n "$only" ] && [ "$only" != "$name" ]; }; then
    continue
  fi
  mkdir -p "build/fuzz/corpus/$name" build/fuzz/crashes
  seeds=()
  [ ! -d "tests/corpus/$name" ] || seeds=("tests/corpus/$name")
  dictionary=()
  [ ! -f "tests/fuzz/$name.dict" ] || dictionary=("-dict=tests/fuzz/$name.dict")
  echo "fuzz_$name: $seconds s"
  # An input takes milliseconds; the limit is for one that never ends, and leaves room for a machine that stalls.
  "$program" -max_total_time="$seconds" -rss_limit_mb=256 -malloc_limit_mb=64 -timeout=60 -print_final_stats=1 \
    -verbosity=0 -artifact_prefix="build/fuzz/crashes/$name-" ${dictionary[@]+"${dictionary[@]}"} \
    "build/fuzz/corpus/$name" ${seeds[@]+"${seeds[@]}"} 2>&1 | tee "build/fuzz/$name.log" || failed+=("$name")
  ran=$((ran + 1))
done
[ "$ran" -gt 0 ] || {
  echo "no fuzz target${only:+ named $only}" >&2
  exit 64
}
[ "${#failed[@]}" -eq 0 ] || {
  # Said once more at the end, where the last lines of a long log still show it, with all that is needed to repeat it.
  for name in "${failed[@]}"; do
    echo "fuzz_$name failed:"
    grep -v '^"' "build/fuzz/$name.log" | tail -n 40 || true
  done >&2
  echo "crashes are in build/fuzz/crashes" >&2
  exit 1
}
