#!/usr/bin/env bash
# clang-tidy with the rules of .clang-tidy: scripts/tidy.sh [--minutes N | --all | FILE...]; the changed files if none are named.
# A changed header stands for the files that include it directly.
#
# With --minutes, clang's analyzer, which takes nine tenths of the time, is stopped then. All else is looked at in full, and the
# analyzer begins with what it did not reach the last time (build/tidy.left), as scripts/changed.sh --queue says.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
minutes=600 left=build/tidy.left queue=()
if [ "${1:-}" = --minutes ]; then
  minutes=${2:?--minutes wants a number}
  queue=(--queue "$left")
  shift 2
fi

# clang's own compile commands: clang-tidy stops at gcc's options.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cmake --preset clang >"$log" 2>&1 || {
  cat "$log" >&2
  exit 1
}

# The files that are compiled, among those of its input: examples and others outside the build have no compile command.
compiled() {
  while read -r file; do
    case $file in
      *.h) grep -rlF --include='*.c' "\"${file#include/}\"" core hwdb model measure reports cli runners tests 2>/dev/null || true ;;
      *) echo "$file" ;;
    esac
  done | awk '
    NR == FNR { if (sub(/^ *"file": "/, "")) { sub(/",?$/, ""); known[$0] } next }
    (root "/" $0) in known && !seen[$0]++' root="$PWD" build/clang/compile_commands.json -
}
if [ $# -gt 0 ] && [ "$1" != --all ]; then
  mapfile -t files < <(printf '%s\n' "$@" | compiled)
else
  mapfile -t files < <(scripts/changed.sh "$@" | compiled)
fi
analyzed=("${files[@]}")
[ "${#queue[@]}" = 0 ] || mapfile -t analyzed < <(scripts/changed.sh "${queue[@]}" | compiled)

# check CHECKS FILE: cmake/analyzer.h tells the analyzer what it cannot see across files; the file that defines those functions
# goes without it.
check() {
  local about=(--extra-arg=-include --extra-arg=cmake/analyzer.h)
  [[ $1 != -clang-analyzer-* && $2 != core/error.c ]] || about=()
  local status=0
  clang-tidy -p build/clang --quiet --warnings-as-errors='*' --checks="$1" ${about[@]+"${about[@]}"} "$2" 2>/dev/null || status=$?
  if [ "$status" -gt 128 ]; then # a signal: clang-tidy 14 itself crashes on reports/renderers/render.c
    echo "clang-tidy: its analyzer crashed on $2"
  elif [ "$status" != 0 ]; then
    echo "clang-tidy: $2"
    return 1
  fi
}
export -f check
status=0
echo "clang-tidy: ${#files[@]} files"
[ "${#files[@]}" = 0 ] ||
  printf '%s\n' "${files[@]}" | scripts/in_time.sh 600 build/tidy.none check '-clang-analyzer-*' || status=1
echo "clang's analyzer: ${#analyzed[@]} files"
only='-bugprone-*,-cert-*,-misc-*,-performance-*,-portability-*,-readability-*'
[ "${#analyzed[@]}" = 0 ] || printf '%s\n' "${analyzed[@]}" | scripts/in_time.sh "$minutes" "$left" check "$only" || status=1
exit "$status"
