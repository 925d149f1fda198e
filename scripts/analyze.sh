#!/usr/bin/env bash
# gcc's analyzer on the library and the program: scripts/analyze.sh [--changed | --minutes N | FILE...]; all of their files if none
# are named. Fails at what scripts/analyze.expected does not list, and at what it lists and is gone. It takes half an hour on two
# processors, at low priority. The list is of gcc 12: another version finds other things, so without that it is skipped (77).
#
# With --minutes it begins with what it did not reach the last time (build/analyze.left), as scripts/changed.sh --queue says.
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
      sub(/^[^ ]*ccache /, ""); sub(/^[^ ]+ /, ""); sub(/ -o [^ ]+ -c [^ ]+$/, ""); gsub(/ -Werror /, " ")
      print file "\t" $0
    }' | sort >"$work/all"
minutes=600
left=build/analyze.left
if [ "${1:-}" = --changed ]; then
  mapfile -t files < <(scripts/changed.sh)
  set -- "${files[@]:-none}"
elif [ "${1:-}" = --minutes ]; then
  minutes=${2:?--minutes wants a number}
  mapfile -t files < <(scripts/changed.sh --queue "$left")
  set -- "${files[@]:-none}"
fi
if [ $# -gt 0 ]; then
  printf '%s\n' "$@" |
    awk -F'\t' 'NR == FNR { options[$1] = $0; next } $1 in options { print options[$1] }' "$work/all" - >"$work/files"
else
  cp "$work/all" "$work/files"
fi
echo "gcc -fanalyzer: $(wc -l <"$work/files") files"

# Leaves "FILE WARNING TIMES" in the folder FOUND, where there are any: analyze COMPILER FOUND "FILE OPTIONS".
analyze() {
  local file=${3%%$'\t'*} options=${3#*$'\t'} found log
  # shellcheck disable=SC2016 # the options are quoted as for a shell
  found=$(eval "nice -n 15 \"\$1\" $options -fanalyzer -fdiagnostics-plain-output -o /dev/null -c \"\$file\"" 2>&1) || {
    printf '%s\n' "$found" >&2
    return 1
  }
  log=$2/$(printf '%s' "$file" | tr / _)
  printf '%s\n' "$found" >"$log.log"
  printf '%s\n' "$found" | sed -n 's/.*: warning: .*\[\(-W[a-z-]*\)\]$/\1/p' | sort | uniq -c |
    awk -v file="$file" '{ print file, $2, $1 }' >"$log.found"
}
export -f analyze
status=0
mkdir "$work/logs"
scripts/in_time.sh "$minutes" "$left" analyze "$compiler" "$work/logs" <"$work/files" || exit 1
find "$work/logs" -name '*.found' -exec cat {} + | sort >"$work/found"
sed 's/ *#.*//; /^$/d' scripts/analyze.expected | sort |
  awk -F'[\t ]' 'FILENAME == ARGV[1] { left[$1]; next } FILENAME == ARGV[2] { wanted[$1]; next } $1 in wanted && !($1 in left)' \
    "$left" "$work/files" - >"$work/expected"
while read -r file warning times; do
  echo "$file: $times of $warning, which scripts/analyze.expected does not list:"
  sed -n '/warning:/p' "$work/logs/$(printf '%s' "$file" | tr / _).log"
  status=1
done < <(comm -23 "$work/found" "$work/expected")
while read -r file warning times; do
  echo "$file: no longer $times of $warning: take the line out of scripts/analyze.expected"
  status=1
done < <(comm -13 "$work/found" "$work/expected")
exit "$status"
