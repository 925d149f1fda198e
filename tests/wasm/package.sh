#!/usr/bin/env bash
# Installs the package that scripts/wasm.sh packed, and runs its functions and its command: package.sh NATIVE-PROGRAM
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tarball=$(ls "$root"/build/wasm/roofline-cli-*.tgz 2>/dev/null | tail -n 1) || true
[ -n "$tarball" ] || { echo "SKIPPED: needs build/wasm, which scripts/wasm.sh makes"; exit 77; }
command -v npm >/dev/null || { echo "SKIPPED: needs npm"; exit 77; }
folder=$(mktemp -d "${TMPDIR:-/tmp}/roofline-npm-XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --offline "$tarball"
node --test-reporter=spec "$root/tests/wasm/package.mjs" "$1" "$root/examples"
