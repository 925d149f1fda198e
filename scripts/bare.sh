#!/usr/bin/env bash
# Debian's base system as a tar file, made by mmdebstrap from this machine's package sources:
#   scripts/bare.sh FILE SUITE [MMDEBSTRAP-OPTION...]
# A file that is there is kept. SUITE takes the place of the sources' own suite. The exit code is 77 where it cannot be had, and
# a line says why.
set -euo pipefail
file=${1:?want a file} suite=${2:?want a suite}
shift 2
[ ! -s "$file" ] || exit 0
command -v mmdebstrap >/dev/null || { echo "want mmdebstrap; apt-get install mmdebstrap"; exit 77; }
mkdir -p "$(dirname "$file")"
own=$(. /etc/os-release && echo "$VERSION_CODENAME")
cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null | sed "s/\b$own\b/$suite/g" >"$file.sources" || true
mmdebstrap --quiet --variant=apt "$@" "$suite" "$file.part.tar" - <"$file.sources" >"$file.log" 2>&1 ||
  { echo "want Debian's package sources of $suite: $(tail -n 1 "$file.log")"; exit 77; }
mv "$file.part.tar" "$file"
