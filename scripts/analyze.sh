#!/usr/bin/env bash
# gcc's analyzer on the library and the program: scripts/analyze.sh [--changed | FILE...]; all of their files if none are named.
# Fails at what scripts/analyze.expected does not list, and at what it lists and is gone. It takes half an hour on two
# processors, at low priority. The list is of gcc 12: another version finds other things, so without that it is skipped (77).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

compiler=
for name in gcc-12 gcc; do
  if [ -z "$compiler" ] && [ "$("$name" -dumpversion 2>/dev/null | cut -d. -f1)" = 12 ]; then
    compiler=$name
  fi
done
[ -n "$compiler" ] || {
  echo "skipped: gcc 12 is not installed"
  exit 77
}
scripts/build.sh release --target roofline # makes the headers that are generated

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# FILE and the options it is compiled with, each file once.
sed -n 's/^ *"command": "\(.*\)",*$/\1/p' build/release/compile_commands.json | sed 's/\\\(.\)/\1/g' |
  awk -v root="$PWD/" '
    { file = $NF; if (index(file, root) == 1) file = substr(file, length(root) + 1) }
    file ~ /^(core|hwdb|model|measure|reports|cli)\/.*\.c$/ && !seen[file]++ {
      sub(/^[^ ]*ccache /, ""); sub(/^[^ ]+ /, ""); sub(/ -o [^ ]+ -c [^ ]+$/, "")
      print file "\t" $0
    }' | sort >"$work/all"
if [ "${1:-}" = --changed ]; then
  mapfile -t files < <(scripts/changed.sh)
  set -- "${files[@]:-none}"
fi
if [ $# -gt 0 ]; then
  printf '%s\n' "$@" | awk -F'\t' 'NR == FNR { wanted[$1]; next } $1 in wanted' - "$work/all" >"$work/files"
else
  cp "$work/all" "$work/files"
fi
echo "gcc -fanalyzer: $(wc -l <"$work/files") files"

# "FILE WARNING TIMES", where there are any.
analyze() {
  local file=${1%%$'\t'*} options=${1#*$'\t'} found
  # shellcheck disable=SC2016 # the options are quoted as for a shell
  found=$(eval "nice -n 15 \"\$2\" $options -fanalyzer -fdiagnostics-plain-output -o /dev/null -c \"\$file\"" 2>&1) || {
    printf '%s\n' "$found" >&2
    return 255
  }
  printf '%s\n' "$found" >"$3/$(printf '%s' "$file" | tr / _).log"
  printf '%s\n' "$found" | sed -n 's/.*: warning: .*\[\(-W[a-z-]*\)\]$/\1/p' | sort | uniq -c |
    awk -v file="$file" '{ print file, $2, $1 }'
}
export -f analyze
# shellcheck disable=SC2016 # expands in the inner shell
tr '\n' '\0' <"$work/files" |
  xargs -0 -r -n 1 -P "$(nproc)" bash -c 'analyze "$3" "$1" "$2"' analyze "$compiler" "$work" | sort >"$work/found"

sed 's/ *#.*//; /^$/d' scripts/analyze.expected | sort |
  awk -F'[\t ]' 'NR == FNR { wanted[$1]; next } $1 in wanted' "$work/files" - >"$work/expected"
status=0
while read -r file warning times; do
  echo "$file: $times of $warning, which scripts/analyze.expected does not list:"
  sed -n '/warning:/p' "$work/$(printf '%s' "$file" | tr / _).log"
  status=1
done < <(comm -23 "$work/found" "$work/expected")
while read -r file warning times; do
  echo "$file: no longer $times of $warning: take the line out of scripts/analyze.expected"
  status=1
done < <(comm -13 "$work/found" "$work/expected")
exit "$status"
