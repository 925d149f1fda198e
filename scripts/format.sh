#!/usr/bin/env bash
# clang-format: scripts/format.sh [--check] [--all | FILE...]; the changed files if none are named.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
options=(-i)
if [ "${1:-}" = --check ]; then
  options=(--dry-run -Werror)
  shift
fi
if [ $# -gt 0 ] && [ "$1" != --all ]; then
  files=("$@")
else
  mapfile -t files < <(scripts/changed.sh "$@")
fi
echo "clang-format: ${#files[@]} files"
[ "${#files[@]}" -eq 0 ] || clang-format "${options[@]}" "${files[@]}"
