#!/usr/bin/env bash
# Configures and builds one preset: scripts/build.sh [PRESET [CMAKE-BUILD-OPTION...]]; "release" if none is given.
# Uses ccache when it is installed, and in whatever folder a clone lies, what another one compiled is found. In CI warnings are
# errors.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=${1:-release}
[ $# -eq 0 ] || shift

if command -v ccache >/dev/null 2>&1; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cmake --preset "$preset" ${CI:+-DROOFLINE_WERROR=ON} >"$log" 2>&1 || {
  cat "$log" >&2
  exit 1
}
grep -E '^-- roofline-run-[a-z]+ is left out: ' "$log" >&2 || true
cmake --build --preset "$preset" --parallel "$(nproc)" "$@" >"$log" 2>&1 || {
  cat "$log" >&2
  exit 1
}
grep -E 'warning:' "$log" >&2 || true
