#!/usr/bin/env bash
# clang-tidy with the rules of .clang-tidy: scripts/tidy.sh [--all | FILE...]; the changed files if none are named.
# A changed header stands for the files that include it directly.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# clang's own compile commands: clang-tidy stops at gcc's options.
scripts/build.sh clang
if [ $# -gt 0 ] && [ "$1" != --all ]; then
  files=("$@")
else
  mapfile -t files < <(scripts/changed.sh "$@")
fi

sources=()
for file in ${files[@]+"${files[@]}"}; do
  case $file in
    *.c) sources+=("$file") ;;
    *.h)
      while read -r user; do
        sources+=("$user")
      done < <(grep -rlF --include='*.c' "\"${file#include/}\"" core hwdb model measure reports cli runners tests 2>/dev/null)
      ;;
  esac
done
mapfile -t sources < <(printf '%s\n' ${sources[@]+"${sources[@]}"} | sort -u | while read -r source; do
  # Examples and other files outside the build have no compile command.
  ! grep -qF "/$source\"" build/clang/compile_commands.json || echo "$source"
done)
echo "clang-tidy: ${#sources[@]} files"

# cmake/analyzer.h tells the analyzer what it cannot see across files; the file that defines those functions goes
# without it.
check() {
  local about=(--extra-arg=-include --extra-arg=cmake/analyzer.h)
  [ "$1" != core/error.c ] || about=()
  local status=0
  clang-tidy -p build/clang --quiet --warnings-as-errors='*' ${about[@]+"${about[@]}"} "$1" 2>/dev/null || status=$?
  if [ "$status" -gt 128 ]; then # a signal: clang-tidy 14 itself crashes on reports/renderers/render.c
    echo "clang-tidy: its analyzer crashed on $1; the other checks alone"
    status=0
    clang-tidy -p build/clang --quiet --warnings-as-errors='*' --checks='-clang-analyzer-*' "$1" 2>/dev/null || status=$?
  fi
  return "$status"
}
export -f check
# shellcheck disable=SC2016 # expands in the inner shell
[ "${#sources[@]}" -eq 0 ] || printf '%s\0' "${sources[@]}" |
  xargs -0 -n 1 -P "$(nproc)" bash -c 'check "$1" || { echo "clang-tidy: $1"; exit 1; }' check
